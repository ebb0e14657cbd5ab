"""A catalogue is read as translators' programs write it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from app.core.resources import resource_dir
from app.core.text.i18n import read_po

APP = Path(__file__).resolve().parents[2] / "app"

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


def test_every_text_that_is_marked_is_in_the_catalogues() -> None:
    """Inside an f-string, or inside another mark, the collector passes one over: it would stay English in silence."""
    known = {_text_of(entry) for entry in re.split(r"\n\n", (resource_dir() / "i18n" / "zh_CN.po").read_text("utf-8"))}
    missing = [
        f"{file.relative_to(APP)}: {text}"
        for file in APP.rglob("*.py")
        for text in _marked(ast.parse(file.read_text("utf-8")))
        if text not in known
    ]
    assert missing == []


def _marked(tree: ast.AST) -> list[str]:
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    marks = (call.args[0] for call in calls if getattr(call.func, "id", "") in ("_", "N_", "ngettext") and call.args)
    return [mark.value for mark in marks if isinstance(mark, ast.Constant) and isinstance(mark.value, str)]


def _text_of(entry: str) -> str:
    lines = entry.partition("\nmsgid ")[2].partition("\nmsg")[0]
    return "".join(str(ast.literal_eval(line)) for line in lines.splitlines() if line.startswith('"'))
