"""Two scanners that find where a call written as text ends, while it arrives in pieces cut anywhere.

They look at every character about once and never back, so hostile text costs what honest text costs.
What they have seen is read by others (`text_tools_forms.py`); what cannot become a call is `broken`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_DEPTH: Final = 64
MAX_PARAMETERS: Final = 256
_MAX_NAME: Final = 200
_WINDOW: Final = 1024
"""How far one search looks ahead, so that many short calls in one piece stay linear."""


class JsonScan:
    """One JSON object or list, from its opening bracket to the closing one."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._in_string = False
        self._escaped = False
        self._after_string = False
        self.done = False
        self.broken = False

    def feed(self, text: str, at: int) -> int:
        """Where it stopped: behind the last bracket, at what cannot be there, or at the end of the piece."""
        while at < len(text) and not self.done and not self.broken:
            if self._escaped:
                self._escaped = False
                at += 1
            elif self._in_string:
                at = self._string(text, at)
            else:
                self._structure(text[at])
                at += not self.broken
        return at

    def _string(self, text: str, at: int) -> int:
        stop = min(len(text), at + _WINDOW)
        quote = text.find('"', at, stop)
        slash = text.find("\\", at, stop if quote < 0 else quote)
        if slash >= 0:
            self._escaped = True
            return slash + 1
        if quote < 0:
            return stop
        self._in_string, self._after_string = False, True
        return quote + 1

    def _structure(self, char: str) -> None:
        if char in " \t\r\n":
            return
        if char in ",:":
            self._after_string = False
        elif char in "}]":
            self._after_string = False
            self.broken = self._open.pop() + char not in ("{}", "[]")
            self.done = not self._open and not self.broken
        elif self._after_string:
            # Behind a string stands a comma, a colon or a bracket; else a quote was forgotten.
            self.broken = True
        elif char == '"':
            self._in_string = True
        elif char in "{[":
            self._open.append(char)
            self.broken = len(self._open) > MAX_DEPTH
        elif not (char.isascii() and (char.isalnum() or char in "+-.")):
            self.broken = True


@dataclass(frozen=True, slots=True)
class TagForm:
    """How one family of models writes a function and its parameters as tags."""

    opener: str
    parameter: str
    name_end: str
    """What is behind a name: `>` or `">`."""
    closer: str
    outers: tuple[str, ...]
    """What closes the tag around all calls."""
    end_value: str = "</parameter>"
    is_lined: bool = True
    """A newline at each side of a value is markup."""


FUNCTION: Final = TagForm("<function=", "<parameter=", ">", "</function>", ("</tool_call>",))
INVOKE: Final = TagForm('<invoke name="', '<parameter name="', '">', "</invoke>", ("</minimax:tool_call>",))
DSML: Final = TagForm(
    '<｜DSML｜invoke name="',
    '<｜DSML｜parameter name="',
    '">',
    "</｜DSML｜invoke>",
    ("</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"),
    "</｜DSML｜parameter>",
    is_lined=False,
)
"""DeepSeek since V3.2. Its parameters say `string="true"` behind their name; the schema knows better."""


class TagScan:
    """The inside of `<function=`: name, parameters, closing tag. `parameters` are texts; the schema types them.

    Exactly one newline at each side of a value is markup in most forms. A missing closing tag is understood where
    the next tag begins a line (or where the value had no lines of its own).
    """

    def __init__(self, form: TagForm) -> None:
        self._form = form
        self._state = "name"
        self._key = ""
        self._value: list[str] = []
        self._lined: bool | None = None
        self.name = ""
        self.parameters: dict[str, str] = {}
        self.done = False
        self.broken = False

    def feed(self, text: str, at: int) -> int:
        """Where it stopped; what is left may be the beginning of a tag and is to come again with more."""
        before = -1
        while at < len(text) and not self.done and not self.broken and at != before:
            before, state = at, self._state
            if state == "name":
                named = bool(self.name)
                at = self._read_name(text, at)
                if self.name and not named:
                    # Whoever asked may not want this function at all.
                    return at
            elif state == "between":
                at = self._between(text, at)
            else:
                at = self._in_value(text, at)
            if self._state != state:
                before = -1
        return at

    def json_at(self, text: str, at: int) -> int:
        """Where a JSON object takes the place of the parameters; -1: nowhere."""
        if self._state != "between" or self.parameters:
            return -1
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
        return at if text.startswith("{", at) else -1

    def _read_name(self, text: str, at: int) -> int:
        """The name of the function or, once that is known, of a parameter."""
        end = text.find(self._form.name_end, at, at + _MAX_NAME)
        read = text[at : end if end >= 0 else at + _MAX_NAME]
        if "\n" in read or "<" in read or (end < 0 and len(read) == _MAX_NAME):
            self.broken = True
            return at
        if end < 0:
            return at
        name = (read.partition('"')[0] if self._form is DSML else read).strip().strip("\"'")
        if not self.name:
            self.name, self._state = name, "between"
            self.broken = not name
        else:
            self._key, self._state, self._lined = name, "value", None
            self.broken = not name or name in self.parameters or len(self.parameters) >= MAX_PARAMETERS
        return end + len(self._form.name_end)

    def _between(self, text: str, at: int) -> int:
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
        for mark in (self._form.parameter, self._form.closer, *self._form.outers):
            if text.startswith(mark, at):
                if mark == self._form.parameter:
                    self._state = "name"
                    return at + len(mark)
                self.done = True
                # The outer tag is left to whoever opened it.
                return at + (len(mark) if mark == self._form.closer else 0)
            if mark.startswith(text[at : at + len(mark)]):
                return at
        self.broken = True
        return at

    def _in_value(self, text: str, at: int) -> int:
        if self._lined is None:
            if text.startswith("\r", at) and at + 1 == len(text):
                return at
            self._lined = text.startswith(("\n", "\r\n"), at)
        lead = "\n" if self._lined else ""
        form = self._form
        ends = (form.end_value, *(lead + mark for mark in (form.parameter, form.closer, *form.outers)))
        stop = min(len(text), at + _WINDOW)
        first = -1
        mark = ""
        for end in ends:
            place = text.find(end, at, stop)
            if place >= 0 and (first < 0 or place < first):
                first, mark, stop = place, end, min(len(text), place + max(map(len, ends)))
        if first < 0:
            keep = _held(text, at, stop, ends)
            self._value.append(text[at : stop - keep])
            return stop - keep
        # A tag that closes by being the next one stays to be read as such; its newline is markup.
        self._value.append(text[at : first + len(lead) if mark != form.end_value else first])
        self._close_value()
        return first + len(mark if mark == form.end_value else lead)

    def _close_value(self) -> None:
        value = "".join(self._value)
        self._value.clear()
        newlines = ("\r\n", "\n") if self._form.is_lined else ()
        for newline in newlines:
            if value.startswith(newline):
                value = value[len(newline) :]
                break
        for newline in newlines:
            if value.endswith(newline):
                value = value[: -len(newline)]
                break
        self.parameters[self._key] = value
        self._state = "between"

    def end(self, rest: str) -> None:
        """The message has ended, with `rest` held back. A last line that is whole makes its value whole."""
        if self._state == "value" and self._value:
            lines_end = rest.startswith(("\n", "\r\n")) or "".join(self._value)[1:].endswith("\n")
            if lines_end or rest.startswith("</"):
                self._value.append(rest if rest == "\n" else "")
                self._close_value()
                rest = ""
        # A tag of which only the beginning came closes as well as a whole one.
        rest_text = rest.strip()
        self.done = self._state == "between" and (not rest_text or rest_text.startswith("</"))
        self.broken = not self.done


class PairScan:
    """The inside of `<tool_call>` as GLM writes it: the name, then `<arg_key>k</arg_key><arg_value>v</arg_value>`…

    The interface is that of `TagScan`. Values are texts; the schema types them.
    """

    _KEY, _VALUE, _OUTER = "<arg_key>", "<arg_value>", "</tool_call>"
    _KEY_END, _VALUE_END = "</arg_key>", "</arg_value>"

    def __init__(self) -> None:
        self._key: str | None = None
        self._value: list[str] | None = None
        self.name = ""
        self.parameters: dict[str, str] = {}
        self.done = False
        self.broken = False

    @classmethod
    def begins(cls, text: str, at: int, *, at_end: bool) -> bool | None:
        """Whether a name and a key, or a name and the closing tag, stand here; None: more is needed to know."""
        look = text[at : at + _MAX_NAME + len(cls._OUTER)]
        size = next((n for n, char in enumerate(look) if not (char.isalnum() or char in "_-.:/")), len(look))
        if not 0 < size <= _MAX_NAME:
            return False
        rest = look[size:].lstrip()
        if rest.startswith((cls._KEY, cls._OUTER)):
            return True
        return None if not at_end and any(mark.startswith(rest) for mark in (cls._KEY, cls._OUTER)) else False

    def json_at(self, _text: str, _at: int) -> int:
        return -1

    def feed(self, text: str, at: int) -> int:
        """Where it stopped; what is left may be the beginning of a tag and is to come again with more."""
        before = -1
        while at < len(text) and not self.done and not self.broken and at != before:
            before = at
            if not self.name:
                return self._read_name(text, at)
            at = self._between(text, at) if self._value is None else self._in_value(text, at)
        return at

    def _read_name(self, text: str, at: int) -> int:
        end = text.find("<", at, at + _MAX_NAME + 8)
        if end < 0:
            self.broken = len(text) - at > _MAX_NAME + 8
            return at
        self.name = text[at:end].strip()
        return end

    def _between(self, text: str, at: int) -> int:
        """Before a key, before the value of one, or at the end."""
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
        wanted = (self._KEY, self._OUTER) if self._key is None else (self._VALUE,)
        for mark in wanted:
            if not text.startswith(mark, at):
                continue
            if mark == self._OUTER:
                self.done = True
                return at
            if mark == self._VALUE:
                self._value = []
                return at + len(mark)
            return self._read_key(text, at)
        self.broken = not any(mark.startswith(text[at : at + len(mark)]) for mark in wanted)
        return at

    def _read_key(self, text: str, at: int) -> int:
        begin = at + len(self._KEY)
        end = text.find(self._KEY_END, begin, begin + _MAX_NAME + len(self._KEY_END))
        if end < 0:
            self.broken = len(text) - begin > _MAX_NAME + len(self._KEY_END)
            return at
        self._key = text[begin:end].strip()
        self.broken = not self._key or self._key in self.parameters or len(self.parameters) >= MAX_PARAMETERS
        return end + len(self._KEY_END)

    def _in_value(self, text: str, at: int) -> int:
        assert self._value is not None, "in a value"
        assert self._key is not None, "a value has its key"
        stop = min(len(text), at + _WINDOW)
        end = text.find(self._VALUE_END, at, min(len(text), stop + len(self._VALUE_END)))
        if end < 0:
            stop -= _held(text, at, stop, (self._VALUE_END,)) if stop == len(text) else 0
            self._value.append(text[at:stop])
            return stop
        self._value.append(text[at:end])
        self.parameters[self._key] = "".join(self._value)
        self._key = self._value = None
        return end + len(self._VALUE_END)

    def end(self, rest: str) -> None:
        """The message has ended, with `rest` held back: whole if all values are."""
        rest_text = rest.strip()
        whole = bool(self.name) and self._key is None and self._value is None
        self.done = whole and (not rest_text or self._OUTER.startswith(rest_text))
        self.broken = not self.done


def _held(text: str, at: int, stop: int, marks: tuple[str, ...]) -> int:
    """How many characters before `stop` may be the beginning of a mark."""
    longest = max(map(len, marks)) - 1
    for size in range(min(longest, stop - at), 0, -1):
        tail = text[stop - size : stop]
        if any(mark.startswith(tail) for mark in marks):
            return size
    return 0
