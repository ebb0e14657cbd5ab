"""What counts as the answer (`loop_end.answer`) where it is copied and listed; and what a repeat paints."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from app.core.exchange.options import Include
from app.core.session.summary import SessionRow
from app.ui.cards.frame import CardFrame
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.tool import ToolCard
from tests.end2end.conftest import Driver, Open

LOOK = {"tool_calls": [{"name": "get_city_info", "arguments": {"city": "杭州"}}]}
ANSWER_ALONE = Include(reasoning=False, tools=False, results=False, cost=False)
TURNS: list[dict[str, Any]] = [
    {"content": "I look it up first.", **LOOK},
    {"content": "Once more, to be sure.", **LOOK},
    {"content": "Go to **Hangzhou**."},
]


def cards_on_screen(driver: Driver) -> list[str]:
    """Those of the work, each unfolded."""
    view = driver.desk.chat.list.widget(driver.last().id)
    assert isinstance(view, AssistantRowView)
    view.open_work()
    for call in view.findChildren(ToolCard):
        if not call.is_unfolded():
            call.toggle()
    return [card.accessibleName() for card in view.findChildren(CardFrame) if card.isVisible()]


async def only_session(driver: Driver, preview: str) -> SessionRow:
    await driver.until(lambda: [one.preview for one in driver.sessions()] == [preview], f"the preview {preview}")
    return driver.sessions()[0]


def copied(driver: Driver) -> str:
    view = driver.desk.chat.list.widget(driver.last().id)
    assert view is not None
    buttons: list[QAbstractButton] = view.bar.findChildren(QAbstractButton)
    QGuiApplication.clipboard().clear()
    QTest.mouseClick(
        next(one for one in buttons if one.accessibleName() == "Copy as Markdown"), Qt.MouseButton.LeftButton
    )
    return QGuiApplication.clipboard().text()


async def test_the_answer_is_what_is_copied_and_listed_and_a_repeat_paints_no_second_card(open_window: Open) -> None:
    driver = await open_window(*TURNS, agent="travel")
    await driver.asked("where to?")
    for _start in range(2):
        cards = cards_on_screen(driver)
        assert len(cards) == 1, cards
        assert copied(driver) == "Go to **Hangzhou**."
        assert "I look it up first." in driver.answers()[-1], "what was said before a call stays on the screen"
        listed = await only_session(driver, "Go to **Hangzhou**.")
        services = driver.services
        assert services is not None
        for format in ("md", "html"):
            page = (await services.transfer.export([listed.id], format)).data.decode()
            assert page.count("Arriving") == 1
            assert page.count("not run again") == 1
            alone = (await services.transfer.export([listed.id], format, ANSWER_ALONE)).data.decode()
            assert "Hangzhou" in alone
            assert [words for words in ("Arriving", "not run again", "I look it up first") if words in alone] == []
        await driver.closes()
        driver = await open_window(*TURNS, agent="travel", session=listed.id)
        await driver.until(driver.answers, "the stored answer")
