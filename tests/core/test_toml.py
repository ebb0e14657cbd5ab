"""TOML of strangers: whatever it is, it is read or refused, and neither takes long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.core.text.toml import read_toml
from app.services.settings.first_language import stored_language

REFUSED = {
    "many parts": "a.b.c." * 10_000 + "d = 1",
    "many parts with blanks": "a . b\t.\tc . " * 10_000 + "d = 1",
    "many quoted parts": "\"x y\".'z'." * 10_000 + "d = 1",
    "in a header": "[" + "a." * 10_000 + "b]",
    "in a list's header": "[[" + "a." * 10_000 + "b]]",
    "in a table on one line": "x = { " + "a." * 10_000 + "b = 1 }",
    "brackets": "a = " + "[" * 50_000,
    "braces": "a = " + "{ b = " * 20_000,
    "no TOML": "a = ",
}
READ: dict[str, Any] = {
    "dots that lead the eye": "Chapter " + "." * 300 + " 7",
    "many sentences": "It is so. " * 5_000,
    "one word": "x" * 900_000,
    "many quotes": "'" * 900_000,
    "a version": "1.2.3.4.5",
}


def test_what_cannot_be_read_in_time_is_refused() -> None:
    read = []
    for what, text in REFUSED.items():
        try:
            read_toml(text)
        except ValueError:
            continue
        read.append(what)
    assert read == []


def test_long_texts_are_read() -> None:
    for what, text in READ.items():
        assert read_toml(f'prompt = """{text}"""') == {"prompt": text}, what
    assert read_toml("a.b.c = 1") == {"a": {"b": {"c": 1}}}


def test_preferences_that_cannot_be_read_name_no_language(tmp_path: Path) -> None:
    for text in REFUSED.values():
        (tmp_path / "preferences.toml").write_text(text, "utf-8")
        assert stored_language(str(tmp_path)) == ""
