"""Patterns of a schema, matched in time linear in the text.

Python's own engine tries again from the beginning of every alternative, so `(a+)+$` takes longer than anybody lives,
and holds the whole process while it does. Here all alternatives advance together, one character at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from .work import WorkLimit

MOST_STATES: Final = 3_000
DEEPEST: Final = 40
Test = Callable[[str], bool]


class NotSupported(ValueError):
    """A pattern with back references, looking behind, or something else that is not matched here."""


@dataclass(slots=True)
class _State:
    """`test`: takes one character; `guard`: takes none, and holds at a place or not; neither: continues to all."""

    test: Test | None = None
    guard: str | Pattern | None = None
    is_negative: bool = False
    to: list[int] = field(default_factory=list)


class Pattern:
    """A compiled one. `found_in` looks anywhere in the text, as schemas do."""

    def __init__(self, states: list[_State], start: int, end: int) -> None:
        self._states, self._start, self._end = states, start, end

    def found_in(self, text: str, work: WorkLimit) -> bool:
        """Raises TooMuchWork."""
        return self._run(text, 0, work, is_anchored=False)

    def holds_at(self, place: int, text: str, work: WorkLimit) -> bool:
        return self._run(text, place, work, is_anchored=True)

    def _run(self, text: str, begin: int, work: WorkLimit, *, is_anchored: bool) -> bool:
        current: set[int] = set()
        for place in range(begin, len(text) + 1):
            if place == begin or not is_anchored:
                current.add(self._start)
            current = self._reached(current, text, place, work)
            if self._end in current:
                return True
            if not current and is_anchored:
                return False
            if place < len(text):
                char = text[place]
                current = {
                    to
                    for number in current
                    if (state := self._states[number]).test is not None and state.test(char)
                    for to in state.to
                }
        return False

    def _reached(self, begin: set[int], text: str, place: int, work: WorkLimit) -> set[int]:
        """All that can be reached without a further character."""
        found, open_ = set(begin), list(begin)
        while open_:
            state = self._states[open_.pop()]
            work.spend()
            if state.test is not None or (state.guard is not None and not self._holds(state, text, place, work)):
                continue
            for to in state.to:
                if to not in found:
                    found.add(to)
                    open_.append(to)
        return found

    def _holds(self, state: _State, text: str, place: int, work: WorkLimit) -> bool:
        guard = state.guard
        if isinstance(guard, Pattern):
            return guard.holds_at(place, text, work) is not state.is_negative
        if guard == "^":
            return place == 0
        if guard == "$":
            return place == len(text) or (place == len(text) - 1 and text[place] == "\n")
        before = place > 0 and _is_word(text[place - 1])
        after = place < len(text) and _is_word(text[place])
        return (before != after) is not state.is_negative


@lru_cache(maxsize=200)
def compiled(source: str) -> Pattern:
    """Raises NotSupported; also for what is no pattern."""
    return _Parser(source).pattern()


# ---------------------------------------------------------------- reading


class _Parser:
    """Parts are pairs of states: where one begins, and an empty one where it ends."""

    def __init__(self, source: str, at: int = 0, made: list[int] | None = None) -> None:
        """`made` counts the states of a pattern and of what it looks ahead for."""
        if len(source) > 2_000:
            raise NotSupported("it is too long")
        self._source, self._at = source, at
        self._states: list[_State] = []
        self._made = [0] if made is None else made

    def pattern(self) -> Pattern:
        start, end = self._alternatives(0)
        if self._at < len(self._source):
            raise NotSupported("a bracket is not open")
        return Pattern(self._states, start, end)

    def _new(self, state: _State | None = None) -> int:
        self._made[0] += 1
        if self._made[0] > MOST_STATES:
            raise NotSupported("it is too large")
        self._states.append(state or _State())
        return len(self._states) - 1

    def _link(self, one: int, other: int) -> None:
        self._states[one].to.append(other)

    def _peek(self) -> str:
        return self._source[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        if self._source.startswith(text, self._at):
            self._at += len(text)
            return True
        return False

    def _alternatives(self, deep: int) -> tuple[int, int]:
        if deep > DEEPEST:
            raise NotSupported("it is nested too deeply")
        start, end = self._new(), self._new()
        while True:
            first, last = self._sequence(deep)
            self._link(start, first)
            self._link(last, end)
            if not self._take("|"):
                return start, end

    def _sequence(self, deep: int) -> tuple[int, int]:
        start = last = self._new()
        while self._peek() not in ("", "|", ")"):
            begin = self._at
            first, end = self._atom(deep)
            first, end = self._repeated(first, end, begin, deep)
            self._link(last, first)
            last = end
        return start, last

    def _atom(self, deep: int) -> tuple[int, int]:
        sign = self._peek()
        self._at += 1
        if sign == "(":
            return self._group(deep)
        if sign in "^$":
            return self._single(_State(guard=sign))
        if sign == ".":
            return self._single(_State(test=lambda char: char != "\n"))
        if sign == "[":
            return self._single(_State(test=self._class()))
        if sign == "\\":
            return self._single(self._escape())
        if sign in "*+?":
            raise NotSupported("nothing to repeat")
        return self._single(_State(test=sign.__eq__))

    def _single(self, state: _State) -> tuple[int, int]:
        first, end = self._new(state), self._new()
        self._link(first, end)
        return first, end

    def _group(self, deep: int) -> tuple[int, int]:
        if self._take("?=") or self._take("?!"):
            is_negative = self._source[self._at - 1] == "!"
            inner = _Parser(self._source, self._at, self._made)
            start, end = inner._alternatives(deep + 1)
            self._at = inner._at
            self._close()
            return self._single(_State(guard=Pattern(inner._states, start, end), is_negative=is_negative))
        if self._take("?<") or self._take("?P<"):
            name_end = self._source.find(">", self._at)
            if self._peek() in ("=", "!") or name_end < 0:
                raise NotSupported("it looks behind")
            self._at = name_end + 1
        elif self._peek() == "?" and not self._take("?:"):
            raise NotSupported("a group of an unknown kind")
        part = self._alternatives(deep + 1)
        self._close()
        return part

    def _close(self) -> None:
        if not self._take(")"):
            raise NotSupported("a bracket is not closed")

    def _repeated(self, first: int, end: int, begin: int, deep: int) -> tuple[int, int]:
        """The atom that was read from `begin` on, as often as what follows it says."""
        bounds = self._bounds()
        if bounds is None:
            return first, end
        self._take("?")  # how greedy it is decides nothing about whether it matches
        if self._peek() in ("*", "+", "?") or (self._peek() == "{" and self._bounds() is not None):
            raise NotSupported("repeated twice")
        low, high = bounds
        after = self._at
        start = last = self._new()
        out = self._new()
        for number in range(max(low, high if high is not None else low, 1)):
            if number:  # a copy of its own
                self._at = begin
                first, end = self._atom(deep)
            if number >= low:
                self._link(last, out)
            self._link(last, first)
            last = end
        self._at = after
        if high is None:
            self._link(last, first)
        if high == 0:
            return self._through()
        self._link(last, out)
        return start, out

    def _through(self) -> tuple[int, int]:
        only = self._new()
        return only, only

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(sign):
                return bounds
        close = self._source.find("}", self._at)
        if self._peek() != "{" or close < 0:
            return None
        low, comma, high = self._source[self._at + 1 : close].partition(",")
        if not low.isdecimal() or (high and not high.isdecimal()) or len(low) > 4 or len(high) > 4:
            return None
        self._at = close + 1
        least, most = int(low), int(high) if high else (None if comma else int(low))
        if most is not None and most < least:
            raise NotSupported("the bounds are the wrong way round")
        return least, most

    # ------------------------------------------------------------ characters

    def _escape(self) -> _State:
        sign = self._peek()
        if sign in ("b", "B"):
            self._at += 1
            return _State(guard="b", is_negative=sign == "B")
        if sign in ("A", "Z", "z"):
            raise NotSupported("an anchor of another language")
        return _State(test=self._escaped())

    def _escaped(self) -> Test:
        """What is behind a backslash, also in a class."""
        sign = self._peek()
        self._at += 1
        if not sign:
            raise NotSupported("a backslash at the end")
        if (kind := _KINDS.get(sign.lower())) is not None and sign.lower() in "dws":
            return kind if sign.islower() else _not(kind)
        if sign in "xu":
            digits = self._source[self._at : self._at + (2 if sign == "x" else 4)]
            if len(digits) < (2 if sign == "x" else 4) or not all(d in "0123456789abcdefABCDEF" for d in digits):
                raise NotSupported("an escape that is cut")
            self._at += len(digits)
            return chr(int(digits, 16)).__eq__
        if sign.isdecimal() and sign != "0":
            raise NotSupported("it refers back")
        if sign.isalnum() and sign not in _PLAIN:
            raise NotSupported("an unknown escape")
        return _PLAIN.get(sign, sign).__eq__

    def _class(self) -> Test:
        is_negative = self._take("^")
        tests: list[Test] = []
        singles: set[str] = set()
        is_first = True
        while is_first or self._peek() != "]":
            low = self._member()
            is_first = False
            if (
                isinstance(low, str)
                and self._peek() == "-"
                and self._source[self._at + 1 : self._at + 2] not in ("]", "")
            ):
                self._at += 1
                high = self._member()
                if not isinstance(high, str) or high < low:
                    raise NotSupported("a range the wrong way round")
                tests.append(_between(low, high))
            elif isinstance(low, str):
                singles.add(low)
            else:
                tests.append(low)
        self._at += 1
        if singles:
            tests.append(frozenset(singles).__contains__)
        one_of = tests[0] if len(tests) == 1 else _any(tuple(tests))
        return _not(one_of) if is_negative else one_of

    def _member(self) -> str | Test:
        sign = self._peek()
        self._at += 1
        if not sign:
            raise NotSupported("a bracket is not closed")
        if sign == "[" and self._peek() in (":", "."):
            raise NotSupported("a class of another language")
        if sign != "\\":
            return sign
        if self._take("b"):
            return "\b"
        begin = self._at
        test = self._escaped()
        kind = self._source[begin]
        return test if kind.lower() in "dws" else next(char for char in self._spelled(begin) if test(char))

    def _spelled(self, begin: int) -> str:
        """Candidates for the one character that was escaped."""
        kind = self._source[begin]
        if kind in "xu":
            return chr(int(self._source[begin + 1 : self._at], 16))
        return _PLAIN.get(kind, kind)


_PLAIN: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_KINDS: Final[dict[str, Test]] = {"d": str.isdecimal, "w": _is_word, "s": str.isspace}


def _not(test: Test) -> Test:
    return lambda char: not test(char)


def _between(low: str, high: str) -> Test:
    return lambda char: low <= char <= high


def _any(tests: tuple[Test, ...]) -> Test:
    return lambda char: any(test(char) for test in tests)
