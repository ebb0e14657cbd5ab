"""Tool calls a model writes into its text, read while the text streams in.

`TextCalls` takes the visible text in pieces cut anywhere and gives back text, reasoning and calls. Only what
may still become a mark is held back. What is quoted is not a call: in code, in thinking, or word for word as
it is in a tool's result. Finding a call gives no permission; that is asked where it is executed.

Two ways to read. `eager` (text dialects): the model was told to write calls, so what begins like one and is
none goes back to it as an error. Otherwise (native): only a call of an offered tool is one, all else is text.

Long because it is one machine: its states are read together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from app.core.run.chat_model import ToolSpec
from app.core.text.i18n import N_, Marked
from app.providers.text_calls.delimiters import (
    AFTER_CALL,
    CLOSERS,
    DSML_BLOCKS,
    ENDS,
    FORMS,
    MADE_UP,
    MINIMAX,
    OPENERS,
    PYTHON,
    TOOL_CALL,
    begins_call,
    fenced_object,
    held,
    may_become,
)
from app.providers.text_calls.output import ParsedOutput, Piece
from app.providers.text_calls.parse import FoundCall, calls_of, has_arguments, name_of, named_in, thinking_of, typed
from app.providers.text_calls.scan import FUNCTION, JsonScan, PairScan, TagForm, TagScan
from app.providers.text_calls.sections import SECTIONS, CallHead, head_of
from app.providers.tool_arguments import read_arguments
from app.providers.tool_call_parts import MAX_CALLS

MAX_CALL_CHARS: Final = 200 * 1024
_MAX_GAP: Final = 1_000
_MAX_SECOND_LOOKS: Final = 16
_TOO_LONG: Final = Marked(N_("the call is longer than {n} kB"), n=MAX_CALL_CHARS // 1024)
_INCOMPLETE: Final = N_("the call is not complete or not well formed")
_LEADS: Final = ("<", "[T")
"""What every opening mark begins with."""
_NOTHING: Final = N_("between the tags there is no JSON object")


def _never(_markup: str) -> bool:
    return False


class TextCalls:
    """`feed` pieces of text, then `finish`. `names` are offered tools of which no more is known."""

    def __init__(
        self,
        tools: Sequence[ToolSpec] = (),
        *,
        names: Collection[str] = (),
        eager: bool = True,
        thinking: bool = False,
        quoted: Callable[[str], bool] = _never,
    ) -> None:
        """`thinking`: the reply is asked to begin with the thinking JSON. `quoted`: whether this is in a result."""
        self._tools = {tool.name: tool for tool in tools}
        self._names = frozenset((*self._tools, *names))
        self._eager, self._thinking, self._quoted = eager, thinking, quoted
        self._shown = ParsedOutput()
        self._state: Callable[[], None] = self._read_text
        self._buffer, self._at, self._at_end = "", 0, False
        self._seen: dict[str, int] = {}
        self._second_looks = 0
        self._reset("")

    def _reset(self, opener: str, *, bare: bool = False) -> None:
        """A new call, or none."""
        self._opener, self._bare = opener, bare
        self._raw: list[str] = [opener] if opener else []
        self._size = len(opener)
        self._payload: list[str] = []
        self._json = JsonScan()
        self._tags: TagScan | PairScan = TagScan(FUNCTION)
        self._named = self._label = ""
        """The function whose arguments come as one JSON object, as in `<function=f>{…}</function>`; the call's id."""
        self._fenced = False

    @property
    def inside(self) -> bool:
        """Whether the text so far ends inside a call, where no other mark means anything."""
        return self._state not in (self._read_text, self._after)

    @property
    def found(self) -> int:
        return self._shown.found

    def feed(self, text: str) -> list[Piece]:
        return self._run(text)

    def finish(self) -> list[Piece]:
        """The message has ended."""
        self._at_end = True
        return self._run("")

    def _run(self, text: str) -> list[Piece]:
        self._buffer, self._at, self._seen = self._buffer[self._at :] + text, 0, {}
        while True:
            before = (self._at, self._state, len(self._buffer))
            self._state()
            if (self._at, self._state, len(self._buffer)) == before:
                break
        if self._at_end and self._at < len(self._buffer):
            self._shown.give(self._take(len(self._buffer)))
        return self._shown.drain()

    def _take(self, end: int) -> str:
        text = self._buffer[self._at : end]
        self._at = end
        return text

    def _close(self, calls: Sequence[FoundCall]) -> None:
        self._shown.add(calls)
        self._state = self._after

    def _back_to_text(self) -> None:
        """What was held back is text after all."""
        text = "".join(self._raw)
        self._reset("")
        self._state = self._read_text
        self._shown.give(text)

    # ------------------------------------------------------------ in the text

    def _read_text(self) -> None:
        buffer = self._buffer
        while self._at < len(buffer):
            if self._plain_lines():
                continue
            newline = buffer.find("\n", self._at)
            stop = len(buffer) if newline < 0 else newline + 1
            if self._shown.lines.in_fence or self._shown.found >= MAX_CALLS:
                self._shown.give(self._take(stop))
            elif self._bare_object(stop) or self._mark(stop):
                return

    def _plain_lines(self) -> bool:
        """Gives at once what lies before the next line that may hold a call: nearly all of nearly every answer."""
        if self._thinking and not self._shown.begun:
            return False
        first = min(*(self._next(lead) for lead in _LEADS), self._next("{"))
        end = first if first == len(self._buffer) else self._buffer.rfind("\n", self._at, first) + 1
        if end <= self._at:
            return False
        self._shown.give(self._take(end))
        return True

    def _next(self, lead: str, at: int = -1) -> int:
        """Where this is next, or may begin to. Remembered, so that nothing is searched twice."""
        at = max(at, self._at)
        place = self._seen.get(lead, -1)
        if place < at:
            place = self._buffer.find(lead, at)
            if place < 0 and len(lead) > 1 and self._buffer.endswith(lead[0]):
                place = max(len(self._buffer) - 1, at)
            place = self._seen[lead] = len(self._buffer) if place < 0 else place
        return place

    def _bare_object(self, stop: int) -> bool:
        """True to stop here: a bare object begins, or may begin."""
        if not self._shown.lines.at_start or not (self._names or self._thinking):
            return False
        buffer, at = self._buffer, self._at
        while at < stop and buffer[at] in " \t\r\n":
            at += 1
        if at == len(buffer):
            # Nothing but white space so far; it need not wait.
            return False
        begin, fenced = at, False
        if self._thinking and not self._shown.begun and buffer[at] == "`":
            place = fenced_object(buffer, at, at_end=self._at_end)
            if place is None:
                self._shown.give(self._take(at))
                return True
            fenced, at = place >= 0, max(at, place)
        if at >= len(buffer) or buffer[at] != "{":
            return False
        names = () if fenced else self._names
        verdict = begins_call(buffer, at, names, thinking=self._thinking, at_end=self._at_end)
        if verdict is False:
            return False
        self._shown.give(self._take(begin))
        if verdict:
            self._reset("", bare=True)
            self._fenced = fenced
            self._keep(self._take(at))
            self._state = self._read_json
        return True

    def _mark(self, stop: int) -> bool:
        """True to stop here: a mark begins, or may begin. Else the line is given as text."""
        buffer, at = self._buffer, self._at
        while (at := min(self._next(lead, at) for lead in _LEADS)) < stop:
            if buffer.startswith(OPENERS, at):
                opener = next(mark for mark in OPENERS if buffer.startswith(mark, at))
                self._shown.give(self._take(at))
                if self._shown.lines.in_code or (opener == MADE_UP and not self._shown.found):
                    self._shown.give(self._take(at + len(opener)))
                    at = self._at
                    continue
                self._begin(opener)
                return True
            if not self._at_end and may_become(buffer, at, OPENERS):
                self._shown.give(self._take(at))
                if not self._shown.lines.in_code:
                    return True
            at += 1
        self._shown.give(self._take(stop))
        return False

    def _begin(self, opener: str) -> None:
        self._reset(opener)
        self._at += len(opener)
        if opener == MADE_UP:
            self._state = self._skip
        elif opener in (TOOL_CALL, MINIMAX, PYTHON, *DSML_BLOCKS):
            self._state = self._expect
        elif opener in SECTIONS:
            self._state = self._read_head
        else:
            self._begin_tags(FORMS[opener])

    def _begin_tags(self, form: TagForm) -> None:
        self._tags = TagScan(form)
        self._state = self._read_tags

    def _read_head(self) -> None:
        """What is before the arguments in a section of special tokens."""
        head = head_of(self._buffer, self._at, SECTIONS[self._opener], at_end=self._at_end)
        if isinstance(head, CallHead):
            self._keep(self._take(head.end))
            self._named, self._label, self._fenced = head.name, head.label, head.fenced
            self._state = self._read_json
        elif head is False:
            self._back_to_text()

    # ------------------------------------------------------------ behind an opening mark

    def _expect(self) -> None:
        """What follows tells whether the mark was meant."""
        buffer, at = self._buffer, self._at
        while at < len(buffer) and buffer[at] in " \t\r\n":
            at += 1
        self._keep(self._take(at))
        if at == len(buffer) and not self._at_end and self._size < _MAX_GAP:
            return
        if at < len(buffer) and buffer[at] in "{[":
            self._state = self._read_json
            return
        for form in FORMS.values():
            if buffer.startswith(form.opener, at):
                self._keep(self._take(at + len(form.opener)))
                self._begin_tags(form)
                return
        if at < len(buffer) and not self._at_end and may_become(buffer, at, tuple(FORMS)):
            return
        if self._opener == TOOL_CALL and (pairs := PairScan.begins(buffer, at, at_end=self._at_end)) is not False:
            if pairs:
                self._tags, self._state = PairScan(), self._read_tags
            return
        if self._eager and self._opener == TOOL_CALL and self._shown.lines.at_start:
            self._state = self._hold
        else:
            self._back_to_text()

    def _keep(self, text: str) -> None:
        if text:
            self._raw.append(text)
            self._size += len(text)

    def _hold(self) -> None:
        """Something else is in the tags. Once they are closed it was meant as a call."""
        closer = CLOSERS[TOOL_CALL]
        end = self._buffer.find(closer, self._at)
        if end >= 0:
            self._keep(self._take(end + len(closer)))
            raw = "".join(self._raw)
            self._close([FoundCall("", raw[:MAX_CALL_CHARS], None, _NOTHING, raw=raw)])
            return
        self._keep(self._take(len(self._buffer) - held(self._buffer, self._at, closer)))
        if self._at_end:
            self._keep(self._take(len(self._buffer)))
        if self._at_end or self._size > MAX_CALL_CHARS:
            self._back_to_text()

    # ------------------------------------------------------------ inside a call

    def _read_json(self) -> None:
        end = self._json.feed(self._buffer, self._at)
        piece = self._take(end)
        self._payload.append(piece)
        self._keep(piece)
        if self._size > MAX_CALL_CHARS:
            self._refuse(self._named or named_in("".join(self._payload)), _TOO_LONG)
        elif self._json.done:
            self._close_json("".join(self._payload))
        elif self._json.broken or self._at_end:
            self._break_json("".join(self._payload))

    def _close_json(self, text: str) -> None:
        raw = "".join(self._raw)
        if self._quoted(raw.strip() if self._named else text):
            self._back_to_text()
        elif self._bare:
            self._close_bare(text, raw)
        else:
            calls = [replace(call, wire_id=call.wire_id or self._label) for call in calls_of(text, raw, self._named)]
            all_offered = all(call.name in self._names for call in calls)
            whole = bool(self._named) or any(word in text for word in ('"arguments"', '"parameters"'))
            if self._eager or (all_offered and whole):
                self._close(calls)
            else:
                self._back_to_text()

    def _close_bare(self, text: str, raw: str) -> None:
        value, _ = read_arguments(text)
        if value is not None and self._thinking and (thought := thinking_of(value, text)) is not None:
            self._shown.think(thought.reasoning)
            self._close(thought.calls)
        elif value is not None and not self._fenced and name_of(value) in self._names and has_arguments(value):
            self._close(calls_of(text, raw))
        else:
            self._back_to_text()

    def _break_json(self, text: str) -> None:
        """It cannot become JSON any more. A closing tag that was taken for a part of a string ends it there."""
        closer = CLOSERS.get(self._opener, "")
        cut = text.find(closer) if closer and self._second_looks < _MAX_SECOND_LOOKS else -1
        if cut >= 0:
            self._second_looks += 1
            raw = "".join(self._raw)
            self._raw = [raw[: len(raw) - len(text) + cut]]
            self._buffer, self._at, self._seen = text[cut:] + self._buffer[self._at :], 0, {}
            text = text[:cut]
        name = self._named or named_in(text)
        if self._bare and not (self._at_end or self._eager):
            name = ""
        self._refuse(name, (read_arguments(text)[1] or _INCOMPLETE) if text.strip() else _NOTHING, text)

    def _read_tags(self) -> None:
        scan = self._tags
        if scan.name and (begin := scan.json_at(self._buffer, self._at)) >= 0:
            self._keep(self._take(begin))
            self._named, self._state = scan.name, self._read_json
            return
        self._keep(self._take(scan.feed(self._buffer, self._at)))
        if scan.name and not self._eager and scan.name not in self._names:
            self._back_to_text()
            return
        if self._at_end and not scan.done and not scan.broken:
            scan.end(self._buffer[self._at :])
            self._keep(self._take(len(self._buffer)))
        if self._size > MAX_CALL_CHARS:
            self._refuse(scan.name, _TOO_LONG)
        elif scan.done:
            raw = "".join(self._raw)
            if self._quoted(raw.removeprefix(TOOL_CALL).strip()):
                self._back_to_text()
            else:
                self._close([FoundCall(scan.name, raw, typed(scan.parameters, self._tools.get(scan.name)), raw=raw)])
        elif scan.broken:
            self._refuse(scan.name, _INCOMPLETE)

    # ------------------------------------------------------------ what is no call

    def _refuse(self, name: str, why: str, text: str = "") -> None:
        """Back to the model as an error if it can only have meant a call, else back to the text."""
        is_offered = name in self._names
        if not is_offered and (not self._eager or (self._bare and not self._thinks())):
            self._back_to_text()
            return
        raw = "".join(self._raw)
        bare, opener, fenced = self._bare, self._opener, self._fenced
        self._close([FoundCall(name, (text or raw)[:MAX_CALL_CHARS], None, why, raw=raw)])
        self._reset(opener)
        self._fenced = fenced
        self._state = self._after if bare else self._skip

    def _thinks(self) -> bool:
        head = "".join(self._payload)[:1000]
        return self._thinking and any(f'"{key}"' in head for key in ("has_enough_info", "tools_to_call", "toolsToCall"))

    def _skip(self) -> None:
        """To the closing tag of a call that was refused."""
        closer = CLOSERS.get(self._opener, "")
        end = self._buffer.find(closer, self._at) if closer else -1
        if end >= 0:
            self._at = end + len(closer)
            self._opener = ""
            self._state = self._after
        else:
            self._at = len(self._buffer) - (held(self._buffer, self._at, closer) if closer and not self._at_end else 0)

    def _after(self) -> None:
        """Behind a call: the closing tags that belong to it, or the next one in the same tags."""
        buffer, at = self._buffer, self._at
        while at < len(buffer) and buffer[at] in " \t\r\n":
            at += 1
        self._shown.give(self._take(at))
        if at == len(buffer):
            return
        closers = (*AFTER_CALL, "```") if self._fenced else AFTER_CALL
        closer = next((mark for mark in closers if buffer.startswith(mark, at)), "")
        if closer and not (closer == ";" and self._opener != PYTHON):
            self._at += len(closer)
            if closer != ";":
                self._opener = "" if closer == ENDS.get(self._opener) else self._opener
                self._fenced = self._fenced and closer != "```"
        elif (form := SECTIONS.get(self._opener)) and form.begin and buffer.startswith(form.begin, at):
            self._reset(self._opener)
            self._raw.clear()
            self._state = self._read_head
        elif buffer[at] in "{[" and self._opener in (TOOL_CALL, PYTHON):
            self._reset(self._opener)
            self._raw.clear()
            self._state = self._read_json
        elif self._at_end or not may_become(
            buffer, at, (*closers, *(one.begin for one in SECTIONS.values() if one.begin))
        ):
            self._reset("")
            self._state = self._read_text
