from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSlider,
    QSpinBox,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.agent.policy.subject import Subject
from app.core.profile import AgentProfile, Budget, PermissionRule
from app.core.run.analysis.round_costs import RoundCosts
from app.core.setting import describe
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.services.settings.settings import SettingsService
from app.services.tools.service import PastCall
from app.ui.dialogs.agents.agent_settings import AgentsPage
from app.ui.dialogs.agents.hook_editor import HookEditor
from app.ui.dialogs.agents.hook_row import HookRow
from app.ui.dialogs.agents.limit_editors import BudgetEditor, SchemaEditor
from app.ui.dialogs.agents.permission_rules import PermissionRow
from app.ui.dialogs.agents.pick_editors import PickEditor, SuccessorEditor
from app.ui.dialogs.agents.profile_costs import rounds_cost
from app.ui.dialogs.agents.profile_editors import ReflectionEditor
from app.ui.dialogs.agents.tool_table import ToolTable, word_of
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme
from app.ui.widgets.layout.side_rows import ROW
from app.ui.widgets.safe_text import SafeLabel
from tests.ui import screen
from tests.ui.choosing import choose
from tests.ui.dialogs.agents import Choices
from tests.ui.dialogs.work import Work

W = TypeVar("W", bound=QWidget)


@dataclass(frozen=True)
class Info:
    name: str
    description: str
    permission: str


TOOLS = (
    Info("search_cities", "Find cities.\nBy interest.", "pure"),
    Info("export_trip", "Write a file.", "fs.write"),
    Info("web_search", "<b>Search</b>\u202e", "net"),
)


@pytest.fixture
def dialog(qtbot: QtBot, settings: SettingsService, work: Work) -> Iterator[AgentsPage]:
    made = AgentsPage(settings, TOOLS, Choices(), Theme(), spawn=work, agent="travel")
    made.show()
    made.tabs.setCurrentIndex(2)
    yield made
    if shiboken6.isValid(made):  # it deletes itself when it is closed
        made.deleteLater()


def child(dialog: QWidget, kind: type[W], name: str) -> W:
    found = dialog.findChild(kind, name)
    assert isinstance(found, kind)
    return found


async def entered(dialog: AgentsPage, work: Work) -> None:
    """Enter in a field: what is valid is stored."""
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    await work.settled()


def asked(dialog: QWidget) -> AskDialog:
    return next(d for d in dialog.findChildren(AskDialog) if d.isVisible())


def test_a_number_out_of_range_is_refused_with_the_range_and_not_cut(dialog: AgentsPage) -> None:
    """Typed as a person types it: 100 becomes neither 10 nor 50."""
    bounds = {"max_steps": "From 1 to 50", "tool_timeout": "From 1 to 600", "max_retries": "From 0 to 5"}
    for name, told in bounds.items():
        editor = dialog.form.editor(name)
        before = editor.value()
        for typed, error in (("9999", told), (str(before), "")):
            QTest.keyClick(editor.control, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(editor.control, typed)
            assert editor.value() == float(typed)
            assert dialog.form.errors() == ({name: error} if error else {})
        QTest.keyClick(editor.control, Qt.Key.Key_PageUp)
        for _press in range(10):
            QTest.keyClick(editor.control, Qt.Key.Key_PageUp)
        assert not dialog.form.errors(), "arrow and page keys stay inside"
        editor.set_value(before)


@pytest.mark.parametrize("agent", ["assistant", "travel"])
def test_a_profile_passes_through_the_form_unchanged(dialog: AgentsPage, settings: SettingsService, agent: str) -> None:
    dialog.show_agent(agent)
    profile = settings.profile(agent)
    assert AgentProfile.model_validate({**profile.model_dump(), **dialog.form.values()}) == profile
    assert not dialog.is_dirty


async def test_what_is_saved_is_what_was_set(dialog: AgentsPage, settings: SettingsService, work: Work) -> None:
    child(dialog, QSlider, "reflectionSlider").setValue(5)
    child(dialog, QSpinBox, "truncationField").setValue(9_000)
    child(dialog, QSpinBox, "maxStepsField").setValue(12)
    await entered(dialog, work)
    saved = settings.profile("travel")
    assert (saved.max_reflection_iterations, saved.tool_result_max_length, saved.max_steps) == (5, 9_000, 12)
    assert settings.is_changed("travel")
    assert not dialog.is_dirty


def test_more_rounds_raise_the_steps_with_a_note(dialog: AgentsPage) -> None:
    dialog.form.editor("enable_reflection").set_value(True)
    child(dialog, QSpinBox, "maxStepsField").setValue(3)
    child(dialog, QSlider, "reflectionSlider").setValue(10)
    assert child(dialog, QSpinBox, "maxStepsField").value() == 11
    assert "11" in dialog.saved.note.text()


def test_bounds_hold_in_the_fields(dialog: AgentsPage) -> None:
    slider = child(dialog, QSlider, "reflectionSlider")
    assert (slider.minimum(), slider.maximum()) == (0, 10)
    field = child(dialog, QSpinBox, "truncationField")
    assert (field.minimum(), field.maximum()) == (500, 200_000)
    steps = child(dialog, QSpinBox, "maxStepsField")
    assert (steps.minimum(), steps.maximum()) == (1, 50)


@pytest.mark.parametrize(("rounds", "word"), [(0, "One batch"), (1, "~3×"), (2, "~6×"), (3, "~10×"), (5, "20×+")])
def test_the_slider_says_what_it_costs(rounds: int, word: str) -> None:
    assert word in rounds_cost(rounds)


class Own(RoundCosts):
    """Figures as given."""

    def multiple(self, rounds: int) -> float | None:
        return 1.0 + rounds / 2 if rounds <= 3 else None


def test_own_figures_take_the_place_of_general_ones() -> None:
    own = Own(7, 3.2, 0.8, ())
    assert rounds_cost(2, own) == (
        "2.0× tokens; each round takes 4.0 s (tool 0.8 s, model 3.2 s), measured in 7 runs of this agent"
    )
    assert rounds_cost(5, own).startswith("20×+ tokens, not measured yet; each round takes 4.0 s")
    assert rounds_cost(0, own) == rounds_cost(0)


async def test_each_agent_shows_its_own_figures(settings: SettingsService, work: Work, qtbot: QtBot) -> None:
    choices = Choices(costs={"travel": Own(7, 3.2, 0.8, ())})
    made = AgentsPage(settings, TOOLS, choices, Theme(), spawn=work, agent="travel")
    await work.settled()
    assert made.form.rounds is not None
    assert "7 runs" in made.form.rounds._cost.text()
    made.show_agent("assistant")
    await work.settled()
    assert "3–10 s" in made.form.rounds._cost.text()
    made.deleteLater()


def test_a_setting_says_what_it_costs(dialog: AgentsPage) -> None:
    rows = dialog.form._rows
    child(dialog, QSpinBox, "truncationField").setValue(30_000)
    assert "10.0k tokens per result" in rows["tool_result_max_length"]._cost.text()
    child(dialog, QSpinBox, "maxStepsField").setValue(20)
    assert rows["max_steps"]._cost.text().startswith("At most 20 requests")
    assert not rows["long_results"]._cost.isVisibleTo(dialog)
    dialog.form.editor("long_results").set_value("summarise")
    dialog.reveal(dialog.form.editor("long_results"))
    assert rows["long_results"]._cost.isVisibleTo(dialog)


def test_tabs_show_every_field_once_and_lead_to_one_that_is_looked_for(dialog: AgentsPage) -> None:
    seen: list[str] = []
    for tab in range(dialog.tabs.count()):
        dialog.tabs.setCurrentIndex(tab)
        seen += [name for name, row in dialog.form._rows.items() if row.isVisibleTo(dialog.form)]
    assert sorted(seen) == sorted(set(dialog.form._rows) - dialog.form._left_out)
    dialog.reveal(dialog.form.editor("tool_timeout").control)
    assert dialog.tabs.tabText(dialog.tabs.currentIndex()) == "Limits"
    assert dialog.form.editor("tool_timeout").isVisibleTo(dialog.form)
    assert not dialog.form.editor("system_prompt").isVisibleTo(dialog.form)


def test_the_card_of_costs_follows_every_change(dialog: AgentsPage) -> None:
    tokens, tools = dialog.card.figures["tokens"][0], dialog.card.figures["tools"][1]
    dialog.form.editor("enable_reflection").set_value(True)
    dialog.form.editor("max_reflection_iterations").set_value(3)
    assert tokens.full_text() == "10.0×"
    dialog.form.editor("enable_reflection").set_value(False)
    assert tokens.full_text() == "1.0×"
    before = tools.full_text()
    dialog.form.table.choose("web_search", "" if "web_search" in dialog.form.table.value() else "ask")
    assert tools.full_text() != before


def test_tab_goes_through_the_form_from_top_to_bottom(dialog: AgentsPage, qtbot: QtBot) -> None:
    combos = dialog.form.table._combos
    qtbot.waitUntil(lambda: len(combos) == len(TOOLS), timeout=30_000)
    dialog.tabs.setCurrentIndex(2)
    dialog.form.table.control.setFocus()
    places: list[int] = []
    for _step in range(120):
        widget = dialog.focusWidget()
        if not dialog.form.isAncestorOf(widget):
            break
        places.append(widget.mapTo(dialog.form, widget.rect().topLeft()).y())
        dialog.focusNextChild()
    assert len(places) > 2 * len(TOOLS)
    assert places == sorted(places)


def test_presets_set_their_rounds(dialog: AgentsPage) -> None:
    editor = dialog.form.editor("max_reflection_iterations")
    assert isinstance(editor, ReflectionEditor)
    for rounds, button in editor.presets.items():
        button.setEnabled(True)
        editor._choose(rounds)
        assert editor.value() == rounds
        assert [r for r, b in editor.presets.items() if b.isChecked()] == [rounds]
        assert button.text().endswith(str(rounds))


def test_a_permission_changes_only_its_tool(dialog: AgentsPage, settings: SettingsService) -> None:
    table = dialog.form.editor("tools")
    assert isinstance(table, ToolTable)
    before = dict(settings.profile("travel").tools)
    table.choose("web_search", "deny")
    assert table.value() == {**before, "web_search": "deny"}
    table.choose("web_search", "")
    assert table.value() == {name: word for name, word in before.items() if name != "web_search"}


def test_globs_count_as_in_a_run() -> None:
    words = {"search_*": "allow", "*": "ask", "rm_*": "deny"}
    assert word_of(words, "search_cities") == "ask"
    assert word_of(words, "rm_all") == "deny"
    assert word_of({**words, "rm_all": "allow"}, "rm_all") == "allow"
    assert word_of({}, "x") == ""


def test_a_narrow_table_of_tools_keeps_what_they_do(dialog: AgentsPage) -> None:
    table = child(dialog, QTableWidget, "toolTable")
    dialog.form.table.resize(900, 400)
    assert not table.isColumnHidden(2)
    dialog.form.table.resize(600, 400)
    assert (table.isColumnHidden(1), table.isColumnHidden(2)) == (False, True)
    dialog.form.table.resize(490, 400)
    assert (table.isColumnHidden(0), table.isColumnHidden(1)) == (False, True), "the title says it, and is not cut"


def test_where_the_page_is_narrow_no_tab_is_cut_and_the_costs_are_one_line(dialog: AgentsPage) -> None:
    for width, is_wide in ((1200, True), (840, False), (560, False)):
        dialog.resize(width, 600)
        dialog.tabs.setCurrentIndex(1)
        QApplication.processEvents()
        assert dialog.tabs.sizeHint().width() <= dialog.tabs.width(), width
        shown = [label.full_text() for label in dialog.findChildren(SafeLabel) if label.isVisible()]
        lines = [text for text in shown if text.startswith("An answer with these settings · ")]
        assert (dialog.card.isVisible(), len(lines)) == (is_wide, 0 if is_wide else 1), width


def test_descriptions_of_tools_are_literal(dialog: AgentsPage) -> None:
    table = child(dialog, QTableWidget, "toolTable")
    item = table.item(2, 1)
    assert item is not None
    assert item.text() == "<b>Search</b>⟦U+202E⟧"


async def test_only_what_cannot_be_stored_is_asked_about_and_nothing_of_it_is_lost(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    await settings.save_profile(settings.profile("travel").model_copy(update={"temperature": 0.5}))
    field = dialog.form.editor("temperature").control
    assert isinstance(field, QLineEdit)
    field.setText("0,7")
    child(dialog, QSpinBox, "maxStepsField").setValue(20)
    await entered(dialog, work)
    stored = settings.profile("travel")
    assert (stored.temperature, stored.max_steps) == (0.5, 20), "the valid one alone"
    shown = [label.full_text() for label in dialog.form.findChildren(SafeLabel) if not label.isHidden()]
    assert "Not a number" in shown
    dialog.leave(dialog.close)
    asked(dialog).reject()
    assert dialog.isVisible()
    assert field.text() == "0,7"
    dialog.agents.chosen.emit("assistant")
    asked(dialog).buttons["discard"].click()
    await work.settled()
    assert dialog._profile is not None
    assert dialog._profile.id == "assistant"
    assert settings.profile("travel").temperature == 0.5


async def test_each_stored_change_is_taken_back_by_undo(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    steps, before = child(dialog, QSpinBox, "maxStepsField"), settings.profile("travel")
    assert not dialog.undo_button.isVisible()
    steps.setValue(20)
    await entered(dialog, work)
    dialog.form.editor("tool_timeout").set_value(77)
    await entered(dialog, work)
    dialog.activateWindow()
    QTest.qWaitForWindowActive(dialog)
    for way, stored in (("button", (20, before.tool_timeout)), ("Ctrl+Z", (before.max_steps, before.tool_timeout))):
        if way == "button":
            screen.click(dialog.undo_button)
        else:
            QTest.keyClick(dialog.tabs, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await work.settled()
        now = settings.profile("travel")
        assert ((now.max_steps, now.tool_timeout), steps.value()) == (stored, stored[0])
    assert not dialog.undo_button.isVisible()
    assert not settings.is_changed("travel"), "as it was shipped"


async def test_what_is_stored_elsewhere_stays_and_is_shown(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    """A run or the page of the servers may change the agent while its form is open."""
    field = dialog.form.editor("temperature").control
    assert isinstance(field, QLineEdit)
    field.setText("0,7")
    child(dialog, QSpinBox, "maxStepsField").setValue(20)
    await settings.save_profile(
        settings.profile("travel").model_copy(update={"tool_timeout": 77, "long_results": "cut"})
    )
    assert dialog.form.editor("tool_timeout").value() == 77
    assert field.text() == "0,7"
    await entered(dialog, work)
    stored = settings.profile("travel")
    assert (stored.max_steps, stored.tool_timeout) == (20, 77)


async def test_a_typed_text_is_stored_when_its_field_is_left(
    dialog: AgentsPage, settings: SettingsService, work: Work, qapp: QApplication
) -> None:
    field = dialog.form.editor("tool_timeout").control
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, "77")
    await work.settled()
    assert not settings.is_changed("travel")
    qapp.focusChanged.emit(field, dialog.tabs)
    await work.settled()
    assert settings.profile("travel").tool_timeout == 77


def test_every_field_of_a_profile_has_an_editor_a_help_and_its_range(dialog: AgentsPage) -> None:
    infos = {info.name: info for info in describe(AgentProfile)}
    plain = {"name", "icon", "description"}
    assert {name for name, info in infos.items() if not info.help} == plain
    told = {label.full_text() for label in dialog.form.findChildren(SafeLabel)}
    for info in infos.values():
        if info.kind in ("int", "float") and info.widget != "slider" and info.high is not None:
            span = f"{info.low:,g} – {info.high:,.0f}"
            assert any(text.endswith(span) for text in told), info.name


async def test_a_change_is_stored_on_the_way_to_another_agent(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    child(dialog, QSpinBox, "maxStepsField").setValue(20)
    agents = child(dialog, QListWidget, "agentList")
    agents.setCurrentRow(0)
    await work.settled()
    assert dialog._profile is not None
    assert settings.profile("travel").max_steps == 20
    assert dialog._profile.id == "assistant"


async def test_new_duplicate_delete_and_reset(dialog: AgentsPage, settings: SettingsService, work: Work) -> None:
    buttons = dialog.agents.buttons
    assert not buttons["delete"].isEnabled()
    assert child(dialog, QPushButton, "resetAgentButton").isHidden()
    buttons["new"].click()
    await work.settled()
    assert dialog._profile is not None
    assert dialog._profile.id == "agent-1"
    buttons["delete"].click()
    asked(dialog).buttons["yes"].click()
    await work.settled()
    assert "agent-1" not in [profile.id for profile in settings.profiles()]
    dialog.show_agent("travel")
    buttons["duplicate"].click()
    await work.settled()
    assert dialog._profile.id.startswith("travel-")
    dialog.show_agent("travel")
    child(dialog, QSpinBox, "maxStepsField").setValue(20)
    await entered(dialog, work)
    chip = child(dialog, QPushButton, "resetAgentButton")
    assert chip.text() == "1 setting changed · reset"
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    asked(dialog).buttons["yes"].click()
    await work.settled()
    assert not settings.is_changed("travel")
    assert child(dialog, QSpinBox, "maxStepsField").value() == 8
    assert chip.isHidden()


async def test_an_exported_agent_comes_back_without_what_grants_something(
    dialog: AgentsPage, settings: SettingsService, work: Work, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    screen.click(dialog.agents.buttons["export"])
    choose(dialog, file)
    await work.settled()
    assert "mine.toml" in dialog.saved.note.text()
    dialog.go_back()  # to the list, where there is no room for both
    screen.click(dialog.agents.buttons["import"])
    choose(dialog, file)
    await work.settled()
    assert dialog._profile is not None
    assert dialog._profile.id.startswith("travel-")
    assert dialog._profile.system_prompt == settings.profile("travel").system_prompt
    assert dialog._profile.tools == {}
    assert "tools" in dialog.saved.note.text()


async def test_a_file_that_is_no_agent_is_named(dialog: AgentsPage, work: Work, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("= = =")
    dialog.agents.buttons["import"].click()
    dialog.findChildren(QFileDialog)[-1].fileSelected.emit(str(file))
    await work.settled()
    assert "broken.toml" in dialog.saved.note.text()


def full(settings: SettingsService) -> AgentProfile:
    return AgentProfile.model_validate(
        {
            **settings.profile("travel").model_dump(),
            "budget": {"tokens": 50_000, "money": 1.5},
            "permissions": [{"tool": "export_trip", "subject": "/home/*\u202e", "word": "allow"}],
            "hooks": [{"when": "after", "tool": "*", "do": "mask", "text": "secret"}],
            "subagents": ["assistant", "gone"],
            "then": "gone",
            "mcp_servers": ["time"],
            "output_schema": {"type": "object", "required": ["a"]},
        }
    )


async def test_every_field_comes_back_unchanged(dialog: AgentsPage, settings: SettingsService, work: Work) -> None:
    profile = full(settings)
    await settings.save_profile(profile)
    dialog.show_agent("travel")
    assert not dialog.is_dirty
    assert dialog.form.errors() == {}
    assert AgentProfile.model_validate({**profile.model_dump(), **dialog.form.values()}) == profile
    await work.settled()


HOSTILE = "<b>X</b><img src='//canary/s'>\u202e"


async def test_T05_a_profile_that_is_hostile_in_every_field_stays_literal(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    hostile = {
        "name": {"en": HOSTILE, "zh": HOSTILE},
        "description": {"en": HOSTILE, "zh": HOSTILE},
        "icon": HOSTILE,
        "model": HOSTILE,
        "default_mode": HOSTILE,
        "system_prompt": HOSTILE,
        "tools": {HOSTILE: "allow"},
        "permissions": [{"tool": HOSTILE, "subject": HOSTILE}],
        "hooks": [{"when": "after", "tool": HOSTILE, "do": "mask", "text": HOSTILE}, {"when": HOSTILE, "do": HOSTILE}],
        "subagents": [HOSTILE],
        "then": HOSTILE,
        "output_schema": {"title": HOSTILE},
    }
    profile = AgentProfile.model_validate({**settings.profile("travel").model_dump(), **hostile})
    await settings.save_profile(profile)
    dialog.show_agent("travel")
    hooks = dialog.form.editor("hooks")
    assert isinstance(hooks, HookEditor)
    row = hooks.rows[0]
    assert isinstance(row, HookRow)
    row.edit.setChecked(True)
    await work.settled()
    assert not dialog.grab().isNull()
    labels = dialog.findChildren(QLabel)
    assert {label.textFormat() for label in labels if label.text()} == {Qt.TextFormat.PlainText}
    assert not [label.text() for label in labels if "\u202e" in label.text()]
    assert all("<img" not in part.toolTip() for part in dialog.findChildren(QWidget))
    assert AgentProfile.model_validate({**profile.model_dump(), **dialog.form.values()}) == profile


async def test_a_budget_is_four_numbers(dialog: AgentsPage, settings: SettingsService, work: Work) -> None:
    budget = dialog.form.editor("budget")
    assert isinstance(budget, BudgetEditor)
    for name, text in [("tokens", "20,000"), ("seconds", "90"), ("tool_calls", "5"), ("money", "0.5")]:
        field = budget._parts[name].control
        assert isinstance(field, QLineEdit)
        field.setText(text)
    await entered(dialog, work)
    assert settings.profile("travel").budget == Budget(tokens=20_000, seconds=90, tool_calls=5, money=0.5)
    field = budget._parts["money"].control
    assert isinstance(field, QLineEdit)
    field.setText("0")
    assert dialog.form.errors()["budget"] == "Money: Must be above 0"
    await entered(dialog, work)
    assert settings.profile("travel").budget == Budget(tokens=20_000, seconds=90, tool_calls=5, money=0.5)


async def test_a_rule_about_arguments_is_made_from_the_table(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    table, rules = dialog.form.table, dialog.form.rules
    table._rules["export_trip"].click()
    row = rules.rows[0]
    assert isinstance(row, PermissionRow)
    row.pattern.setText("/notes/*")
    row.word.setCurrentIndex(row.word.findData("allow"))
    assert table._rules["export_trip"].text() == "1 rule…"
    await entered(dialog, work)
    assert settings.profile("travel").permissions == (
        PermissionRule(tool="export_trip", subject="/notes/*", word="allow"),
    )
    row = rules.rows[0]
    assert isinstance(row, PermissionRow)
    row.tool.setCurrentText("")
    assert "names a tool" in dialog.form.errors()["permissions"]


async def test_a_rule_says_whether_it_fits_the_last_call(settings: SettingsService, work: Work, qtbot: QtBot) -> None:
    @tool("fs.write", subject=lambda args: str(args["path"]))
    def export_trip(ctx: ToolContext, path: str) -> ToolResult:
        """Write a file."""
        return ToolResult.success(path)

    call = PastCall("/notes/<b>a</b>.md", Subject.read(export_trip, {"path": "/notes/<b>a</b>.md"}))

    choices = Choices(calls={"export_trip": call})
    made = AgentsPage(settings, TOOLS, choices, Theme(), spawn=work, agent="travel")
    row = made.form.rules.add_for("export_trip")
    assert isinstance(row, PermissionRow)
    await work.settled()
    assert row.tried.full_text() == "fits the last call: /notes/<b>a</b>.md"
    row.pattern.setText("/home/*")
    assert row.tried.full_text().startswith("does not fit")
    row.tool.setCurrentText("web_search")
    await work.settled()
    assert row.tried.isHidden()
    made.deleteLater()


async def test_helpers_and_a_successor_are_chosen(dialog: AgentsPage, settings: SettingsService, work: Work) -> None:
    helpers, then = dialog.form.editor("subagents"), dialog.form.editor("then")
    assert isinstance(helpers, PickEditor)
    assert isinstance(then, SuccessorEditor)
    assert "travel" not in helpers.switches  # nobody asks itself
    QTest.keyClick(helpers.switches["assistant"], Qt.Key.Key_Space)
    then._combo.setCurrentIndex(then._combo.findData("assistant"))
    await entered(dialog, work)
    saved = settings.profile("travel")
    assert (saved.subagents, saved.then) == (("assistant",), "assistant")
    then._combo.setCurrentIndex(0)
    await entered(dialog, work)
    assert settings.profile("travel").then is None


async def test_the_form_of_an_answer_is_checked_while_it_is_typed(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    schema = dialog.form.editor("output_schema")
    assert isinstance(schema, SchemaEditor)
    schema._field.setPlainText('{"type":')
    assert "Line 1" in dialog.form.errors()["output_schema"]
    await entered(dialog, work)
    assert settings.profile("travel").output_schema is None
    schema.set_value(None)
    schema.example.click()
    assert dialog.form.errors() == {}
    await entered(dialog, work)
    saved = settings.profile("travel").output_schema
    assert saved is not None
    assert saved["required"] == ["summary"]


def test_servers_there_are_can_be_chosen(
    dialog: AgentsPage, qtbot: QtBot, settings: SettingsService, work: Work
) -> None:
    assert dialog.form.values()["mcp_servers"] == ()
    made = AgentsPage(settings, TOOLS, Choices(mcp=[("time", "Time")]), Theme(), spawn=work, agent="travel")
    picker = made.form.editor("mcp_servers")
    assert isinstance(picker, PickEditor)
    picker.switches["time"].click()
    assert made.form.values()["mcp_servers"] == ("time",)
    made.deleteLater()


async def test_tools_of_a_server_stand_in_the_table_while_the_agent_has_it_and_are_only_narrowed(
    settings: SettingsService, work: Work, qtbot: QtBot
) -> None:
    tools = (*TOOLS, Info("time__now", "The time.", "mcp"), Info("fs__read", "A file.", "mcp"))
    made = AgentsPage(
        settings, tools, Choices(mcp=[("time", "Time"), ("fs", "Files")]), Theme(), spawn=work, agent="travel"
    )
    made.show()
    made.tabs.setCurrentIndex(2)
    table = child(made, QTableWidget, "toolTable")
    assert [table.isRowHidden(row) for row in (2, 3, 4)] == [False, True, True]
    picker = made.form.editor("mcp_servers")
    assert isinstance(picker, PickEditor)
    picker.switches["time"].click()
    assert [table.isRowHidden(row) for row in (2, 3, 4)] == [False, False, True]
    combo = made.form.table._combos[3]
    assert [combo.itemText(n) for n in range(combo.count())] == ["As its server says", "Deny", "Ask"]
    made.form.table.choose("time__now", "deny")
    await entered(made, work)
    saved = settings.profile("travel")
    assert (saved.mcp_servers, saved.tools["time__now"]) == (("time",), "deny")
    made.deleteLater()


async def test_a_disk_that_refuses_keeps_what_was_typed(
    dialog: AgentsPage, settings: SettingsService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_profile: AgentProfile) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(settings, "save_profile", refuse)
    child(dialog, QSpinBox, "maxStepsField").setValue(20)
    await entered(dialog, work)
    assert "disk full" in dialog.saved.note.text()
    assert dialog.is_dirty


async def test_the_list_says_mode_model_and_what_is_changed_and_an_agents_own_tools_stand_first(
    dialog: AgentsPage, settings: SettingsService, work: Work
) -> None:
    profile = settings.profile("travel").model_copy(update={"model": "deepseek/deepseek-chat", "tools": {}})
    await settings.save_profile(profile)
    listed = dialog.agents.list
    rows = [listed.item(row).data(ROW) for row in range(listed.count())]
    (travel,) = (row for row in rows if row.id == "travel")
    assert (travel.detail, travel.mark) == ("Auto · deepseek-chat", "changed")
    table = child(dialog, QTableWidget, "toolTable")

    def order() -> list[str]:
        places = table.verticalHeader()
        return [TOOLS[places.logicalIndex(place)].name for place in range(len(TOOLS))]

    assert order() == [tool.name for tool in TOOLS]
    await settings.save_profile(profile.model_copy(update={"tools": {TOOLS[-1].name: "ask"}}))
    dialog.show_agent("travel")
    assert order() == [TOOLS[-1].name, *(tool.name for tool in TOOLS[:-1])]
    dialog.form.table.choose(TOOLS[0].name, "allow")
    assert order()[0] == TOOLS[-1].name, "nothing moves under the hand"
