"""When a run needs the person: approvals, plans, questions. And what stays literal."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from app.ui.chat.rows.items import PlanCardPart
from app.ui.dialogs import ApprovalCard
from app.ui.widgets.spinner import Spinner

from .conftest import Driver, Open

CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


async def change(driver: Driver, agent: str = "assistant", **fields: Any) -> None:
    settings = driver.services.settings
    await settings.save_profile(settings.profile(agent).model_copy(update=fields))


def deny(card: ApprovalCard) -> None:
    """Without a reason."""
    card.deny.click()
    card.refusal.send.click()


def card_of(driver: Driver) -> ApprovalCard | None:
    return driver.window.findChild(ApprovalCard, "approvalCard")


async def test_a_tool_that_asks_waits_for_the_card_above_the_composer(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "It is 42."})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: card_of(driver), "the approval card")
    card = card_of(driver)
    assert card is not None
    assert driver.state().startswith("Waiting for your approval")
    line = driver.desk.chat.list.widget(driver.last().id).findChild(QAbstractButton, "workLine")
    assert driver.last().waits
    # The mark of work is deleted by the loop: what waits does not look as if it ran.
    await driver.until(lambda: not line.findChildren(Spinner), "a still mark")
    await driver.until(card.allow_once.isEnabled, "the card to listen")
    card.allow_once.click()
    await driver.done()
    assert driver.answers()[-1].endswith("It is 42.")
    await driver.until(lambda: card_of(driver) is None, "the card to go")


async def test_a_denied_call_is_told_to_the_model_and_shown(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "Then I cannot say."})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: card_of(driver), "the approval card")
    card = card_of(driver)
    assert card is not None
    await driver.until(card.deny.isEnabled, "the card to listen")
    deny(card)
    await driver.done()
    assert [getattr(part, "state", "") for part in driver.last().parts if hasattr(part, "summary")] == ["skipped"]


async def test_stopping_while_a_card_waits_takes_the_card_away(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "never"})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: card_of(driver), "the approval card")
    driver.command("stop")
    await driver.done()
    await driver.until(lambda: card_of(driver) is None, "the card to go")
    assert driver.last().stop_reason.startswith("Stopped by you")


async def test_a_card_comes_back_with_its_session(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "It is 42."})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: card_of(driver), "the approval card")
    first = driver.session
    driver.command("new")
    await driver.until(lambda: card_of(driver) is None, "no card in another session")
    await driver.desk.conversation.open(first)
    await driver.until(lambda: card_of(driver), "the card again")
    driver.command("stop")
    await driver.done()


async def test_arguments_changed_on_the_card_are_what_runs_and_always_with_a_pattern_asks_no_more(
    open_window: Open,
) -> None:
    driver = await open_window(CALL, {"content": "It is 7."}, CALL, {"content": "It is 42."})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: (card := card_of(driver)) and card.allow_once.isEnabled(), "the card")
    card = card_of(driver)
    assert card is not None
    card.details.edit.click()
    assert card.details.form is not None
    field = card.details.form.control("expression")
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    field.setProperty("text" if isinstance(field, QLineEdit) else "plainText", "3+4")
    await driver.until(card.always.isEnabled, "the changed arguments to be seen to their end")
    card.always.trigger()
    card.always_row.pattern.setText("*")
    card.always_row.accept.click()
    await driver.done()
    grants = driver.services.grants
    await driver.until(grants.grants, "the grant")
    grant = grants.grants()[0]
    assert (grant.agent, grant.tool, grant.pattern) == ("assistant", "calculator", "*")
    result = driver.desk.reasoning.outline.text()
    assert "7" in result
    assert "expression: 6*7" in result
    await driver.asked("and again?")
    assert card_of(driver) is None or card_of(driver).isHidden()  # type: ignore[union-attr]


async def test_a_plan_waits_in_the_chat_until_it_is_run(open_window: Open) -> None:
    plan = {
        "goal": "multiply",
        "steps": [
            {"step": 1, "action": "calculator", "params": {"expression": "6*7"}, "description": "count", "needs": []}
        ],
    }
    driver = await open_window({"content": json.dumps(plan)}, {"content": "It is 42."})
    await change(driver, plan_review="always")
    driver.chooses_mode("plan")
    driver.ask("work out 6*7")
    run = driver.desk.chat.findChild(QAbstractButton, "planRunButton")
    assert run is not None
    await driver.until(lambda: run.isVisible() and run.isEnabled(), "the plan to wait")
    assert driver.state().startswith("Waiting for your approval")
    run.click()
    await driver.done()
    assert driver.answers()[-1].endswith("It is 42.")
    plan_part = next(part for part in driver.last().parts if isinstance(part, PlanCardPart))
    assert plan_part.steps[0].state == "done"


async def test_T05_texts_of_profiles_models_and_tools_stay_literal(open_window: Open) -> None:
    evil = "<b>X</b><img src='file:///etc/hostname'>"
    driver = await open_window({"content": f"{evil}"}, model=None)
    await change(
        driver,
        name={"en": evil, "zh": evil},
        description={"en": evil, "zh": evil},
        examples={"en": (evil,), "zh": (evil,)},
    )
    await asyncio.sleep(0)
    example = driver.window.findChild(QPushButton, "example1")
    assert example is not None
    assert example.text() == evil
    driver.chooses_mode("direct")
    await driver.asked(evil)
    await driver.services.sessions.rename(driver.session, evil)
    await driver.until(lambda: driver.title() == evil, "the title")
    for label in driver.window.findChildren(QLabel):
        if "<b>X" in label.text():
            assert label.textFormat().name == "PlainText", label.objectName()
    for widget in driver.window.findChildren(QWidget):
        assert "<img" not in widget.toolTip(), widget.objectName()
