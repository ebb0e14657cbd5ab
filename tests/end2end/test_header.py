"""The header as a person uses it: menus, pop-ups, the title in place, and who answers next."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QWidget

from app.core.run.analysis.context_use import context_use
from app.services.providers.service import ProviderEntry
from app.ui.main_window.context_meter import ContextMeter
from app.ui.theme import Theme
from app.ui.widgets.selectors.choice_popup import ChoicePopup

from .conftest import Driver, Open


def entries(menu: QMenu) -> list[str]:
    return [action.text().partition("\t")[0] for action in menu.actions() if not action.isSeparator()]


def popup(kind: type[QWidget]) -> QWidget:
    found = QApplication.activePopupWidget()
    assert isinstance(found, kind), found
    return found


async def test_the_title_has_the_menu_of_the_session_and_is_renamed_in_place(open_window: Open) -> None:
    driver = await open_window()
    title = driver.window.header.title
    assert not title.isEnabled()
    await driver.asked("hello there")
    await driver.until(title.isEnabled, "a session to do something with")
    await driver.listed()

    QTest.mouseClick(title, Qt.MouseButton.LeftButton)
    menu = popup(QMenu)
    assert isinstance(menu, QMenu)
    names = entries(menu)
    assert len(names) <= 10
    assert {"Rename", "Pin", "Find in this session", "Export…", "Move to bin"} <= set(names)
    next(one for one in menu.actions() if one.text().startswith("Pin")).trigger()
    menu.close()
    await driver.until(lambda: [row.pinned for row in driver.sessions()] == [True], "pinned")

    driver.comes_forward()
    driver.goes_to_composer()
    for by_key in (False, True):
        if by_key:
            driver.press(Qt.Key.Key_F2)
        else:
            QTest.mouseDClick(title, Qt.MouseButton.LeftButton)
        field = driver.window.findChild(QLineEdit, "sessionTitleField")
        assert field is not None
        assert field.text() == title.full_text()
        QTest.keyClicks(field, " given up")
        QTest.keyClick(field, Qt.Key.Key_Escape)
        await driver.until(lambda: driver.window.findChild(QLineEdit, "sessionTitleField") is None, "the field gone")
    QTest.mouseDClick(title, Qt.MouseButton.LeftButton)
    field = driver.window.findChild(QLineEdit, "sessionTitleField")
    assert field is not None
    field.selectAll()
    QTest.keyClicks(field, "My errand")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["My errand"], "the new name")
    await driver.until(lambda: title.full_text() == "My errand", "the new name above")

    QTest.mouseClick(driver.window.header.menu_button, Qt.MouseButton.LeftButton)
    assert len(entries(driver.window.header.menu)) <= 10
    popup(QMenu).close()


async def test_a_model_is_found_by_typing_and_chosen_by_enter(open_window: Open) -> None:
    driver = await open_window(agent="travel")
    selector = driver.window.header.model
    QTest.mouseClick(selector, Qt.MouseButton.LeftButton)
    shown = popup(ChoicePopup)
    assert isinstance(shown, ChoicePopup)
    assert shown.search.hasFocus()
    gap = shown.geometry().top() - selector.mapToGlobal(QPoint(0, selector.height())).y()
    assert 4 <= gap <= 8  # a platform may put an edge of its own around a window
    QTest.keyClicks(shown.search, "no such model")
    assert [shown.list.item(n).text() for n in range(shown.list.count())] == ["Nothing found"]
    shown.search.clear()
    QTest.keyClicks(shown.search, "rules")
    QTest.keyClick(shown.search, Qt.Key.Key_Down)
    QTest.keyClick(shown.search, Qt.Key.Key_Return)
    await driver.until(lambda: selector.chosen_id() == "offline/rules", "the model")
    QTest.mouseClick(selector, Qt.MouseButton.LeftButton)
    QTest.keyClick(popup(ChoicePopup), Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


async def test_a_new_session_keeps_the_last_agent_and_the_bar_offers_one_that_can_answer(open_window: Open) -> None:
    driver = await open_window(agent="travel", model="")
    header = driver.window.header
    driver.command("new")
    assert header.agent.chosen_id() == "travel"
    driver.desk.conversation.choices.choose_agent("assistant")  # no rules, no model
    driver.ask("hello?")
    button = driver.window.findChild(QPushButton, "noticeAction")
    await driver.until(lambda: (button is not None and button.isVisible()) or driver.notice(), "the bar")
    button = driver.window.findChild(QPushButton, "noticeAction")
    assert button is not None
    assert "Travel planner" in button.text()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert header.agent.chosen_id() == "travel"
    assert driver.draft() == "hello?"
    driver.desk.conversation.choices.choose_agent("assistant")
    driver.command("new")
    assert header.agent.chosen_id() == "travel"  # the last one cannot answer


async def test_the_right_button_opens_a_menu_and_not_the_session(open_window: Open) -> None:
    driver = await open_window()
    await driver.asked("first")
    first = driver.session
    driver.command("new")
    await driver.asked("second")
    second = driver.session
    await driver.listed(2)
    listed, model = driver.window.sessions.list, driver.window.sessions.model
    place = listed.visualRect(model.index(model.lines.place_of(first))).center()
    QTest.mousePress(listed.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(listed.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    listed.customContextMenuRequested.emit(place)
    menu = popup(QMenu)
    assert isinstance(menu, QMenu)
    next(one for one in menu.actions() if one.text() == "Pin").trigger()
    menu.close()
    await driver.until(lambda: [row.id for row in driver.sessions() if row.pinned] == [first], "the one pointed at")
    assert driver.session == second


def test_the_context_is_shown_in_numbers_from_60_per_cent_and_warns_from_85(qtbot: object) -> None:
    meter = ContextMeter(Theme("light"))
    seen = []
    for used in (23_000, 24_000, 33_999, 34_000, 41_000):
        meter.set_figures(used, 40_000)
        seen.append((meter.isVisible() and meter.text(), meter.warns))
    meter.close()
    assert seen == [
        (False, False), ("24k / 40k", False), ("34k / 40k", False), ("34k / 40k", True), ("41k / 40k", True)
    ]  # fmt: skip


async def test_the_context_is_measured_against_what_its_limit_is_one_of(open_window: Open) -> None:
    """The descriptions of tools are no conversation; rules read all of it, so they have no limit."""
    driver = await open_window({"content": "yes"}, agent="travel")
    services, meter = driver.services, driver.window.header.meter
    profile = services.settings.profile("travel")
    system, tools = await services.chat.frame(profile, "react")
    frame = context_use(system, (), tools=tools).frame_chars
    await services.settings.save_profile(profile.model_copy(update={"context_limit": frame}))
    driver.chooses_mode("react")
    await driver.asked("is it so? " * (frame // 20))
    assert not meter.is_told, "half of it is filled"
    await driver.asked("is it so? " * (frame // 40))
    await driver.until(meter.isVisible, "three quarters of it are filled")
    models = services.models
    assert [models.shortened_above(profile, ref) for ref in ("offline/rules", "script/x.json", "")] == [0, 40_000, 0]


async def test_what_was_deleted_comes_back_by_ctrl_z_when_the_notice_has_gone(open_window: Open) -> None:
    driver = await open_window()
    await driver.asked("one")
    await driver.listed()
    driver.command("delete")
    await driver.listed(0)
    driver.window.notice.dismiss()
    driver.comes_forward()
    driver.type("half a thought")
    for _key in range(9):  # what was typed is undone first
        driver.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        if driver.sessions() or not driver.draft():
            break
    assert driver.draft() == ""
    driver.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["one"], "the session again")


async def test_how_long_a_model_thinks_is_chosen_beside_it_where_it_can_be_told(open_window: Open) -> None:
    driver = await open_window(model="")
    services, header = driver.services, driver.window.header
    assert services is not None
    assert not driver.window.findChildren(QWidget, "effortSelector"), "a script cannot be told"
    models = ("gpt-5", "gpt-5-chat")
    entry = ProviderEntry("oa", "openai", "OpenAI", "http://127.0.0.1:9/v1", needs_key=False, models=models)
    await services.providers.save_provider(entry)
    for model, is_shown in (("oa/gpt-5", True), ("oa/gpt-5-chat", False), ("oa/gpt-5", True)):
        header.model_chosen.emit(model)
        await driver.until(partial(is_seen, driver, is_shown), model)
    assert header.effort.currentText() == "Auto"
    QTest.mouseClick(header.effort, Qt.MouseButton.LeftButton)
    box = popup(ChoicePopup)
    QTest.keyClicks(QApplication.focusWidget() or box, "hi")
    QTest.keyClick(QApplication.focusWidget() or box, Qt.Key.Key_Return)
    agent = driver.desk.conversation.choices.agent
    await driver.until(lambda: services.settings.profile(agent).reasoning_effort == "high", "the profile")
    assert header.effort.currentText() == "High"


def is_seen(driver: Driver, wanted: bool) -> bool:
    return driver.window.header.effort.isVisible() is wanted
