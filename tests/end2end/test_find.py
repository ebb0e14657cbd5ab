"""Ctrl+F: counted in all rows, seen or not; highlighted in those in sight; walked with Enter."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.run.events import LoopEnd, LoopStart, ToolCalled, ToolReturned
from app.core.run.messages import Call, Message, Text, user_message
from app.ui.chat.rows.tool import ToolCard
from app.ui.dialogs.data.search_all import SearchDialog
from app.ui.render.parts.plain import PlainBlock
from app.ui.render.parts.text_view import TextView
from app.ui.widgets.safe_text import SafeLabel

from .conftest import Driver, Open


async def long_session(open_window: Open) -> Driver:
    driver = await open_window()
    sessions = driver.services.sessions
    row = await sessions.create("assistant")
    for number in range(60):
        await sessions.add(row.id, user_message(f"q{number}", f"question {number}", created=1.0))
        text = "The needle, 针在这里." if number in (3, 40) else "Only **hay** here.\n\n" + "more hay " * 40
        await sessions.add(row.id, Message(f"a{number}", "assistant", (Text(text),), 1.0, f"q{number}"))
    await driver.desk.conversation.open(row.id)
    return driver


def marks(driver: Driver) -> int:
    views = [view for row in driver.desk.chat.list.realised().values() for view in row.findChildren(TextView)]
    return sum(len(view.extraSelections()) for view in views)


async def test_hits_are_counted_in_rows_that_were_never_in_sight_and_walked(open_window: Open) -> None:
    driver = await long_session(open_window)
    driver.command("find")
    bar = driver.desk.find
    assert bar.isVisible()
    QTest.keyClicks(bar.field, "NEEDLE")
    await driver.until(lambda: bar.hits() == 2, "both hits")
    assert bar.count.full_text() == "2/2"
    assert "a40" in driver.desk.chat.list.realised()
    assert marks(driver) == 1
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.full_text() == "1/2"
    assert "a3" in driver.desk.chat.list.realised()
    await driver.until(lambda: marks(driver) == 1, "the mark")
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.full_text() == "2/2"
    bar.field.setText("针在")
    await driver.until(lambda: bar.count.full_text() == "2/2" and marks(driver) == 1, "Chinese")
    bar.field.setText("nowhere")
    await driver.until(lambda: bar.count.full_text() == "Nothing found", "nothing")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert marks(driver) == 0


async def test_the_bar_goes_with_its_session(open_window: Open) -> None:
    driver = await long_session(open_window)
    driver.command("find")
    driver.command("new")
    assert not driver.desk.find.isVisible()


async def test_all_sessions_are_searched_and_a_hit_opens_where_it_is(open_window: Open) -> None:
    driver = await long_session(open_window)
    long = driver.session
    driver.command("new")
    driver.command("search_all")
    dialog = driver.window.findChild(SearchDialog)
    assert dialog is not None
    QTest.keyClicks(dialog.field, "needle")
    await driver.until(lambda: dialog.list.count() == 2, "both places")
    dialog.grab()
    dialog.agent.set_chosen("travel")
    dialog.agent.chosen.emit("travel")
    await driver.until(lambda: dialog.list.count() == 0, "none with this agent")
    assert dialog.told.full_text() == "Nothing found"
    dialog.agent.set_chosen("")
    dialog.agent.chosen.emit("")
    await driver.until(lambda: dialog.list.count() == 2, "both places again")
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    await driver.until(lambda: driver.desk.conversation.row and driver.session == long, "the session")
    await driver.until(lambda: driver.desk.find.hits() == 2, "the words marked in it")
    assert "a3" in driver.desk.chat.list.realised()


async def test_what_tools_gave_and_cards_say_is_found_and_shown(open_window: Open) -> None:
    driver = await open_window()
    sessions = driver.services.sessions
    row = await sessions.create("assistant")
    await sessions.add(row.id, user_message("q", "question", created=1.0))
    display = {"card": "key_values", "payload": {"items": [{"label": "Treasure", "value": "buried"}]}}
    text = "line\n" * 30 + "the Lantern is here"
    result = ToolReturned(1, "c", "look", True, "ok", "done", text, len(text), len(text), False, 5, display=display)
    call = Call(ToolCalled(1, "c", "look", {"place": "attic"}, "native"), started=True, result=result)
    start = LoopStart("assistant", "react", "m", "question")
    parts = (Text("Before the call.", 1), call, Text("A **bold word** after it.", 2))
    answer = Message("a", "assistant", parts, 1.0, "q", start=start, end=LoopEnd("x", "answered"))
    await sessions.add(row.id, answer)
    await driver.desk.conversation.open(row.id)
    driver.command("find")
    bar, chat = driver.desk.find, driver.desk.chat

    QTest.keyClicks(bar.field, "lantern")
    await driver.until(lambda: bar.hits() == 1, "in the result")
    card = chat.list.realised()["a"].findChild(ToolCard)
    assert card is not None
    assert card.is_unfolded()
    shown = [view for view in card.findChildren(PlainBlock) if view.extraSelections()]
    assert len(shown) == 1
    assert shown[0].verticalScrollBar().value() > 0

    bar.field.setText("treasure")

    def marked() -> list[str]:
        labels = chat.list.realised()["a"].findChildren(SafeLabel)
        return [label.full_text() for label in labels if label.property("found")]

    await driver.until(lambda: bar.hits() == 1 and marked() == ["Treasure"], "in the card")

    bar.field.setText("bold word")
    await driver.until(lambda: bar.hits() == 1 and marks(driver) == 1, "over the marks of Markdown")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert marked() == []
