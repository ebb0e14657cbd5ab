"""A draft as the checks read it: normalised character by character, so that every position is one of the draft itself.

Full-width brackets, digits and punctuation become their ASCII forms. Code is blanked; a Markdown fence around the
whole report, or one that never closes, is not code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_FOLD = str.maketrans(
    "０１２３４５６７８９［］【】〔〕〖〗：（）．，；＃－–—‐‑−～〜\u00a0\u3000\u200b\u2009\u202f\ufeff\t",
    "0123456789[][][][]:().,;#-------- " + " " * 6,
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ ]*([^`]{0,80})$")
_SEEN_THROUGH = ("markdown", "md", "text", "txt", "report")


@dataclass(frozen=True, slots=True)
class DraftLine:
    at: int
    text: str
    """Folded, without its line end."""
    is_code: bool = False

    @property
    def end(self) -> int:
        return self.at + len(self.text)


class Draft:
    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = text.translate(_FOLD)

    @cached_property
    def lines(self) -> list[DraftLine]:
        raw = self._raw_lines()
        code = _code_lines([line.text for line in raw])
        return [DraftLine(line.at, line.text, is_code) for line, is_code in zip(raw, code, strict=True)]

    def _raw_lines(self) -> list[DraftLine]:
        lines, at = [], 0
        for text in self.folded.split("\n"):
            lines.append(DraftLine(at, text.removesuffix("\r")))
            at += len(text) + 1
        return lines

    def blanked(self, spans: list[tuple[int, int]]) -> str:
        """The folded text with code, inline code and these spans as spaces."""
        gone = sorted([*spans, *((line.at, line.end) for line in self.lines if line.is_code)])
        pieces, at = [], 0
        for begin, end in gone:
            if end <= at:
                continue
            first = max(begin, at)
            pieces += [self.folded[at:first], _spaces(self.folded[first:end])]
            at = end
        pieces.append(self.folded[at:])
        return _INLINE_CODE.sub(lambda found: _spaces(found.group()), "".join(pieces))

    def line_number(self, at: int) -> int:
        """Counted from 1."""
        from bisect import bisect_right

        return bisect_right(self._starts, at)

    @cached_property
    def _starts(self) -> list[int]:
        return [line.at for line in self.lines]


_FORMULA = re.compile(r"\$(?![\s\d^])([^$\n]{1,300})(?<!\s)\$(?!\d)|\$\$([^$]{1,2000})\$\$")


def without_formulas(text: str) -> str:
    """TeX between dollars as spaces: what stands in brackets there is an index. `$^{[1]}$` stays, it is a reference."""

    def blank(found: re.Match[str]) -> str:
        inner = found.group(1) or found.group(2)
        return _spaces(found.group()) if any(sign in inner for sign in "\\^_={") else found.group()

    return _FORMULA.sub(blank, text) if "$" in text else text


_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")


def _spaces(text: str) -> str:
    return "".join("\n" if char == "\n" else " " for char in text)


def _code_lines(lines: list[str]) -> list[bool]:
    is_code = [False] * len(lines)
    opened, mark, shows = -1, "", False
    for number, line in enumerate(lines):
        match = _FENCE.match(line) if line.lstrip()[:3] in ("```", "~~~") else None
        if match is None:
            continue
        if opened < 0:
            opened, mark, shows = number, match.group(1), match.group(2).strip().lower() in _SEEN_THROUGH
        elif match.group(1)[0] == mark[0] and len(match.group(1)) >= len(mark) and not match.group(2).strip():
            first, last = (opened, opened) if shows else (opened, number)
            is_code[first : last + 1] = [True] * (last + 1 - first)
            is_code[number] = True
            opened = -1
    return is_code
