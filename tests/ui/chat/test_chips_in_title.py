"""What was understood stands in the title of the answer card, and below the work line where there is none."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.run.understood import UnderstoodSlot
from app.ui.chat.rows.items import AssistantRow, CardPart, TextPart
from app.ui.chat.rows.row_actions import CorrectSlot
from app.ui.chat.rows.understood_chips import Chip, ChipRow
from app.ui.chat.view import ChatView
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

SLOTS = tuple(UnderstoodSlot(name, name, 1, str(n) * 14, "said") for n, name in enumerate(("city", "days", "budget")))
CARD = {
    "card": "table",
    "role": "answer",
    "payload": {"title": "Three days", "aside": "2 adults", "columns": ["a"], "rows": [["1"]]},
}


def is_below(chips: ChipRow) -> bool:
    """The title they stand in, rather than beside it."""
    line: QWidget = chips.parent()  # type: ignore[assignment]
    title = next(one for one in line.findChildren(SafeLabel) if one.full_text() == "Three days")
    return chips.y() > title.geometry().bottom()


def test_chips_stand_in_the_title_and_come_out_of_it_again(qtbot: QtBot) -> None:
    view = ChatView(Theme())
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    row = AssistantRow("a", "Travel", parts=(TextPart("t", "words"), CardPart("card-1", CARD)), understood=SLOTS)
    view.set_rows([row])

    def chips() -> ChipRow:
        (found,) = (one for one in view.findChildren(ChipRow) if one.isVisible())
        return found

    card = view.list.widget("a").part_widget("card-1")  # type: ignore[union-attr]
    assert card.isAncestorOf(chips())
    assert not is_below(chips())
    view.resize(chips().width() + 100, 500)  # less than the chips, the title and the margins take
    qtbot.waitUntil(lambda: chips().width() > 0 and is_below(chips()), timeout=10_000)
    view.resize(360, 500)
    qtbot.waitUntil(lambda: any(chip.isHidden() for chip in chips().chips), timeout=10_000)
    more = chips().findChild(QPushButton, "moreChips")
    assert more is not None
    assert more.isVisible()
    assert chips().height() == more.height(), "one line"
    shown = [chip for chip in chips().chips if not chip.isHidden()]
    assert more.text() == f"+{len(SLOTS) - len(shown)}"
    more.click()
    assert not any(chip.isHidden() for chip in chips().chips)
    said: list[object] = []
    view.row_action.connect(lambda _row, action: said.append(action))
    chip = chips().findChildren(Chip)[1]
    chip.click()
    assert chip.field is not None
    chip.field.setText("4")
    chip.field.returnPressed.emit()
    assert said == [CorrectSlot("days", "4")]

    view.update_row("a", parts=(TextPart("t", "words"),))
    assert chips().parent() is view.list.widget("a"), "the card has gone, they have not"
    view.replace_row(replace(row, understood=SLOTS[:1]))
    assert len(chips().chips) == 1
    assert view.list.widget("a").part_widget("card-1").isAncestorOf(chips())  # type: ignore[union-attr]
