"""What one does with single messages: variants, edits, forks, deleting, thumbs, details, the queue, files."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QEnterEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QMenu, QPushButton, QWidget

from app.core.profile import Budget
from app.core.run.chat_model import ChatModel
from app.core.session.branches import Branch
from app.ui.chat.rows.items import AssistantRow, NotePart, ToolPart, UserRow, Variant
from app.ui.chat.rows.mode_chip import ModeChip
from app.ui.chat.rows.row_actions import Plain, RowAction
from app.ui.dialogs.approvals.text_sheet import TextSheet
from app.ui.dialogs.data.answer_details import AnswerDetails
from app.ui.main_window.session.bars.budget_card import BudgetCard
from app.ui.main_window.session.messages import Messages
from app.ui.widgets.attachment_chip import AttachmentChip
from app.ui.widgets.safe_text import SafeLabel
from tests.fakes import says, scripted

from .conftest import Driver, Open

SLOW: dict[str, Any] = {"chunks": [f"word{n} " for n in range(200)], "delay": 0.02}
SHORT: dict[str, Any] = {"chunks": [f"w{n} " for n in range(30)], "delay": 0.02}
CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


def click(parent: QWidget, name: str) -> None:
    button = next((one for one in parent.findChildren(QAbstractButton, name) if not one.isHidden()), None)
    assert button is not None, name
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def row_button(driver: Driver, row_id: str, label: str) -> QAbstractButton:
    view = driver.desk.chat.list.widget(row_id)
    assert view is not None
    middle = QPointF(view.rect().center())  # the small buttons are made when somebody points at the message
    QApplication.sendEvent(view, QEnterEvent(middle, middle, QPointF(view.mapToGlobal(middle.toPoint()))))
    buttons: list[QAbstractButton] = view.findChildren(QAbstractButton)
    return next(one for one in buttons if one.accessibleName() == label)


def act(driver: Driver, row_id: str, label: str) -> None:
    QTest.mouseClick(row_button(driver, row_id, label), Qt.MouseButton.LeftButton)


def last_question(driver: Driver) -> UserRow:
    return next(row for row in reversed(driver.rows()) if isinstance(row, UserRow))


def answer_with(driver: Driver, *texts: str) -> None:
    """One model for all runs: a script begins anew with each."""
    model = scripted(*(says(text) for text in texts))

    async def choose(*_args: Any, **_named: Any) -> ChatModel:
        return model

    driver.services.models.choose = choose  # type: ignore[method-assign]


async def two_answers(open_window: Open) -> Driver:
    driver = await open_window()
    answer_with(driver, "first", "second", "third", "fourth")
    driver.chooses_mode("direct")
    await driver.asked("one")
    await driver.settled()
    await driver.asked("two")
    await driver.settled()
    return driver


async def test_regenerate_makes_a_variant_and_the_arrows_go_between_them(open_window: Open) -> None:
    driver = await two_answers(open_window)
    act(driver, driver.last().id, "Regenerate")
    await driver.until(lambda: driver.answers() == ["first", "third"], "another answer")
    await driver.settled()
    await driver.until(lambda: driver.last().variant == Variant(2, 2), "the number of the variant")

    click(driver.desk.chat.list.widget(driver.last().id), "variantEarlier")
    await driver.until(lambda: driver.answers() == ["first", "second"], "the earlier variant")
    assert driver.last().variant == Variant(1, 2)
    click(driver.desk.chat.list.widget(driver.last().id), "variantLater")
    await driver.until(lambda: driver.answers() == ["first", "third"], "the later variant")


async def test_an_earlier_answer_can_be_asked_for_again(open_window: Open) -> None:
    driver = await two_answers(open_window)
    first = next(row for row in driver.rows() if isinstance(row, AssistantRow))
    act(driver, first.id, "Regenerate")
    await driver.until(lambda: driver.answers() == ["third"], "a new first answer")
    await driver.settled()
    assert driver.questions() == ["one"]
    await driver.until(lambda: driver.last().variant == Variant(2, 2), "its number")


async def test_an_earlier_answer_is_asked_for_again_before_the_newest_one_was_read_back(open_window: Open) -> None:
    """While the reads that follow an answer are slow, the one before it was taken for the last: the newest was lost."""
    driver = await open_window()
    answer_with(driver, "first", "second", "third")
    driver.chooses_mode("direct")
    await driver.asked("one")
    await driver.settled()
    before, line, read = driver.last().id, driver.services.sessions.line, asyncio.Event()

    async def slow(id: str) -> Branch:
        found: Branch = await line(id)
        if driver.last().id != before and len(found.messages) > 2:
            await read.wait()
        return found

    driver.services.sessions.line = slow  # type: ignore[method-assign]
    await driver.asked("two")
    act(driver, next(row for row in driver.rows() if isinstance(row, AssistantRow)).id, "Regenerate")
    for _turn in range(20):
        await asyncio.sleep(0)
    read.set()
    await driver.until(lambda: driver.answers() == ["third"], "a new first answer")
    assert driver.questions() == ["one"]


async def test_an_older_read_of_a_session_never_takes_the_place_of_a_newer_one(open_window: Open) -> None:
    driver = await two_answers(open_window)
    messages = driver.desk.conversation.messages
    line, newest = driver.services.sessions.line, messages.line
    began, goes_on = asyncio.Event(), asyncio.Event()

    async def late_once(id: str) -> Branch:
        driver.services.sessions.line = line  # type: ignore[method-assign]
        began.set()
        await goes_on.wait()
        shorter: Branch = replace(newest, messages=newest.messages[:2])
        return shorter

    driver.services.sessions.line = late_once  # type: ignore[method-assign]
    late = asyncio.ensure_future(messages.refresh())
    await began.wait()
    await messages.refresh()
    goes_on.set()
    await late
    assert [one.id for one in messages.line.messages] == [one.id for one in newest.messages]


async def test_an_edited_question_is_asked_again_and_the_old_one_is_a_variant(open_window: Open) -> None:
    driver = await two_answers(open_window)
    question = next(row for row in driver.rows() if isinstance(row, UserRow))
    act(driver, question.id, "Edit and send again")
    assert driver.draft() == "one"
    driver.window.composer.field.put("one, but better")
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: driver.questions() == ["one, but better"], "the new question")
    await driver.settled()
    assert driver.answers() == ["third"]
    assert driver.draft() == ""
    assert last_question(driver).variant == Variant(2, 2)
    click(driver.desk.chat.list.widget(last_question(driver).id), "variantEarlier")
    await driver.until(lambda: driver.questions() == ["one", "two"], "the old line")


async def test_fork_goes_on_in_a_new_session(open_window: Open) -> None:
    driver = await two_answers(open_window)
    before = driver.session
    first = next(row for row in driver.rows() if isinstance(row, AssistantRow))
    act(driver, first.id, "Go on from here in a new session")
    await driver.until(lambda: driver.session != before, "the new session")
    await driver.until(lambda: driver.answers() == ["first"], "its messages")
    await driver.until(lambda: len(driver.sessions()) == 2, "both sessions in the list")


async def test_a_thumb_a_deletion_and_an_edit_are_taken_back(open_window: Open) -> None:
    driver = await two_answers(open_window)

    def given() -> list[RowAction]:
        return [action.what for action in driver.last().actions if action.checked]

    act(driver, driver.last().id, "Good answer")
    await driver.until(lambda: given() == [Plain.GOOD], "the thumb")
    await driver.desk.conversation.reload()
    assert given() == [Plain.GOOD]
    act(driver, driver.last().id, "Good answer")
    await driver.until(lambda: given() == [], "no thumb")

    act(driver, driver.last().id, "Delete this message")
    await driver.until(lambda: driver.answers() == ["first"], "the message gone")
    click(driver.window.notice, "noticeAction")
    await driver.until(lambda: driver.answers() == ["first", "second"], "the message back")

    act(driver, last_question(driver).id, "Edit and send again")
    click(driver.window.composer, "cancelEdit")
    assert driver.draft() == "", "the edit was given up"
    await driver.asked("three")
    assert driver.questions() == ["one", "two", "three"]


async def test_a_thumb_given_before_the_answer_is_read_again_counts(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window({"content": "first"})
    read, may_read = Messages.read, asyncio.Event()

    async def later(self: Messages, session: str) -> Any:
        await may_read.wait()
        return await read(self, session)

    monkeypatch.setattr(Messages, "read", later)
    driver.ask("one")
    await driver.until(lambda: driver.answers() == ["first"] and not driver.is_running(), "the end of the run")
    act(driver, driver.last().id, "Good answer")
    may_read.set()
    await driver.until(lambda: any(one.checked for one in driver.last().actions), "the thumb")


async def test_auto_suggests_the_mode_that_was_rated_higher(open_window: Open) -> None:
    driver = await open_window({"content": "done"}, agent="assistant")
    driver.chooses_mode("direct")
    for number in range(3):
        await driver.asked(f"find the number {number}")
        await driver.settled()
        act(driver, driver.last().id, "Good answer")
        await driver.until(lambda: any(one.checked for one in driver.last().actions), "the thumb")
    driver.chooses_mode("auto")
    await driver.asked("find another number")
    await driver.settled()

    def notes() -> list[str]:
        return [part.text for part in driver.last().parts if isinstance(part, NotePart)]

    await driver.until(lambda: "You usually rate Direct higher for such questions." in notes(), "the suggestion")
    driver.command("forget_ratings")
    await driver.until(lambda: "You usually rate Direct higher for such questions." not in notes(), "it is forgotten")


async def test_the_badge_of_the_mode_asks_again_in_another_one(open_window: Open) -> None:
    driver = await two_answers(open_window)
    chip = driver.desk.chat.list.widget(driver.last().id).findChild(ModeChip)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    menu = chip.findChild(QMenu)
    assert [action.text() for action in menu.actions()] == ["Ask again in ReAct", "Ask again in Plan"]
    menu.actions()[0].trigger()
    menu.close()
    await driver.until(lambda: driver.answers() == ["first", "third"], "the answer in the other mode")
    assert driver.last().mode == "ReAct"


async def test_details_say_how_the_answer_came_about_and_its_settings_can_be_used_again(open_window: Open) -> None:
    driver = await two_answers(open_window)
    act(driver, driver.last().id, "Details of this answer")
    dialog = driver.window.findChild(AnswerDetails)
    assert dialog is not None
    told = dict(dialog._lines)
    assert (told["Mode"], told["Ended"], told["Agent"]) == ("Direct", "Answered", "assistant")
    assert json.loads(dialog._settings)["max_steps"] == 8
    click(dialog, "askAgainWithSettings")
    await driver.until(lambda: driver.answers() == ["first", "third"], "the question asked again")


# ---------------------------------------------------------------- the queue


async def test_what_is_sent_during_a_run_waits_and_goes_one_after_the_other(open_window: Open) -> None:
    driver = await open_window(SHORT)
    driver.chooses_mode("direct")
    driver.ask("one")
    await driver.until(driver.is_running, "a run")
    for text in ("two", "three", "four"):
        driver.ask(text)
    bar = driver.desk.conversation.queue.bar
    assert bar.texts() == ("two", "three", "four")
    assert bar.isVisible()
    click(bar, "queue_chevron-up_2")
    assert bar.texts() == ("two", "four", "three")
    click(bar, "queue_x_1")
    assert bar.texts() == ("two", "three")
    click(bar, "queue_pencil_1")
    assert driver.draft() == "three"
    driver.window.composer.field.put("drei")
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: driver.questions() == ["one", "two", "drei"], "all questions")
    await driver.done()
    assert bar.texts() == ()
    assert not bar.isVisible()


async def test_a_stopped_run_does_not_send_the_queue_which_survives_a_restart(open_window: Open) -> None:
    driver = await open_window(SLOW)
    driver.chooses_mode("direct")
    driver.ask("one")
    await driver.until(lambda: driver.answers() and driver.answers()[-1], "some text")
    driver.ask("two")
    driver.command("stop")
    await driver.done()
    assert driver.questions() == ["one"]
    await driver.closes()

    again = await open_window({"content": "second"}, agent="")
    bar = again.desk.conversation.queue.bar
    await again.until(lambda: bar.texts() == ("two",), "the queue")
    again.chooses_mode("direct")
    click(bar, "sendQueued")
    await again.until(lambda: again.questions() == ["one", "two"], "the question")
    await again.done()
    assert bar.texts() == ()


async def test_the_queue_of_a_session_one_has_left_is_sent_too(open_window: Open) -> None:
    driver = await open_window(SHORT)
    driver.chooses_mode("direct")
    driver.ask("one")
    await driver.until(driver.is_running, "a run")
    first = driver.session
    driver.ask("two")
    driver.command("new")
    services = driver.services
    assert services is not None
    asked: list[str] = []

    async def count() -> None:
        asked[:] = [one.text for one in await services.sessions.messages(first) if one.role == "user"]

    for _wait in range(600):
        await count()
        if asked == ["one", "two"]:
            break
        await asyncio.sleep(0.02)
    assert asked == ["one", "two"]
    await driver.until(lambda: first in services.chat.running_sessions(), "its run")


# ---------------------------------------------------------------- budget


async def budgeted(open_window: Open) -> Driver:
    driver = await open_window(CALL, CALL, CALL, {"content": "It is 42."})
    services = driver.services
    assert services is not None
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"budget": Budget(tool_calls=1)}))
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: driver.window.findChild(BudgetCard), "the card")
    return driver


async def test_a_used_up_budget_asks_and_can_be_raised(open_window: Open) -> None:
    driver = await budgeted(open_window)
    card = driver.window.findChild(BudgetCard)
    assert card is not None
    card.field.setText("1")
    card.raise_button.click()
    assert driver.window.findChild(BudgetCard) is card, "not more than it was: the card stays"
    card.field.setText("10")
    card.raise_button.click()
    await driver.until(card.isHidden, "the card gone")
    await driver.done()
    assert driver.answers()[-1].endswith("It is 42.")


@pytest.mark.parametrize("button", ["answer_button", "stop_button"])
async def test_a_used_up_budget_can_be_answered_or_stopped(open_window: Open, button: str) -> None:
    driver = await budgeted(open_window)
    pressed: QPushButton = getattr(driver.window.findChild(BudgetCard), button)
    QTest.mouseClick(pressed, Qt.MouseButton.LeftButton)
    await driver.done()
    assert ("Stopped by you" in driver.last().stop_reason) == (button == "stop_button")
    assert all(card.isHidden() for card in driver.window.findChildren(BudgetCard))


# ---------------------------------------------------------------- files


async def test_a_dropped_file_and_a_long_paste_go_with_the_message(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "read"})
    driver.chooses_mode("direct")
    path = tmp_path / "notes.txt"
    path.write_text("the secret is 7", encoding="utf-8")
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path)), QUrl("file://host/share/x.txt"), QUrl("https://x.test/y.txt")])
    driver.window.composer.field.insertFromMimeData(files)
    paste = QMimeData()
    paste.setText("long " * 2_000)
    paste.setHtml("<img src='file:///etc/passwd'>")
    driver.window.composer.field.insertFromMimeData(paste)
    chosen = driver.desk.conversation.files.chosen
    await driver.until(lambda: len(chosen()) == 2, "both attachments")
    assert {file.name for file in chosen()} == {"notes.txt", "Pasted text 1.txt"}
    assert driver.draft() == ""

    await driver.asked("what is the secret?")
    await driver.settled()
    assert {file.name for file in last_question(driver).attachments} == {"notes.txt", "Pasted text 1.txt"}
    assert chosen() == ()
    stored = driver.desk.conversation.messages.line.messages[0]
    assert any(getattr(part, "text", "") == "the secret is 7" for part in stored.parts)


# ---------------------------------------------------------------- steering, and what follows an answer

CALLS: dict[str, Any] = {**CALL, "delay": 0.5}


async def test_M14_a_waiting_message_sent_now_is_read_at_the_next_step(open_window: Open) -> None:
    driver = await open_window(CALLS, {"content": "in the other unit: 42"})
    driver.chooses_mode("react")
    driver.ask("6*7?")
    await driver.until(driver.is_running, "the run")
    driver.ask("use another unit")
    driver.ask("and thanks")
    bar = driver.desk.conversation.queue.bar
    assert bar.texts() == ("use another unit", "and thanks")
    click(bar, "queue_chevron-down_0")
    assert bar.texts() == ("and thanks", "use another unit")
    click(bar, "queue_send_1")
    assert "goes in at the next step" in [label.text() for label in bar.findChildren(QLabel)]
    await driver.until(lambda: bar.texts() == ("and thanks",), "it was read")
    await driver.until(lambda: len(driver.answers()) == 2, "the other one was sent after the answer")
    await driver.done()
    assert driver.questions() == ["6*7?", "and thanks"]
    notes = [part.text for row in driver.rows() if isinstance(row, AssistantRow) for part in row.parts
             if isinstance(part, NotePart)]  # fmt: skip
    assert "You: use another unit" in notes


async def test_M14_what_a_run_no_longer_reads_waits_on_and_is_sent_after_it(open_window: Open) -> None:
    driver = await open_window(SHORT)
    driver.chooses_mode("direct")
    driver.ask("talk")
    await driver.until(driver.is_running, "the run")
    driver.ask("more")
    bar = driver.desk.conversation.queue.bar
    click(bar, "queue_send_0")
    await driver.until(lambda: driver.questions() == ["talk", "more"], "it was sent as a question")
    await driver.done()


async def test_M08_a_finished_answer_gets_one_more_round_as_a_variant(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "42"})
    driver.chooses_mode("react")
    await driver.asked("6*7?")
    await driver.settled()
    act(driver, driver.last().id, "One more round")
    await driver.until(driver.is_running, "the further round")
    await driver.settled()
    await driver.until(lambda: driver.last().variant == Variant(2, 2), "the variant")
    assert driver.questions() == ["6*7?"]


async def test_M08_a_stopped_run_answers_from_what_it_had_found(open_window: Open) -> None:
    driver = await open_window(CALL, {"chunks": [f"w{n} " for n in range(300)], "delay": 0.02})
    driver.chooses_mode("react")
    driver.ask("6*7?")
    await driver.until(lambda: any("w5" in answer for answer in driver.answers()), "the text")
    driver.desk.conversation.run.stop()
    await driver.settled()
    assert driver.last().stop_reason == "Stopped by you; 1 result kept"
    answer_with(driver, "it is 42")
    act(driver, driver.last().id, "Answer now")
    await driver.until(lambda: driver.answers()[-1].endswith("it is 42"), "the answer")
    await driver.settled()
    calls = [part for part in driver.last().parts if isinstance(part, ToolPart)]
    assert [part.name for part in calls] == ["calculator"]
    assert driver.last().stop_reason == "Answered when you asked for it"


async def test_C04_a_pasted_picture_goes_along_with_a_preview(open_window: Open) -> None:
    driver = await open_window({"content": "seen"})
    driver.chooses_mode("direct")
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(0x2F62D9)
    mime = QMimeData()
    mime.setImageData(image)
    composer = driver.window.composer
    assert composer.field.canInsertFromMimeData(mime)
    composer.field.insertFromMimeData(mime)
    chosen = driver.desk.conversation.files.chosen
    await driver.until(chosen, "the picture")
    assert [(one.name, one.mime) for one in chosen()] == [("Picture 1.png", "image/png")]
    chip = composer.findChild(AttachmentChip)
    assert chip is not None
    await driver.until(lambda: chip._mark.pixmap().width() >= 40, "its small picture")
    QTest.keyClick(chip, Qt.Key.Key_Return)
    await driver.until(lambda: driver.window.findChild(QDialog, "pictureDialog"), "the picture by itself")
    dialog = driver.window.findChild(QDialog, "pictureDialog")
    assert dialog is not None
    dialog.close()
    await driver.asked("what is this?")
    assert chosen() == ()
    assert last_question(driver).attachments[0].name == "Picture 1.png"


async def test_C04_files_are_refused_looked_into_taken_away_and_dropped_anywhere(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    files = driver.desk.conversation.files
    binary = tmp_path / "picture.bin"
    binary.write_bytes(b"\x00\x01\x02")
    await files.add([str(binary)])
    assert "picture.bin" in driver.notice(), "what cannot be sent is refused with its name"
    assert files.chosen() == ()

    await files.add([str(tmp_path / "prices 2026.xlsx")])
    assert f'"{tmp_path / "prices 2026.xlsx"}"' in driver.draft(), "of a workbook the path goes into the message"
    assert files.chosen() == ()
    driver.window.composer.set_text("")

    path = tmp_path / "notes.txt"
    path.write_text("line one\nline two\n" * 50, encoding="utf-8")
    await files.add([str(path)])
    composer = driver.window.composer
    assert "token" in composer._estimate.full_text()
    chip = composer.findChild(AttachmentChip)
    assert chip is not None
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    sheet = driver.window.findChild(TextSheet)
    assert sheet is not None
    assert sheet.view.text().startswith("line one\nline two")
    sheet.close()
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    assert files.chosen() == ()

    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    copy, button, held = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(300, 200), copy, mime, button, held)
    QApplication.sendEvent(driver.window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(driver.window, QDropEvent(QPointF(300, 200), copy, mime, button, held))
    await driver.until(files.chosen, "the file that was dropped")


@pytest.mark.parametrize("press", ["Retry now", "Stop"])
async def test_N13_a_retry_that_waits_can_be_hurried_or_stopped(open_window: Open, press: str) -> None:
    driver = await open_window({"raise": "503"}, {"raise": "503"}, {"raise": "503"}, {"content": "yes"})
    driver.chooses_mode("direct")
    services = driver.services
    assert services is not None
    fallback = services.settings.preferences.model_copy(update={"direct_fallback": False})
    await services.settings.save_preferences(fallback)
    driver.ask("anybody?")

    def waits() -> bool:
        shown = [row for row in driver.rows() if isinstance(row, AssistantRow)]
        return bool(shown) and any(part.id == "retry" for part in shown[-1].parts)

    for _ in range(3 if press == "Retry now" else 1):
        await driver.until(waits, "the retry")
        view = driver.desk.chat.list.widget(driver.last().id)
        words = view.findChild(SafeLabel, "workWords").full_text()
        assert re.match(r"Trying again · in \d+ s · ", words), words
        button = next(one for one in view.findChildren(QPushButton) if one.text() == press)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await asyncio.sleep(0.05)
    await driver.done()
    assert not waits()
    assert driver.answers()[-1] == ("yes" if press == "Retry now" else "")


async def test_M02_the_words_auto_goes_by_are_the_persons_to_change(open_window: Open) -> None:
    driver = await open_window({"content": "bonjour"})
    settings = driver.services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"direct_words": "Translate, 翻译"}))
    await driver.asked("translate hello")
    assert driver.last().mode_reason == "Direct – matched: translate"


async def test_the_details_of_a_stopped_answer_invent_no_figures(open_window: Open) -> None:
    driver = await open_window({"chunks": ["word "] * 2_000, "delay": 0.05})
    driver.chooses_mode("direct")
    driver.ask("go on for long")
    await driver.until(lambda: driver.is_running() and driver.answers()[-1:] > [""], "the first words")
    driver.press(Qt.Key.Key_Escape)
    await driver.done()
    await driver.desk.conversation.messages.refresh()
    act(driver, driver.last().id, "Details of this answer")
    dialog = driver.window.findChild(AnswerDetails)
    assert dialog is not None
    told = dict(dialog._lines)
    assert told["Ended"] == "Stopped by you."
    assert "Tokens" not in told
    dialog.reject()


async def test_C02_after_a_fork_each_line_has_its_own_variants(open_window: Open) -> None:
    driver = await two_answers(open_window)
    before = driver.session
    act(driver, driver.last().id, "Go on from here in a new session")
    await driver.until(lambda: driver.session != before, "the new session")
    await driver.until(lambda: driver.answers() == ["first", "second"], "its messages")
    act(driver, driver.last().id, "Regenerate")
    await driver.until(lambda: driver.answers() == ["first", "third"], "another answer in the fork")
    await driver.settled()
    act(driver, last_question(driver).id, "Edit and send again")
    driver.window.composer.field.put("two, but better")
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: driver.questions() == ["one", "two, but better"], "the new question")
    await driver.settled()
    await driver.until(lambda: driver.answers() == ["first", "fourth"], "its answer")
    click(driver.desk.chat.list.widget(last_question(driver).id), "variantEarlier")
    await driver.until(lambda: driver.answers() == ["first", "third"], "the line before the edit, as it was left")
    assert driver.last().variant == Variant(2, 2)
    driver.desk.navigator.open(before)
    await driver.until(lambda: driver.answers() == ["first", "second"], "the session it was forked from")
    assert driver.last().variant is None
    assert last_question(driver).variant is None
