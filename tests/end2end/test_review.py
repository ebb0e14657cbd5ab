"""Many lines gone through by the keyboard in the window, confirmed at once, changed in place, taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.cards import CardFrame
from app.ui.cards.review.card import ReviewBody
from app.ui.cards.review.line_list import ReviewList

from .conftest import Driver, Open

PRODUCTS = """编号,名称,规格,单价,库存
1,弯头90°,DN50,4.40,9
2,弯头45°,DN50,4.50,9
3,直通,DN50,3.50,9
4,弯头90°,DN75,5,9
5,弯头45°,DN75,6,9
"""
LINES = 300


def inquiry() -> str:
    """Each third line says its angle, the others leave it open: by turns of 50 and of 75."""
    rows = [("弯头 DN50", "弯头 DN75", "直通 DN50")[n % 3] + f" ×{n % 9 + 1}" for n in range(LINES)]
    return "\n".join(rows)


def card(driver: Driver) -> CardFrame:
    every: list[CardFrame] = driver.desk.chat.list.findChildren(CardFrame)
    cards = [one for one in every if one.isVisible()]
    return next(one for one in cards if isinstance(one.body, ReviewBody))


def button(frame: CardFrame, id: str) -> Any:
    return frame.findChild(QWidget, f"cardAction.{id}")


async def test_300_lines_are_settled_by_a_few_keys_and_taken_back(open_window: Open, tmp_path: Path) -> None:
    products = tmp_path / "products.csv"
    products.write_text(PRODUCTS, "utf-8")
    quote = {"name": "run_quotation_fill", "arguments": {"text": inquiry(), "customer_level": "default"}}
    taken_in = {"name": "import_price_list", "arguments": {"path": str(products)}}
    driver = await open_window(
        {"tool_calls": [taken_in]}, {"tool_calls": [quote]}, {"content": "see the card"}, agent="quotation"
    )
    driver.chooses_mode("react")
    await driver.asked("quote this")
    await driver.until(lambda: driver.desk.chat.list.findChildren(ReviewBody), "the card")
    frame = card(driver)
    body = frame.body
    assert isinstance(body, ReviewBody)
    assert len(body.picks.lines) == LINES
    assert body.picks.open_count() == LINES * 2 // 3
    before = body.total.text()
    lines = body.list
    lines.setFocus()
    await driver.until(lambda: QApplication.focusWidget() is lines, "the keys to go to the lines")
    QTest.keyClick(lines, Qt.Key.Key_2)  # 弯头 DN50: the second choice, and with it all lines of these words
    assert body.picks.open_count() == LINES // 3
    QTest.keyClick(lines, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert body.picks.open_count() == LINES * 2 // 3
    QTest.keyClick(lines, Qt.Key.Key_Home)
    QTest.keyClick(lines, Qt.Key.Key_1)
    QTest.keyClick(lines, Qt.Key.Key_Right)
    QTest.keyClick(lines, Qt.Key.Key_Return)
    QTest.keyClick(lines, Qt.Key.Key_Space)
    assert body.picks.open_count() == 0
    assert body.values()["remember"] is True
    expected = body.after.text()
    QTest.mouseClick(button(frame, "save"), Qt.MouseButton.LeftButton)
    await driver.until(lambda: not driver.is_running() and button(card(driver), "undo"), "the card in its next version")
    confirmed = card(driver).body
    assert isinstance(confirmed, ReviewBody)
    assert confirmed.picks.open_count() == 0
    assert confirmed.total.text().split()[-1] in expected
    QTest.mouseClick(button(card(driver), "undo"), Qt.MouseButton.LeftButton)
    await driver.until(
        lambda: (
            not driver.is_running()
            and isinstance(body := card(driver).body, ReviewBody)
            and body.total.text() == before
        ),
        "the quotation as it was",
    )
    assert card(driver).findChild(ReviewList) is not None
