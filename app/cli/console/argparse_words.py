"""The words of `argparse` in the user's language, and help texts that count Chinese characters as two columns.

`argparse` uses the `gettext` of the standard library, which reads other catalogues; here it gets our look-up. The
words are listed because they appear in no file of ours.
"""

from __future__ import annotations

import argparse
import unicodedata
from typing import Any

from app.core.text.i18n import N_, _, ngettext

WORDS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("subcommands"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("unrecognized arguments: %s"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("unexpected option string: %s"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid choice: %(value)r, maybe you meant %(suggestion)r? (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("can't open '%(filename)s': %(error)s"),
    N_("expected %s argument"),
    N_("expected %s arguments"),
)
"""What a person can meet; the others are for who writes a parser. As `argparse` of Python 3.11 to 3.14 has them."""


def translate_argparse() -> None:
    vars(argparse).update({"_": _, "ngettext": ngettext})


class Parser(argparse.ArgumentParser):
    """Sub-commands get one of the same class, and so the same help."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"formatter_class": Help, **options})


class Help(argparse.HelpFormatter):
    """Breaks lines by what they take on the screen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _lines(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(f"{indent}{line}" for line in _lines(text, width - len(indent)))


def _lines(text: str, width: int) -> list[str]:
    """Between words, and between any two Chinese characters but before closing punctuation."""
    lines, taken = [""], 0
    for piece in _pieces(" ".join(text.split())):
        needed = sum(map(_columns, piece))
        if taken and taken + needed > width and piece[0] not in _CLOSING:
            lines.append("")
            taken = 0
        lines[-1] += piece
        taken += needed
    return [line.strip() for line in lines]


_CLOSING = "，。；：！？、）】》”’…"


def _pieces(text: str) -> list[str]:
    """Words with the space before them, and Chinese characters one by one."""
    pieces: list[str] = []
    for place, char in enumerate(text):
        goes_on = place and char != " " and _columns(char) == 1 and _columns(text[place - 1]) == 1
        if goes_on:
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def _columns(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
