"""The commands in a block of shell text, as words. Nothing is expanded and nothing is run.

Lines that begin with no program we know are skipped: they are prose, or steps of an installation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

_PROMPTS: Final = ("$ ", "> ", "% ", "❯ ", "➜ ", "C:\\> ", "C:\\>", "PS> ")
_SETTING: Final = ("export ", "set ", "setx ")


@dataclass(frozen=True, slots=True)
class Command:
    words: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    """Assignments before it, on its own line or on earlier ones."""
    folder: str = ""
    """Where an earlier `cd` went."""
    fault: str = ""
    """`shell`: only a shell could run it; `quote`: a quotation mark is not closed."""


def commands_in(text: str, is_command: Callable[[Sequence[str]], bool]) -> list[Command]:
    """`is_command` is asked with the first words of a line."""
    found: list[Command] = []
    env: dict[str, str] = {}
    folder = ""
    reader = _Reader(text)
    while reader.next_line():
        words = reader.first_words()
        own, words = assignments(words)
        first = words[0] if words else ""
        if not first or not (is_command(words) or (own and reader.is_plain)):
            if first == "cd" and len(words) > 1:
                folder = words[1] if words[1] not in (".", "-") else folder
                reader.skip_command()
            elif (setting := reader.setting()) is not None:
                env |= setting
            else:
                reader.skip_line()
            continue
        for words, fault in reader.commands():
            own, rest = assignments(words)
            if not rest:
                env |= own
            elif rest[0] == "cd" and len(rest) > 1:
                folder = rest[1]
            elif rest[0] in ("export", "set") and len(rest) > 1:
                env |= assignments(rest[1:])[0]
            else:
                found.append(Command(tuple(rest), {**env, **own}, folder, fault))
    return found


def split_words(text: str) -> list[str]:
    """One command, as its words."""
    reader = _Reader(text)
    return [word for words, _fault in reader.commands() for word in words] if reader.next_line() else []


def assignments(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """`NAME=value` at the beginning, and the rest."""
    env: dict[str, str] = {}
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if not equals or not is_variable(name):
            return env, words[number:]
        env[name] = value
    return env, []


def is_variable(name: str) -> bool:
    return name.isascii() and name.replace("_", "a").isalnum() and not name[:1].isdigit()


class _Reader:
    """Forward through the text; a place is read twice at most, as the first words of a line and as its command."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._word = text, 0, 0
        self.is_plain = True

    def next_line(self) -> bool:
        """To the first sign of a line that has one, behind its prompt; comments are skipped."""
        text = self._text
        while True:
            while self._at < len(text) and text[self._at].isspace():
                self._at += 1
            for prompt in _PROMPTS:
                if text.startswith(prompt, self._at):
                    self._at += len(prompt)
            if text.startswith("PS ", self._at) and (end := text.find("> ", self._at, self._at + 120)) - self._at > 0:
                self._at = end + 2
            if not text.startswith("#", self._at):
                return self._at < len(text)
            self.skip_line()

    def first_words(self) -> list[str]:
        """Of this line, roughly: enough to know its program."""
        line = self._text[self._at : self._end_of_line()][:400]
        words = line.split()
        own, rest = assignments(words)
        self.is_plain = bool(own) and bool(rest)
        return words

    def setting(self) -> dict[str, str] | None:
        """`export A=b`, `set A=b`, `$env:A = "b"`; None for anything else. The line is passed."""
        line = self._text[self._at : self._end_of_line()].strip().rstrip(";")
        for word in _SETTING:
            if line.startswith(word) and "=" in line:
                self.skip_line()
                return assignments(split_words(line[len(word) :]))[0]
        if line.lower().startswith("$env:") and "=" in line:
            name, _equals, value = line[5:].partition("=")
            self.skip_line()
            return (
                {name.strip(): "".join(split_words(value.partition(";")[0])[:1])} if is_variable(name.strip()) else {}
            )
        return None

    def skip_line(self) -> None:
        self._at = self._end_of_line() + 1

    def _end_of_line(self) -> int:
        end = self._text.find("\n", self._at)
        return len(self._text) if end < 0 else end

    def skip_command(self) -> None:
        """Behind this command on its line, so that one behind `&&` is seen."""
        end = self._end_of_line()
        both = self._text.find("&&", self._at, end)
        self._at = end if both < 0 else both + 2

    def commands(self) -> Iterator[tuple[list[str], str]]:
        """Those of this line and of the lines it continues in: their words, and what is wrong."""
        while True:
            words, fault, goes_on = self._command()
            if words:
                yield words, fault
            if not goes_on:
                return

    def _command(self) -> tuple[list[str], str, bool]:
        """Words, fault, and whether another command follows on the line."""
        text, words, word, fault, begin = self._text, list[str](), None, "", self._at
        while self._at < len(text):
            sign = text[self._at]
            if sign == "\n" or (sign == "\r" and text[self._at + 1 : self._at + 2] == "\n"):
                if self._goes_on(words):
                    self._at += 1
                    words, word = ([*words, word], None) if word is not None else (words, None)
                    continue
                break
            if sign.isspace():
                words, word = ([*words, word], None) if word is not None else (words, None)
                self._at += 1
            elif sign in "\\^`" and (end := self._line_end(self._at + 1)):
                words, word = ([*words, word], None) if word is not None else (words, None)
                self._at = end
            elif sign == "#" and word is None:
                self._at = self._end_of_line()
                break
            elif sign in ";|&" or (sign in "<>" and not self._placeholder()):
                twice = text.startswith(sign * 2, self._at)
                self._at += 2 if twice else 1
                words = [*words, word] if word is not None else words
                if sign == ";" or (twice and sign == "&"):
                    return words, fault, True
                self.skip_line()
                return words, "shell", False
            else:
                self._word = self._at if word is None else self._word
                piece = self._piece()
                if piece is None:
                    fault, self._at = "quote", begin
                    self._at = self._end_of_line()
                    break
                word = (word or "") + piece
        return ([*words, word] if word is not None else words), fault, False

    def _piece(self) -> str | None:
        """A part of a word; None where a quotation mark is not closed."""
        text, sign = self._text, self._text[self._at]
        if sign in "'\"“”‘’":
            return self._quoted({"“": "”", "‘": "’"}.get(sign, sign))
        if sign == "`" and (close := text.find("`", self._at + 1, self._at + 120)) > 0:
            command, self._at = text[self._at + 1 : close], close + 1
            return f"$({command})"
        if sign == "<":
            end = self._placeholder()
        elif text.startswith(("$(", "${"), self._at):
            close = text.find(")" if text[self._at + 1] == "(" else "}", self._at, self._at + 200)
            end = close + 1 if close > 0 else self._at + 2
        elif sign == "\\" and self._at + 1 < len(text) and not self._in_windows_path():
            self._at += 2
            return text[self._at - 1]
        else:
            end = self._at + 1
        piece = text[self._at : end]
        self._at = end
        return piece

    def _quoted(self, closing: str) -> str | None:
        text, out = self._text, list[str]()
        self._at += 1
        if text.find(closing, self._at) < 0:
            return None
        while self._at < len(text):
            sign = text[self._at]
            self._at += 1
            if sign == closing:
                return "".join(out)
            follower = text[self._at : self._at + 1]
            is_escape = follower in ('"', "\\", "$", "`", "\n") if sign == "\\" else sign == "`" and follower == '"'
            if is_escape and closing == '"' and follower:
                out.append(text[self._at] if text[self._at] != "\n" else "")
                self._at += 1
            else:
                out.append(sign)
        return None

    def _placeholder(self) -> int:
        """The end of `<your key>` that begins here, 0 if there is none."""
        text, at = self._text, self._at
        if text[at] != "<" or not text[at + 1 : at + 2].isalpha():
            return 0
        end = text.find(">", at, at + 64)
        return 0 if end < 0 or "\n" in text[at:end] else end + 1

    def _line_end(self, at: int) -> int:
        """Behind the end of the line if nothing else is before it, else 0."""
        text = self._text
        while at < len(text) and text[at] in " \t\r":
            at += 1
        return at + 1 if at < len(text) and text[at] == "\n" else 0

    def _goes_on(self, words: list[str]) -> bool:
        """Rendered pages lose the sign at a line's end: a line that begins with an option belongs to the one before."""
        following = self._text[self._at + 1 : self._at + 200].lstrip(" \t\r")
        return bool(words) and following.startswith("-") and not following.startswith(("- ", "---"))

    def _in_windows_path(self) -> bool:
        """Whether the backslash here belongs to `C:\\…` or `.\\…`, which is no escape."""
        head = self._text[self._word : self._word + 4].lstrip("\"'=")
        return head[1:2] == ":" or head.startswith((".\\", "\\\\", "..\\"))
