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
from pathlib import Path

from .resources import resource_dir

LANGUAGES = ("zh_CN", "en")
"""To add a language: put its .po file into resources/i18n and its code here."""

_language = ""
_catalogue: dict[str, str] | None = None


def N_(text: str) -> str:
    return text


def _(text: str) -> str:
    return _texts().get(text) or text


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
    global _language, _catalogue
    wanted = language or os.environ.get("TRIPTYCH_LANG", "") or _system_language()
    chosen = "zh_CN" if wanted.lower().replace("-", "_").startswith("zh") else "en"
    if chosen != _language:
        _language, _catalogue = chosen, None
    return chosen


def _system_language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        if value := os.environ.get(name):
            return value
    import locale

    return locale.getlocale()[0] or "en"


def _texts() -> dict[str, str]:
    global _catalogue
    if _catalogue is None:
        path = resource_dir() / "i18n" / f"{current_language()}.po"
        _catalogue = read_po(path) if path.exists() else {}
    return _catalogue


def read_po(path: Path) -> dict[str, str]:
    """Message → translation. Of a plural entry the first form counts; fuzzy entries do not."""
    from json import loads  # the escapes of a catalogue are JSON's, and this is five times quicker than `ast`

    texts: dict[str, str] = {}
    fuzzy = False
    fields: dict[str, list[str]] = {}
    field = ""

    def close() -> None:
        nonlocal fuzzy
        source = "".join(fields.get("msgid", ()))
        target = "".join(fields.get("msgstr") or fields.get("msgstr[0]") or ())
        if source and target and not fuzzy:
            texts[source] = target
        fields.clear()
        fuzzy = False

    # English stands in the code: nearly every entry of its catalogue is empty and passed over unread.
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    told = "\n\n".join(block for block in blocks if not block.rstrip().endswith(('msgstr ""', '[0] ""', '[1] ""')))
    for line in told.splitlines():
        if line.startswith("#,") and "fuzzy" in line:
            fuzzy = True
        elif line.startswith('"') and field:
            fields[field].append(loads(line))
        elif line.startswith("msg"):
            field, _space, text = line.partition(" ")
            if field == "msgid" and "msgid" in fields:
                close()
            fields[field] = [loads(text)]
        elif not line.strip():
            close()
            field = ""
    close()
    return texts
