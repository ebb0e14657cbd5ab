"""JSON as documentation has it: comments, commas too many, single quotes, bare keys, no outer braces."""

from __future__ import annotations

import json
from typing import Any, Final

from app.core.errors import BadInput

_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "”": "”", "‘": "’", "’": "’", "„": "“"}
_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_OPEN: Final = {"{": "}", "[": "]"}


def read_json(text: str) -> Any:
    """The value. Raises BadInput that names the line."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        # An older PowerShell wants each quotation mark three times.
        return json.loads(strict(text.replace('"""', '"')))
    except RecursionError as error:
        raise BadInput("this is no JSON: it is nested too deeply", reason="JSON_DEPTH") from error
    except ValueError as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        place = f" (line {line}, column {column})" if line else ""
        raise BadInput(
            f"this is no JSON{place}", hint="paste the whole block, from { to }", reason="PASTE_JSON", line=line or 1
        ) from error


def strict(text: str) -> str:
    """The text as strict JSON where that is plain, line by line as it was."""
    return _Scanner(text).scan()


class _Scanner:
    """One pass; every sign is looked at once."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._out = text, 0, list[str]()
        self._tail = "{"
        """The last sign that was written: commas are put where they belong, whatever the text has."""
        self._depth = 0

    def scan(self) -> str:
        text = self._text
        first = text.lstrip()[:1]
        bare = first not in ("{", "[", "/", "#")
        if bare:  # keys without the braces around them
            self._emit("{")
            self._depth = 1
        while self._at < len(text):
            if self._skip():
                continue
            sign = text[self._at]
            if sign in _QUOTES:
                self._value(self._string(_QUOTES[sign]))
            elif sign in "{[":
                self._depth += 1
                self._value(sign)
                self._at += 1
            elif sign in "}]":
                if bare and self._depth == 1:
                    break  # the end of what the braces left out
                self._depth -= 1
                self._emit(sign)
                self._at += 1
            elif sign == ",":
                self._at += 1
            elif sign == ":":
                self._emit(sign)
                self._at += 1
            else:
                self._value(self._word())
        if bare:
            self._emit("}")
        return "".join(self._out)

    def _skip(self) -> bool:
        text, at = self._text, self._at
        if text[at].isspace() or text[at] in "\ufeff\u200b":
            if text[at] == "\n":
                self._emit("\n")
            self._at += 1
            return True
        if text.startswith("//", at) or text[at] == "#":
            end = text.find("\n", at)
            self._at = len(text) if end < 0 else end
            return True
        if text.startswith("/*", at):
            end = text.find("*/", at + 2)
            self._emit("\n" * text.count("\n", at, end if end >= 0 else len(text)))
            self._at = len(text) if end < 0 else end + 2
            return True
        if text.startswith("...", at) or text[at] == "…":
            self._at += 1 if text[at] == "…" else 3
            return True
        return False

    def _value(self, written: str) -> None:
        if self._tail not in "{[:":
            self._emit(",")
        self._emit(written)

    def _emit(self, written: str) -> None:
        if written:
            self._out.append(written)
            self._tail = written[-1] if written.strip() else self._tail

    def _string(self, closing: str) -> str:
        text, out = self._text, ['"']
        self._at += 1
        while self._at < len(text):
            sign = text[self._at]
            self._at += 1
            if sign == "\\" and self._at < len(text):
                follower = text[self._at]
                self._at += 1
                out.append(follower if follower == "'" else sign + follower)
            elif sign == closing:
                out.append('"')
                return "".join(out)
            elif sign == '"':
                out.append('\\"')
            else:
                out.append(sign)
        return "".join(out)  # not closed: the JSON reader says where

    def _word(self) -> str:
        text, start = self._text, self._at
        while self._at < len(text) and (text[self._at].isalnum() or text[self._at] in "_-+.$@/\\"):
            self._at += 1
        word = text[start : self._at]
        if not word:
            self._at += 1
            return text[start]
        rest = self._at
        while rest < len(text) and text[rest] in " \t":
            rest += 1
        if text[rest : rest + 1] == ":":
            return json.dumps(word)
        return _WORDS.get(word, word)
