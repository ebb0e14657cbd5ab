"""A language nobody has built in: its catalogue alone makes the window, the command line and the tools speak it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.__main__ import main
from app.core.resources import resource_dir
from app.core.text.i18n import current_language, languages, say_in, set_language
from tests.end2end.conftest import Open
from tests.end2end.test_language import speak

HEAD = 'msgid ""\nmsgstr ""\n"Language: xx\\n"\n"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);\\n"\n\n'


@pytest.fixture(autouse=True)
def scratch_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The resources as they are, and a catalogue `xx` in which every text stands between « and »."""
    real, scratch = resource_dir(), tmp_path / "bundle" / "resources"
    (scratch / "i18n").mkdir(parents=True)
    for path in real.iterdir():
        if path.name != "i18n":
            (scratch / path.name).symlink_to(path)
    for path in (real / "i18n").iterdir():
        (scratch / "i18n" / path.name).symlink_to(path)
    (scratch / "i18n" / "xx.po").write_text(HEAD + "\n\n".join(marked(real / "i18n" / "en.po")), encoding="utf-8")
    monkeypatch.setattr(sys, "_MEIPASS", str(scratch.parent), raising=False)
    yield
    monkeypatch.undo()
    set_language("en")


def marked(template: Path) -> Iterator[str]:
    for entry in template.read_text("utf-8").split("\n\n")[1:]:
        source = re.search(r"^msgid ((?:\".*\"\n?)+)", entry, re.MULTILINE)
        if source is None:
            continue
        lines = [json.loads(line) for line in source[1].splitlines()]
        text = json.dumps("«" + "".join(lines) + "»", ensure_ascii=False)
        many = "msgid_plural" in entry
        forms = [f'msgstr[{n}] {text[:-1]}{n}"' for n in range(3)] if many else [f"msgstr {text}"]
        plural = re.search(r"^msgid_plural (?:\".*\"\n?)+", entry, re.MULTILINE)
        yield "\n".join([f"msgid {source[1].rstrip()}", *([plural[0].rstrip()] if plural else []), *forms])


def test_the_command_line_and_its_tools_speak_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIPTYCH_LANG", "xx")
    assert "xx" in languages()
    pages: dict[str, str] = {}
    for call in (
        ["run", "nobody", "--agent", "nobody"],
        ["tools", "call", "calculate_budget", "--json", '{"city": "beijing", "days": 3, "adults": 2}'],
        ["tools", "call", "calculate_budget", "--json", '{"city": "beijing", "adults": 2}'],
        ["tools", "call", "calculator", "--json", '{"expression": "1/0"}'],
        ["sessions", "list"],
        ["run", "plan 3 days in Beijing for two people", "--agent", "travel", "--mode", "react"],
    ):
        main(call)
        shown = capsys.readouterr()
        pages[" ".join(call[:3]) + str(len(pages))] = shown.out + shown.err
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    pages["help"] = capsys.readouterr().out
    assert [name for name, page in pages.items() if "«" not in page] == []
    assert "«Lodging»" in pages["tools call calculate_budget1"]
    assert "«days: is missing»" in pages["tools call calculate_budget2"]
    assert "«a division by zero»" in pages["tools call calculator3"]
    answer = pages["run plan 3 days in Beijing for two people --agent5"]
    assert answer.strip().startswith("«"), "the offline rules answer in it too"
    assert "«understood:" in answer


def test_a_conversation_has_the_plural_forms_of_its_language() -> None:
    from app.core.text.i18n import count_in

    said = [count_in("xx", "book {n} day ahead", "book {n} days ahead", n) for n in (1, 2, 5)]
    assert said == ["«book 1 day ahead»0", "«book 2 day ahead»1", "«book 5 day ahead»2"]
    assert (say_in("xx_YY", "Lodging"), say_in("en", "Lodging"), say_in("zh", "Lodging")) == (
        "«Lodging»", "Lodging", "住宿",
    )  # fmt: skip


async def test_the_window_and_a_run_in_it_speak_it(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = await open_window(
        {"tool_calls": [{"name": "current_time", "arguments": {"zone": "Mars/Base"}}]},
        {"content": "There is no such zone."},
    )
    monkeypatch.delenv("TRIPTYCH_LANG")
    await speak(driver, "xx")
    assert current_language() == "xx"
    assert driver.desk.actions["settings"].text() == "«Settings»"
    buttons = [one.text() for one in driver.all_of(QAbstractButton) if one.text()]
    labels = [one.text() for one in driver.all_of(QLabel) if one.text()]
    assert sum("«" in text for text in (*buttons, *labels)) > 5, (buttons, labels)
    await driver.asked("what time is it on Mars?")
    services = driver.services
    assert services is not None
    (row,) = await services.sessions.rows()
    exported = await services.transfer.export([row.id], "json")
    assert "«there is no time zone" in exported.data.decode()
