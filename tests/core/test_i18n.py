"""A catalogue is read as translators' programs write it."""

from __future__ import annotations

from pathlib import Path

from app.core.text.i18n import read_po

CATALOGUE = r"""# Somebody, 2026
#, fuzzy
msgid ""
msgstr "Language: xx\n"

#: app/a.py
#, python-format, fuzzy
msgid "guessed"
msgstr "geraten"

msgid "several"
msgstr ""
"eins\n"
"zwei"

#~ msgid "gone"
#~ msgstr "weg"

#: app/b.py:7
msgid "%d step"
msgid_plural "%d steps"
msgstr[0] "%d Schritt"
msgstr[1] "%d Schritte"

#| msgid "older"
msgid ""
"long "
"er"
msgstr "sagt \"x\""

msgid "not yet"
msgstr ""
msgid "close behind"
msgstr "gleich danach"
"""


def test_entries_of_every_shape_are_read_and_guesses_are_not(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text(CATALOGUE, encoding="utf-8")
    assert read_po(path) == {
        "several": "eins\nzwei",
        "%d step": "%d Schritt",
        "long er": 'sagt "x"',
        "close behind": "gleich danach",
    }
