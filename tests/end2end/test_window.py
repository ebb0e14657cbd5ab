"""The window as a person meets it: ask, watch, stop, switch, come back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from app.services.data.sessions import SessionService
from app.ui.chat.rows.helpers import HelperView
from app.ui.chat.rows.items import NotePart, RoundPart, ToolPart
from app.ui.chat.rows.rounds.row import RoundRow
from app.ui.chat.rows.row_actions import AskAgainIn, Follow
from app.ui.chat.rows.tool import ToolCard
from app.ui.dialogs.approvals.try_card import TryCard
from app.ui.dialogs.data.compare_runs import CompareRunsDialog
from app.ui.main_window.palette.palette import Palette
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.selectors.choice_popup import ChoicePopup
from tests.ui import screen

from .conftest import Driver, Open

SLOW: dict[str, Any] = {"chunks": [f"word{n} " for n in range(200)], "delay": 0.02}
CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


async def test_a_question_is_answered_stored_and_listed(open_window: Open) -> None:
    driver = await open_window({"content": "Hello **you**."})
    driver.chooses_mode("direct")
    driver.type("hi there")
    driver.press(Qt.Key.Key_Return)
    await driver.until(driver.is_running, "a run")
    await driver.done()

    assert driver.questions() == ["hi there"]
    assert driver.answers() == ["Hello **you**."]
    assert driver.last().mode == "Direct"
    assert driver.last().stop_reason == "Answered"
    assert driver.draft() == ""
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["hi there"], "the session in the list")
    assert driver.title() == "hi there"


async def test_tool_calls_and_rounds_stand_in_the_chat(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "It is 42."})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    tools = [part for part in driver.last().parts if isinstance(part, ToolPart)]
    assert [(tool.name, tool.state) for tool in tools] == [("calculator", "done")]
    assert driver.answers()[-1].endswith("It is 42.")
    assert driver.state() == ""


async def test_R26_stop_keeps_what_had_arrived_and_says_so(open_window: Open) -> None:
    """By the button, by its key; and M09: the button says what a second press does."""
    driver = await open_window(SLOW)
    driver.chooses_mode("direct")
    driver.ask("tell me a lot")
    await driver.until(lambda: driver.answers() and "word1" in driver.answers()[-1], "some text")
    stop = driver.window.findChild(QAbstractButton, "stopButton")
    assert stop is not None
    assert stop.isVisible()
    stop.click()
    await driver.done()
    assert driver.last().stop_reason == "Stopped by you"
    assert "word1" in driver.answers()[-1]
    assert "word199" not in driver.answers()[-1]
    assert driver.window.composer.send_button.isVisible()

    driver.ask("again, please")
    await driver.until(lambda: len(driver.answers()) == 2 and driver.answers()[-1], "some text of the second answer")
    driver.command("stop")
    await driver.done()
    assert driver.last().stop_reason == "Stopped by you", "by its key"

    driver.ask("once more")
    await driver.until(driver.is_running, "the third run")
    button = driver.window.composer.stop_button
    assert button.accessibleName() == "Stop"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "press again to abandon" in driver.notice()
    assert button.accessibleName() == "Abandon"
    await driver.done()
    assert driver.last().stop_reason.startswith("Stopped by you")
    assert button.accessibleName() == "Stop"


async def test_R12_leaving_a_session_never_drops_its_answer(open_window: Open) -> None:
    driver = await open_window({"chunks": [f"w{n} " for n in range(40)], "delay": 0.02})
    driver.chooses_mode("direct")
    driver.ask("a long one")
    await driver.until(lambda: driver.answers() and driver.answers()[-1], "some text")
    first = driver.session
    driver.command("new")
    assert driver.rows() == []
    assert first in driver.services.chat.running_sessions()
    assert driver.window.composer.send_button.isVisible()

    await driver.desk.conversation.open(first)
    assert driver.is_running()
    await driver.done()
    assert driver.answers() == ["".join(f"w{n} " for n in range(40))]


async def test_a_session_opened_again_shows_what_was_seen_live(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "It is **42**.", "reasoning": "easy"})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    seen = driver.last()
    await driver.closes()

    again = await open_window(agent="")
    assert again.questions() == ["what is 6*7?"]
    stored = again.last()
    assert stored.parts == seen.parts
    assert (stored.agent, stored.mode, stored.stop_reason, stored.actions) == (
        seen.agent,
        seen.mode,
        seen.stop_reason,
        seen.actions,
    )


async def test_what_is_sent_before_anything_is_ready_is_kept_and_sent(open_window: Open) -> None:
    driver = await open_window({"content": "good morning"}, ready=False)
    driver.chooses_mode("direct")
    driver.type("early bird")
    driver.press(Qt.Key.Key_Return)
    assert driver.draft() == "early bird"
    await driver.ready()
    await driver.until(lambda: driver.answers() == ["good morning"], "the answer")
    assert driver.draft() == ""
    await driver.done()


@pytest.mark.parametrize("held", ["rows", "row"], ids=["before it is chosen", "while it is read"])
@pytest.mark.parametrize("sends", [True, False], ids=["sent", "typed"])
async def test_what_comes_while_the_first_session_opens_is_not_covered_by_it(
    held: str, sends: bool, open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window({"content": "good morning"})
    driver.chooses_mode("direct")
    await driver.asked("hi there")
    await driver.closes()

    reading, may_go_on = asyncio.Event(), asyncio.Event()
    read = getattr(SessionService, held)

    async def slowly(*args: Any, **kwargs: Any) -> Any:
        reading.set()
        await may_go_on.wait()
        return await read(*args, **kwargs)

    monkeypatch.setattr(SessionService, held, slowly)
    again = await open_window({"content": "good evening"}, agent="", ready=False)
    again.chooses_mode("direct")
    becoming_ready = asyncio.ensure_future(again.application.ready())
    await reading.wait()
    again.type("still there?")
    if sends:
        again.press(Qt.Key.Key_Return)
    may_go_on.set()
    await becoming_ready
    if sends:
        await again.until(lambda: again.answers()[-1:] == ["good evening"], "the answer")
        assert again.questions()[-1] == "still there?"
    else:
        assert again.draft() == "still there?"
    await again.done()


async def test_without_a_model_the_way_to_one_is_named_and_the_text_stays(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window(model="")
    assert driver.desk.welcome.page is not None, "a new person chooses on the first page"
    driver.ask("anybody there?")
    await driver.until(driver.notice, "a notice")
    assert "No model can answer yet." in driver.notice()
    assert driver.draft() == "anybody there?"
    assert driver.sessions() == []


async def test_an_error_of_the_provider_says_what_happened_and_what_to_do(open_window: Open) -> None:
    driver = await open_window({"raise": "401"})
    driver.chooses_mode("react")
    await driver.asked("hello")
    note = next(part for part in driver.last().parts if isinstance(part, NotePart) and part.level == "error")
    assert "did not accept the key" in note.text
    assert [action.what for action in note.actions] == [Follow("providers"), Follow("retry"), Follow("model")]
    card = driver.desk.chat.list.widget(driver.last().id)
    other = next(one for one in card.findChildren(QAbstractButton) if one.text() == "Use another model")
    screen.click(other)
    await driver.until(lambda: driver.all_of(ChoicePopup), "the list of models")


async def test_asking_again_in_another_mode_replaces_the_answer(open_window: Open) -> None:
    driver = await open_window({"content": "first"}, {"content": "second"})
    driver.chooses_mode("direct")
    await driver.asked("one question")
    assert AskAgainIn("react") in [action.what for action in driver.last().actions]
    driver.desk.chat.row_action.emit(driver.last().id, AskAgainIn("react"))
    await driver.until(lambda: driver.last().mode == "ReAct" and not driver.is_running(), "the second run")
    await driver.done()
    assert driver.questions() == ["one question"]
    assert driver.last().mode == "ReAct"
    assert len(driver.answers()) == 1


async def test_a_deleted_session_comes_back_by_undo(open_window: Open) -> None:
    driver = await open_window()
    driver.chooses_mode("direct")
    await driver.asked("keep me")
    await driver.until(lambda: len(driver.sessions()) == 1, "the session")
    driver.command("delete")
    await driver.until(lambda: not driver.sessions(), "the session gone")
    assert driver.rows() == []
    undo = driver.window.findChild(QAbstractButton, "noticeAction")
    assert undo is not None
    undo.click()
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["keep me"], "the session back")


async def test_R13_each_session_keeps_its_draft(open_window: Open) -> None:
    driver = await open_window()
    driver.chooses_mode("direct")
    await driver.asked("first")
    first = driver.session
    driver.type("a thought")
    driver.command("new")
    assert driver.draft() == ""
    driver.type("another")
    await driver.desk.conversation.open(first)
    assert driver.draft() == "a thought"
    await driver.closes()

    again = await open_window(agent="")
    assert again.draft() == "a thought"
    again.command("new")
    assert again.draft() == "another"


async def test_R36_what_still_reads_when_the_window_closes_ends_before_the_data_does(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window({"content": "good morning"})
    services = driver.services
    assert services is not None
    reading, closed, read, close = asyncio.Event(), asyncio.Event(), services.runs.rows, services.database.close

    async def slowly(*args: Any, **kwargs: Any) -> Any:
        reading.set()
        await closed.wait()
        return await read(*args, **kwargs)

    async def close_and_tell() -> None:
        await close()
        closed.set()
        await asyncio.sleep(0)

    monkeypatch.setattr(services.runs, "rows", slowly)
    monkeypatch.setattr(services.database, "close", close_and_tell)
    driver.chooses_mode("direct")
    await driver.asked("hi there")
    await reading.wait()
    await driver.closes()  # that nothing was logged as an error is asserted for every test


async def test_R36_closing_the_window_stops_the_run_and_stores_it(open_window: Open) -> None:
    driver = await open_window(SLOW)
    driver.chooses_mode("direct")
    driver.ask("tell me a lot")
    await driver.until(lambda: driver.answers() and "word1" in driver.answers()[-1], "some text")
    driver.window.close()
    await driver.until(lambda: driver.application._is_closed, "the goodbye")
    await driver.closes()
    await asyncio.sleep(0)

    again = await open_window(agent="")
    assert again.last().stop_reason == "Stopped by you"
    assert "word1" in again.answers()[-1]


async def test_every_control_can_be_named_and_found_and_f6_walks_through_the_panes(open_window: Open) -> None:
    driver = await open_window()
    names = (
        "mainWindow sessionList sessionSearch newSessionButton agentSelector modeSelector modelSelector composer "
        "sendButton stopButton chatView jumpToLatestButton reasoningPane reasoningToggle reasoningOutline statusBar "
        "contextMeter"
    ).split()
    found = {widget.objectName() for widget in driver.window.findChildren(QWidget)} | {driver.window.objectName()}
    assert set(names) <= found
    for button in driver.window.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.accessibleName() or button.text(), (button.objectName(), button.parent())

    driver.comes_forward()
    driver.goes_to_composer()
    seen = set()
    for _ in range(3):
        driver.command("pane")
        focus = driver.focused()
        assert focus is not None
        seen.add(focus.accessibleName() or focus.objectName())
    assert len(seen) == 3, "F6"


async def test_choices_of_agent_model_and_mode_stay_with_the_session(open_window: Open) -> None:
    driver = await open_window()
    driver.window.modes.cycle()
    await driver.asked("hello")
    first = driver.session
    header = driver.window.header
    travel = next(n for n in range(header.agent.count()) if header.agent.itemData(n) == "travel")
    header.agent.setCurrentIndex(travel)
    header.agent.activated.emit(travel)
    driver.command("mode")
    chosen = driver.mode()
    await driver.until(lambda: [row.agent for row in driver.sessions()] == ["travel"], "the agent stored")
    driver.command("new")
    assert header.agent.chosen_id() == "travel"
    await driver.desk.conversation.open(first)
    assert header.agent.chosen_id() == "travel"
    assert driver.mode() == chosen


def parts(driver: Driver, kind: type) -> list[Any]:
    return [part for part in driver.last().parts if isinstance(part, kind)]


async def test_reflection_rounds_are_lines_between_the_steps(open_window: Open) -> None:
    driver = await open_window(CALL, CALL, {"content": "It is 42."})
    assert driver.application.services is not None
    settings = driver.services.settings
    reflecting = {"enable_reflection": True, "max_reflection_iterations": 3}
    await settings.save_profile(settings.profile("assistant").model_copy(update=reflecting))
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    told = [(part.report.number, part.report.verdict) for part in parts(driver, RoundPart)]
    assert told == [(1, "more"), (2, "")], "the second call is the first again, so the answer is due"
    view = driver.desk.chat.list.widget(driver.last().id)
    view.open_work()
    rows = [row for row in view.findChildren(RoundRow) if row.isVisible()]
    screen.click(rows[0].line)
    assert rows[0].body is not None
    use = rows[0].body.use
    assert use.text().startswith("Use the answer of round 1")
    before = len(driver.desk.answers())
    await driver.until(lambda: screen.why_not(use) == "", "the button")
    screen.click(use)
    await driver.until(lambda: driver.last().variant is not None, "another variant of the answer")
    await driver.done()
    variant = driver.last().variant
    assert variant is not None
    assert (variant.count, len(driver.desk.answers())) == (2, before)
    assert driver.last().busy is False


async def test_every_dialog_opens_once_over_the_window_and_closes_with_it(open_window: Open) -> None:
    driver = await open_window()

    def shown(name: str) -> list[QWidget]:
        return [widget for widget in driver.window.findChildren(QWidget, name) if widget.isVisible()]

    for command, name in {
        "agents": "agentsPage", "providers": "providersPage", "settings": "settingsDialog", "keys": "keysPage",
    }.items():  # fmt: skip
        for _ in range(2):
            driver.command(command)
        await driver.until(lambda name=name: shown(name), command)  # type: ignore[misc]
        found = shown(name)
        assert len(found) == 1, command
        found[0].window().close()
        await driver.until(lambda name=name: not shown(name), f"{command} closed")  # type: ignore[misc]
        await asyncio.sleep(0.02)
        driver.command(command)
        again = shown(name)
        assert again, f"{command} opens again"
        again[0].window().close()
        await driver.until(lambda name=name: not shown(name), f"{command} closed again")  # type: ignore[misc]
        await asyncio.sleep(0.02)


async def test_the_palette_finds_commands_modes_agents_and_sessions(open_window: Open) -> None:
    driver = await open_window()
    driver.chooses_mode("direct")
    await driver.asked("the night train")
    await driver.until(driver.sessions, "the session")
    driver.command("new")

    def search(text: str) -> Palette:
        driver.command("palette")
        palette = driver.window.findChildren(QWidget, "commandPalette")[-1]
        assert isinstance(palette, Palette)
        QTest.keyClicks(palette.field, text)
        return palette

    palette = search("plan")
    assert palette.titles()[0] == "Plan"
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert driver.mode() == "plan"
    assert "Travel planner" in search("travel agent").titles()
    palette = search("night")
    QTest.keyClick(palette, Qt.Key.Key_Return)
    await driver.until(lambda: driver.questions() == ["the night train"], "the session open")


async def test_a_change_of_theme_and_zoom_reaches_every_pane_at_once(open_window: Open) -> None:
    driver = await open_window({"content": "# Title\n\n`code`"})
    driver.chooses_mode("direct")
    await driver.asked("hello")
    settings = driver.services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"theme": "dark"}))
    assert driver.window.theme.scheme == "dark"
    assert driver.desk.chat._tools.theme.scheme == "dark"
    driver.command("zoom_in")
    await driver.until(lambda: driver.window.theme.zoom == pytest.approx(1.1), "larger text")
    driver.command("zoom_in")
    driver.command("zoom_in")
    assert driver.window.theme.zoom == pytest.approx(1.3)
    await driver.until(lambda: settings.preferences.zoom == 130, "the zoom kept")
    assert driver.window.theme.zoom == pytest.approx(1.3)
    assert driver.answers() == ["# Title\n\n`code`"]


@pytest.mark.expects_log_errors("a fault is provoked")
async def test_R32_a_fault_in_a_task_is_told_quietly_and_the_window_goes_on(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window()
    driver.chooses_mode("direct")
    await driver.asked("first")
    first = driver.session
    driver.command("new")

    async def broken(id: str) -> None:
        raise ZeroDivisionError(id)

    with monkeypatch.context() as patch:
        patch.setattr(driver.services.sessions, "line", broken)
        driver.desk.navigator.open(first)
        await driver.until(lambda: "ZeroDivisionError" in driver.notice(), "the notice")
    driver.desk.navigator.open(first)
    await driver.until(lambda: driver.questions() == ["first"], "the session after all")


async def test_answer_now_ends_the_tools_and_answers(open_window: Open) -> None:
    slow = {**CALL, "delay": 1.0}
    driver = await open_window(slow, {"content": "Enough: 42."})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: shown_button(driver, "answerNowButton"), "the button")
    button = shown_button(driver, "answerNowButton")
    assert button is not None
    QTest.keyClick(button, Qt.Key.Key_Space)
    await driver.until(lambda: not shown_button(driver, "answerNowButton"), "it was heard")
    await driver.done()
    assert driver.last().stop_reason == "Answered when you asked for it"
    assert shown_button(driver, "answerNowButton") is None


async def test_M08_one_more_round_is_offered_while_the_run_reflects(open_window: Open) -> None:
    more = {"content": "not yet", "tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}
    again = {**more, "tool_calls": [{"name": "calculator", "arguments": {"expression": "2+2"}}], "delay": 1.0}
    third = {**more, "tool_calls": [{"name": "calculator", "arguments": {"expression": "3+3"}}]}
    driver = await open_window(more, again, third, {"content": "nothing is missing now"})
    settings = driver.services.settings
    changed = {"enable_reflection": True, "max_reflection_iterations": 2}
    await settings.save_profile(settings.profile("assistant").model_copy(update=changed))
    driver.chooses_mode("react")
    driver.ask("add up")
    await driver.until(lambda: shown_button(driver, "oneMoreRoundButton"), "the button")
    button = shown_button(driver, "oneMoreRoundButton")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "further reflection round" in driver.notice()
    await driver.done()
    rounds = [entry.number for entry in driver.desk.reasoning.outline.entries() if hasattr(entry, "number")]
    assert rounds == [1, 2, 3]


def shown_button(driver: Driver, name: str) -> QAbstractButton | None:
    found: list[QAbstractButton] = driver.window.findChildren(QAbstractButton, name)
    return next((one for one in found if one.isVisible()), None)


async def test_a_session_that_is_gone_is_told_and_the_window_opens_all_the_same(open_window: Open) -> None:
    driver = await open_window(session="no-such-session")
    assert "no-such-session" in driver.notice()
    driver.chooses_mode("direct")
    await driver.asked("still here?")
    assert driver.answers() == ["yes"]


async def test_an_agent_that_is_gone_gives_way_to_the_default_one(open_window: Open) -> None:
    driver = await open_window(agent="no-such-agent")
    assert driver.window.header.agent.chosen_id() == "assistant"
    driver.chooses_mode("direct")
    await driver.asked("still here?")
    assert driver.answers() == ["yes"]


async def test_R12_switching_to_and_fro_during_parallel_runs_loses_nothing(open_window: Open) -> None:
    text = "".join(f"w{n} " for n in range(60))
    driver = await open_window({"chunks": [f"w{n} " for n in range(60)], "delay": 0.01})
    ids = []
    for number in range(3):
        driver.command("new")
        driver.chooses_mode("direct")
        driver.ask(f"question {number}")
        await driver.until(driver.is_running, "a run")
        ids.append(driver.session)
    for turn in range(30):
        await driver.desk.conversation.open(ids[turn % 3])
    await driver.services.chat.recorded()
    for number, id in enumerate(ids):
        await driver.desk.conversation.open(id)
        await driver.until(lambda: not driver.is_running(), "the end")
        assert driver.questions() == [f"question {number}"]
        assert driver.answers() == [text]
    assert driver.services.chat.running_sessions() == set()


async def test_M01_the_tip_of_a_mode_tells_own_figures_after_five_runs(open_window: Open) -> None:
    driver = await open_window({"content": "yes"})
    driver.chooses_mode("direct")

    def tip() -> str:
        button = driver.window.modes.findChildren(QAbstractButton)[1]
        return button.accessibleDescription()

    for n in range(4):
        await driver.asked(f"question {n}")
    assert "Usually under 3 s" in tip()
    await driver.asked("question 5")
    await driver.until(lambda: "Your last 5 runs" in tip(), "the own figures")
    assert "One answer, no tools" in tip()


async def test_the_clock_of_a_run_one_comes_back_to_goes_on_from_its_beginning(open_window: Open) -> None:
    driver = await open_window({"chunks": ["word "] * 2_000, "delay": 0.05})
    driver.chooses_mode("direct")
    driver.ask("go on for long")
    await driver.until(lambda: driver.is_running() and driver.answers()[-1:] > [""], "the first words")
    session, handle = driver.session, driver.desk.conversation.run.handle
    driver.command("new")
    await driver.until(lambda: handle.seconds > 1, "a second")
    passed = handle.seconds
    driver.desk.navigator.open(session)
    await driver.until(lambda: driver.is_running() and driver.answers()[-1:] > [""], "the run again")
    assert driver.window.status._before >= passed
    driver.press(Qt.Key.Key_Escape)
    await driver.done()


async def test_in_a_narrow_window_panes_slide_over_the_chat_and_a_chosen_session_puts_its_list_away(
    open_window: Open,
) -> None:
    driver = await open_window({"content": "yes"})
    await driver.asked("first question")
    driver.resize(420, 700)
    window = driver.window
    await driver.until(lambda: not window.panes.is_open("left"), "the panes folded")
    for side in ("right", "left"):
        driver.desk.actions[side].trigger()
        assert window.panes.is_open(side)
        assert window.width() == 420
        driver.desk.actions[side].trigger()
        assert not window.panes.is_open(side)
    screen.click(window.header.left_toggle)
    listed = window.sessions.list
    await driver.until(lambda: screen.why_not(listed.viewport()) == "", "the list over the chat")
    model = listed.model()
    rows = [model.index(n, 0) for n in range(model.rowCount())]
    row = next(one for one in rows if one.data(Qt.ItemDataRole.DisplayRole) == "first question")
    screen.click(listed.viewport(), listed.visualRect(row).center())
    await driver.until(lambda: not window.panes.is_open("left"), "the list put away")
    for width in (800, 420):
        window.resize(width, 700)
        driver.window.status.set_state("waiting for your approval, and for longer than that")
        title = window.header.title
        await driver.until(lambda: title.width() >= title.minimumSizeHint().width() >= 40, "its first words")  # noqa: B023  awaited here


async def test_M20_what_a_question_is_likely_to_take_stands_beside_send_after_five_runs(open_window: Open) -> None:
    driver = await open_window({"content": "yes", "usage": {"input": 900, "output": 100}})
    driver.chooses_mode("direct")
    driver.type("is it so?")
    await driver.until(lambda: any("token" in one.text() for one in driver.window.composer.findChildren(SafeLabel)), "")
    label = next(one for one in driver.window.composer.findChildren(SafeLabel) if "token" in one.text())
    assert label.text() == "≈ 2 tokens", "the message alone, while too few runs tell more"
    for _each in range(5):
        await driver.asked("is it so?")
    driver.type("is it so?")
    await driver.until(lambda: label.text().startswith("≈ 1,000 tokens · "), "the figures")
    assert "Middle of the last 5 runs" in label.accessibleDescription()
    assert "This message: ≈ 2 tokens" in label.accessibleDescription()
    driver.window.composer.set_text("")
    assert label.text() == ""


async def test_M22_a_helper_opens_in_the_row_of_its_call_with_its_steps_and_its_cost(open_window: Open) -> None:
    # Each run plays the script from its beginning: the helper has no helpers, so its first call fails.
    hand = {"tool_calls": [{"name": "task", "arguments": {"agent": "helper", "prompt": "6*7?"}}]}
    driver = await open_window(hand, CALL, {"content": "It is 42."})
    assert driver.application.services is not None
    settings = driver.services.settings
    mine = settings.profile("assistant").model_copy(update={"enable_reflection": False})
    await settings.save_profile(mine.model_copy(update={"id": "helper", "name": {"en": "Calculating helper"}}))
    await settings.save_profile(mine.model_copy(update={"subagents": ("helper",)}))
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    session = driver.session
    for again in range(2):
        if again:
            driver.desk.conversation.new()
            await driver.desk.conversation.open(session)
        view = driver.desk.chat.list.widget(driver.last().id)
        view.open_work()
        card = next(one for one in view.findChildren(ToolCard) if one.part.name == "task" and one.isVisible())
        screen.click(card._header)
        await driver.until(lambda card=card: card.findChildren(HelperView), "the steps of the helper")  # type: ignore[misc]
        helper = card.findChildren(HelperView)[0]
        told = [label.text() for label in helper.findChildren(SafeLabel) if label.text()]
        assert told[0] == "Calculating helper"
        assert {"Ask another agent", "Calculate"} <= set(told)
        assert helper.cost.text().startswith("2 look-ups · ")


async def test_M21_try_from_a_call_with_other_arguments_and_see_both_runs_side_by_side(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "done"})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    await driver.desk.conversation.messages.refresh()
    view = driver.desk.chat.list.widget(driver.last().id)
    view.open_work()
    row = next(one for one in view.findChildren(ToolCard) if one.isVisible())
    screen.click(row._header)
    link = next(one for one in row.findChildren(QPushButton) if one.text() == "Try from here…")
    await driver.until(lambda: screen.why_not(link) == "", "the link")
    screen.click(link)
    await driver.until(lambda: driver.window.findChild(TryCard) is not None, "the card")
    card = driver.window.findChild(TryCard)
    assert card is not None
    field = card.form.control("expression")
    await driver.until(field.hasFocus, "the argument")
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, "5*5")
    await driver.until(lambda: screen.why_not(card.go) == "", "the button")
    screen.click(card.go)
    await driver.until(lambda: driver.window.findChild(CompareRunsDialog) is not None, "the compare view")
    dialog = driver.window.findChild(CompareRunsDialog)
    assert dialog is not None
    await driver.until(lambda: dialog.moves.rowCount() > 0, "the moves")
    told = ["".join(item.text() for n in range(dialog.moves.rowCount()) if (item := dialog.moves.item(n, side)))
            for side in (0, 1)]  # fmt: skip
    assert "6*7" in told[0]
    assert "5*5" in told[1]
    variant = driver.last().variant
    assert variant is not None
    assert variant.count == 2
    dialog.close()
