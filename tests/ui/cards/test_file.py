"""The card of a file: what can be done with it, and what is never done."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.core.tools.card_markdown import card_markdown
from app.ui.cards import CardFrame, make_card
from app.ui.cards.file_card import FileCard, readable_path
from app.ui.theme import Theme
from tests.ui.screen import click


class Deeds:
    def __init__(self) -> None:
        self.done: list[tuple[str, str]] = []

    def open(self, path: Path) -> None:
        self.done.append(("open", path.name))

    def show(self, path: Path) -> None:
        self.done.append(("show", path.name))

    def save_as(self, path: Path) -> None:
        self.done.append(("save", path.name))


def shown(qtbot: QtBot, path: str, deeds: Deeds, width: int = 760) -> CardFrame:
    payload = {"name": Path(path).name, "path": path, "bytes": 6_200, "note": "14 events"}
    made = make_card({"card": "file", "payload": payload}, Theme(), files=deeds)
    assert made is not None
    qtbot.addWidget(made)
    made.resize(width, made.sizeHint().height())
    made.show()
    return made


def buttons(card: CardFrame) -> list[QAbstractButton]:
    return [one for one in card.findChildren(QAbstractButton) if one.isVisible()]


def test_a_file_is_opened_shown_and_saved_elsewhere_wide_and_narrow(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "Beijing 3 days.ics"
    file.write_bytes(b"BEGIN:VCALENDAR")
    for width in (760, 400):
        deeds = Deeds()
        card = shown(qtbot, str(file), deeds, width)
        body = card.findChild(FileCard)
        assert body is not None
        assert body.about.full_text() == f"Calendar · 14 events · 6.2 kB · {tmp_path.name}"
        assert [button.objectName() for button in buttons(card)] == ["openFile", "showFile", "saveFileAs"]
        for button in buttons(card):
            click(button)
        assert deeds.done == [("open", file.name), ("show", file.name), ("save", file.name)]
        assert card.height() <= 72


def test_a_file_that_is_gone_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    card = shown(qtbot, str(tmp_path / "gone.ics"), Deeds())
    body = card.findChild(FileCard)
    assert body is not None
    qtbot.waitUntil(lambda: body.about.full_text() == "The file was moved or deleted")
    assert not any(button.isEnabled() for button in buttons(card))


def test_what_could_run_is_not_opened_and_no_other_machine_is_asked(qtbot: QtBot, tmp_path: Path) -> None:
    wrong = []
    for name in ("run.sh", "run.exe", "run.desktop", "run.bat", "run.js", "run.lnk", "run", "run.ics.scr"):
        (tmp_path / name).write_text("x")
        card = shown(qtbot, str(tmp_path / name), Deeds())
        names = [button.objectName() for button in buttons(card)]
        if names != ["showFile", "saveFileAs"]:
            wrong.append((name, names))
    assert wrong == []
    for path in (r"\\server\share\a.ics", "//server/share/a.ics", "a.ics", "", "/x\0y.ics", None, 7):
        assert readable_path(path) is None, path
    card = shown(qtbot, "//server/share/a.ics", Deeds())
    assert buttons(card) == []


def test_a_file_card_is_written_with_its_place() -> None:
    text = card_markdown("file", {"name": "a.ics", "path": "/exports/a.ics"})
    assert text == "- **a.ics**: /exports/a.ics\n"
