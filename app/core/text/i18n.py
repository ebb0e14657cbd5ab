"""Texts in the user's language, for every floor; no Qt.

    _("Send")                            where a person reads it
    N_("Send")                           where it is only marked, to be looked up later
    ngettext("%d step", "%d steps", n)   counts

One catalogue per language lies in resources/i18n/<lang>.po and is read as it is, at the first
look-up: no compile step stands between a translator and the window. The sentences in the code
are English; a missing translation shows them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..resources import resource_dir

LANGUAGES = ("zh_CN", "en")
"""To add a language: put its .po file into resources/i18n and its code here."""

_language = ""
_catalogues: dict[str, dict[str, str]] = {}
"""By language, each read at its first look-up; a conversation may speak another one than the window."""


def N_(text: str) -> str:
    return text


def _(text: str) -> str:
    return _texts().get(text) or text


def said_in(language: str, text: str) -> str:
    """The text in the language of a conversation, whatever the window speaks. Mark it with N_ where it is written."""
    return _texts(language).get(text) or text


def ngettext(one: str, many: str, n: int) -> str:
    """The plural form for `n`; the caller fills in the number."""
    texts = _texts()
    if current_language() == "zh_CN":
        return texts.get(one) or (one if n == 1 else many)
    return one if n == 1 else many


def current_language() -> str:
    if not _language:
        set_language("")
    return _language


def set_language(language: str) -> str:
    """Choose by code; "" asks TRIPTYCH_LANG, then the system. Returns what was chosen."""
    global _language
    wanted = language or os.environ.get("TRIPTYCH_LANG", "") or _system_language()
    chosen = "zh_CN" if wanted.lower().replace("-", "_").startswith("zh") else "en"
    _language = chosen
    return chosen


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """For what a program reads: it says the same whatever the person reads."""
    before = current_language()
    set_language(language)
    try:
        yield
    finally:
        set_language(before)


def _system_language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        if value := os.environ.get(name):
            return value
    import locale

    return locale.getlocale()[0] or "en"


def _texts(language: str = "") -> dict[str, str]:
    language = language or current_language()
    if language not in _catalogues:
        path = resource_dir() / "i18n" / f"{language}.po"
        _catalogues[language] = read_po(path) if path.exists() else {}
    return _catalogues[language]


def read_po(path: Path) -> dict[str, str]:
    """Message → translation. Of a plural entry the first form counts; fuzzy entries do not."""
    texts: dict[str, str] = {}
    before, *entries = ("\n" + path.read_text(encoding="utf-8")).split("\nmsgid ")
    for entry in entries:
        source, _mark, rest = entry.partition("\nmsgstr")
        # English stands in the code: nearly every entry of its catalogue is empty.
        if not rest.startswith((' ""\n\n', '[0] ""\n')) and not _ends_fuzzy(before):
            target = rest.partition("\n#")[0].partition("\nmsgstr[")[0].removeprefix("[0]")
            texts[_unquoted(source.partition("\nmsgid_plural ")[0])] = _unquoted(target)
        before = rest
    texts.pop("", None)  # the catalogue's own head
    return {source: target for source, target in texts.items() if target}


def _ends_fuzzy(text: str) -> bool:
    """Whether the comments before an entry say that its translation is a guess."""
    return "fuzzy" in text and any(line.startswith("#,") and "fuzzy" in line for line in text.split("\n"))


def _unquoted(lines: str) -> str:
    """The text of one or more lines in quotes."""
    lines = lines.strip()
    if "\\" not in lines and "\n" not in lines:
        return lines[1:-1]
    from json import loads  # the escapes of a catalogue are JSON's, and this is five times quicker than `ast`

    return "".join(loads(line) for line in lines.split("\n"))
