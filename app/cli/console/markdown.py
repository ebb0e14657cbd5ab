"""Markdown on a terminal, line by line as it streams: headings, lists, quotes, tables in columns, emphasis.

Works on single lines, so that a long answer costs as much per line as a short one. Code stays as it is.
"""

from __future__ import annotations

import re

from .style import Style, padded, width
from .wrap import Wrap, last_break

_BOLD = re.compile(r"\*\*([^*\n]{1,400})\*\*")
_CODE = re.compile(r"`([^`\n]{1,400})`")
_LINK = re.compile(r"\[([^\[\]\n]{1,400})\]\(([^\s()]{1,1000})\)")
_BULLET = re.compile(r"^( *)[-*+] (\[[ xX]\] )?")
_NUMBER = re.compile(r"^ *\d{1,3}[.)] ")
_RULE = re.compile(r"^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$")
_DIVIDER = re.compile(r"^[\s|:-]+$")
_OPENS = "*`["
"""Signs that may begin a mark: text from there on waits for the end of its line."""
_SPECIAL = "#>|-*+`~ \t0123456789"
_MOST_ROWS = 400


class TerminalMarkdown:
    """`feed` returns what can be printed by now, `finish` the rest."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._line = ""
        self._printed = 0
        """Characters of the present line that are on the screen."""
        self._wrap = Wrap(style.columns)
        self._fence = ""
        self._table: list[list[str]] = []

    def feed(self, text: str) -> str:
        out = []
        *lines, rest = text.split("\n")
        for line in lines:
            self._line += line
            out.append(self._whole_line())
        self._line += rest
        out.append(self._early())
        return "".join(out)

    def finish(self) -> str:
        last = self._whole_line().removesuffix("\n") if self._line else ""
        return last + self._end_table()

    # ------------------------------------------------------------ inner work

    def _early(self) -> str:
        """Of plain prose, what cannot change any more."""
        line = self._line
        if not line or self._fence or self._table or line[0] in _SPECIAL:
            return ""
        end = min((at for sign in _OPENS if (at := line.find(sign, self._printed)) >= 0), default=len(line))
        end = last_break(line, self._printed, end)
        if not self._printed:
            self._wrap = Wrap(self._style.columns)
        early, self._printed = line[self._printed : end], max(self._printed, end)
        return self._wrap.feed(early)

    def _whole_line(self) -> str:
        line, printed = self._line, self._printed
        self._line, self._printed = "", 0
        if printed:
            return self._wrap.feed(self._inline(line[printed:])) + "\n"
        before = ""
        stripped = line.strip()
        if stripped.startswith("|") and not self._fence and len(self._table) < _MOST_ROWS:
            if not _DIVIDER.match(stripped):
                self._table.append([cell.strip() for cell in stripped.strip("|").split("|")])
            return ""
        before = self._end_table()
        return before + self._styled(line, stripped) + "\n"

    def _styled(self, line: str, stripped: str) -> str:
        style = self._style
        if stripped.startswith(("```", "~~~")):
            self._fence = "" if self._fence and stripped.startswith(self._fence) else self._fence or stripped[:3]
            return style.paint(line, "dim")
        if self._fence:
            return line
        if stripped.startswith("#"):
            return style.paint(_unmarked(stripped.lstrip("#").strip()), "bold")
        if _RULE.match(line):
            return style.paint(style.mark("─") * 40, "dim")
        if stripped.startswith(">"):
            bar = style.paint(f"{style.mark('│')} ", "dim")
            lines = self._wrapped(self._inline(stripped.lstrip("> ")), style.columns - 2)
            return bar + lines.replace("\n", f"\n{bar}")
        if found := _BULLET.match(line):
            box = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}.get(found[2] or "", "")
            head = f"{found[1]}{style.mark('•')} {box}"
            return self._wrapped(head + self._inline(line[found.end() :]), style.columns, len(found[1]) + 2)
        hang = len(found[0]) if (found := _NUMBER.match(line)) else 0
        return self._wrapped(self._inline(line), style.columns, hang)

    def _wrapped(self, text: str, columns: int, hang: int = 0) -> str:
        return Wrap(columns, hang).feed(text)

    def _inline(self, text: str) -> str:
        paint = self._style.paint
        text = _LINK.sub(lambda m: m[1] if m[1] == m[2] else f"{m[1]} {paint(f'({m[2]})', 'dim')}", text)
        text = _BOLD.sub(lambda m: paint(m[1], "bold"), text)
        return _CODE.sub(lambda m: paint(m[1], "accent") if self._style.is_live else m[0], text)

    def _end_table(self) -> str:
        rows, self._table = self._table, []
        if not rows:
            return ""
        columns = max(map(len, rows))
        cells = [[_unmarked(cell) for cell in (*row, *[""] * (columns - len(row)))] for row in rows]
        widths = [max(width(row[n]) for row in cells) for n in range(columns)]
        lines = ["  ".join(padded(cell, widths[n]) for n, cell in enumerate(row)).rstrip() for row in cells]
        rule = self._style.paint(self._style.mark("─") * min(self._style.columns, sum(widths) + 2 * columns - 2), "dim")
        return "\n".join([self._style.paint(lines[0], "bold"), rule, *lines[1:]]) + "\n"


def _unmarked(text: str) -> str:
    return _CODE.sub(r"\1", _BOLD.sub(r"\1", _LINK.sub(r"\1", text)))
