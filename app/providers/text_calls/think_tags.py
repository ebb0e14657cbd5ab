"""`<think>` in a text → visible text and reasoning, in one pass over pieces split anywhere.

Only a tag at the start of a message opens thinking; an unclosed tag makes everything after it reasoning. Some servers
swallow the opening tag, because it is in the prompt's template: then a lone closing tag at the end of a line, with no
tag before it, turns the text so far into reasoning.
"""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal["text", "reasoning", "reclassify"]
Piece = tuple[Kind, str]

_TAGS: Final = (("<think>", "</think>"), ("<thinking>", "</thinking>"))
_OPENERS: Final = tuple(opener for opener, _ in _TAGS)
_CLOSERS: Final = tuple(closer for _, closer in _TAGS)
_PATIENCE: Final = 1_000
"""Characters of white space after which the waiting for what follows ends."""


class ThinkSplitter:
    """Call `feed` with pieces, then `finish`. A "reclassify" piece means: all text returned so far was reasoning.

    `call_marks` begin a tool call written as text: at the start of a line they end thinking that has no opening tag.
    """

    def __init__(self, *, prefilled: bool = False, call_marks: tuple[str, ...] = ()) -> None:
        self._call_marks = call_marks
        self._unopened = False
        self._line_start = True
        self._state: Literal["start", "thinking", "text", "settled"] = "start"
        self._prefilled = prefilled
        self._closers: tuple[str, ...] = _CLOSERS
        self._held = ""
        self._nested = 0
        self._fence = _FenceWatch()
        self.saw_tags = False

    def settle(self) -> None:
        """Reasoning came by a field of its own: from here on, closing tags are plain text."""
        if self._state == "text":
            self._state = "settled"

    def feed(self, text: str) -> list[Piece]:
        return self._run(self._held + text, at_end=False, followed=False)

    def finish(self, *, followed: bool = False) -> list[Piece]:
        """`followed`: tool calls come after the text, so a closing tag at its end had something to close."""
        return self._run(self._held, at_end=True, followed=followed)

    def _run(self, rest: str, *, at_end: bool, followed: bool) -> list[Piece]:
        out: list[Piece] = []
        while rest:
            before = self._state
            rest = self._advance(rest, out, at_end=at_end, followed=followed)
            if self._state == before:
                break
        self._held = "" if at_end else rest
        if at_end and rest:
            out.append(("reasoning" if self._state == "thinking" else "text", rest))
        return out

    def _advance(self, rest: str, out: list[Piece], *, at_end: bool, followed: bool) -> str:
        """One state's work; returns what is not decided yet."""
        if self._state == "start":
            return self._at_start(rest, at_end=at_end)
        if self._state == "thinking":
            return self._in_thinking(rest, out)
        if self._state == "text":
            return self._in_text(rest, out, at_end=at_end, followed=followed)
        out.append(("text", rest))
        return ""

    def _at_start(self, rest: str, *, at_end: bool) -> str:
        head = rest.lstrip()
        for opener, closer in _TAGS:
            if head.startswith(opener):
                self._state, self._closers = "thinking", (closer,)
                self._prefilled, self.saw_tags = False, True
                return head[len(opener) :]
        if not at_end and len(rest) < _PATIENCE and (not head or any(opener.startswith(head) for opener in _OPENERS)):
            return rest
        if self._prefilled:
            self._unopened = True
            self._state, self._prefilled, self.saw_tags = "thinking", False, True
        else:
            self._state = "settled" if self.saw_tags and not self._nested else "text"
        return rest

    def _in_thinking(self, rest: str, out: list[Piece]) -> str:
        at, closer = _first(rest, self._closers)
        if self._unopened and (call := self._call_in(rest, at)) >= 0:
            if call:
                out.append(("reasoning", rest[:call]))
            self._state = "text"
            return rest[call:]
        keep = 0 if closer else _held_length(rest, (*self._closers, *_OPENERS, *self._call_marks))
        thought = rest[:at] if closer else rest[: len(rest) - keep]
        if thought:
            self._nested += sum(thought.count(opener) for opener in _OPENERS)
            out.append(("reasoning", thought))
            self._line_start = thought.endswith("\n")
        if not closer:
            return rest[len(thought) :]
        self._unopened = False
        # A second block may follow at once, so this is a start again.
        self._state = "start"
        return rest[at + len(closer) :]

    def _call_in(self, rest: str, end: int) -> int:
        at = rest.find("<", 0, end) if self._call_marks else -1
        while at >= 0:
            at_line_start = rest[at - 1] == "\n" if at else self._line_start
            if at_line_start and rest.startswith(self._call_marks, at):
                return at
            at = rest.find("<", at + 1, end)
        return -1

    def _in_text(self, rest: str, out: list[Piece], *, at_end: bool, followed: bool) -> str:
        start = 0
        while True:
            at, closer = _first(rest, _CLOSERS, start)
            if not closer:
                break
            self._fence.feed(rest[start:at])
            after = at + len(closer)
            tail = rest[after : after + _PATIENCE]
            open_end = not tail.strip() or any(len(tail) < len(m) and m.startswith(tail) for m in self._call_marks)
            if open_end and len(tail) < _PATIENCE and not at_end:
                # Whether an answer follows is not known yet.
                _give(rest[:at], out)
                return rest[at:]
            if self._is_lone_closer(tail, followed=followed):
                _give(rest[:at], out)
                out.append(("reclassify", closer))
                self._state, self.saw_tags = "start", True
                self._nested = max(0, self._nested - 1)
                return rest[after:]
            self._fence.feed(closer)
            start = after
        end = len(rest) - (0 if at_end else _held_length(rest, _CLOSERS, start))
        self._fence.feed(rest[start:end])
        _give(rest[:end], out)
        return rest[end:]

    def _is_lone_closer(self, tail: str, *, followed: bool) -> bool:
        """Whether the tag at hand ends a thinking nobody opened: it stands alone, and something follows."""
        if self._fence.inside or self._fence.in_backticks:
            return False
        if not tail.strip():
            return followed
        if self._call_marks and tail.startswith(self._call_marks):
            return True
        return tail[0] in "\r\n" or self._nested > 0 or self._fence.at_line_start


class _FenceWatch:
    """Whether the text so far ends inside a code fence or inline code; fed piece by piece."""

    def __init__(self) -> None:
        self._line = ""
        self.inside = False

    @property
    def at_line_start(self) -> bool:
        return not self._line.strip()

    @property
    def in_backticks(self) -> bool:
        return self._line.count("`") % 2 == 1

    def feed(self, text: str) -> None:
        if "\n" not in text:
            # Backticks and the first characters are all that matters of a line; a long one stays short.
            self._line = self._short(self._line + text)
            return
        first, *middle, last = text.split("\n")
        for line in (self._line + first, *middle):
            if line.lstrip().startswith(("```", "~~~")):
                self.inside = not self.inside
        self._line = self._short(last)

    @staticmethod
    def _short(line: str) -> str:
        if len(line) <= 200:
            return line
        return line[:100] + "`" * (line[100:].count("`") % 2)


def _give(text: str, out: list[Piece]) -> None:
    if text:
        out.append(("text", text))


def _first(text: str, closers: tuple[str, ...], start: int = 0) -> tuple[int, str]:
    """Where the next of these closing tags stands. They begin alike, so one search finds all."""
    at = text.find("</think", start)
    while at >= 0:
        for closer in closers:
            if text.startswith(closer, at):
                return at, closer
        at = text.find("</think", at + 1)
    return len(text), ""


def _held_length(text: str, tags: tuple[str, ...], start: int = 0) -> int:
    """How many characters at the end may be the beginning of a tag."""
    at = text.rfind("<", max(start, len(text) - max(map(len, tags)) + 1))
    if at < 0:
        return 0
    tail = text[at:]
    return len(tail) if any(tag.startswith(tail) for tag in tags) else 0
