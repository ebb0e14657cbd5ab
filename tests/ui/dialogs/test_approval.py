from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.core.run.events import Approval
from app.core.text.hidden import spelled_out
from app.core.tools.tool import canonical_args
from app.core.wording.tools import add_titles
from app.tools.calculator import calculator
from app.ui.dialogs import ApprovalCard
from app.ui.dialogs.approvals.asked_tool import AskedTool
from app.ui.dialogs.approvals.facts import Countdown
from app.ui.texts.permissions import rule_text
from app.ui.theme import Theme
from tests.fakes import FakeClock
from tests.ui import screen

SCHEMA = {
    "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}, "mode": {"enum": ["new", "over"]}},
    "required": ["path"],
}


def approval(**args: Any) -> Approval:
    return Approval("a1", "c1", "put_file", args, "fs.write asks every time")


def card(qtbot: QtBot, **args: Any) -> ApprovalCard:
    made = ApprovalCard(Theme(), approval(**args), question="tidy my notes")
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def ready(qtbot: QtBot, made: ApprovalCard) -> ApprovalCard:
    qtbot.waitUntil(lambda: made.deny.isEnabled() and not made.details.laid_out.isActive())
    return made


def test_ASI09_nothing_answers_in_the_first_moment(qtbot: QtBot) -> None:
    made = card(qtbot, path="a.md")
    with qtbot.assertNotEmitted(made.answered):
        for button in (made.deny, made.allow_once, made.more):
            assert not button.isEnabled()
            button.click()
            QTest.keyClick(button, Qt.Key.Key_Space)
        made.allow_run.trigger()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_ASI09_enter_allows_once_at_its_button_and_nowhere_else(qtbot: QtBot, key: Qt.Key) -> None:
    made = ready(qtbot, full(qtbot, path="a.md"))
    made.details.edit.click()
    made.always.trigger()
    elsewhere = [made, made.details_button, made.always_row.pattern, made.always_row.accept]
    with qtbot.assertNotEmitted(made.answered):
        for target in (*elsewhere, field(made, "path"), made.details.arguments, made.details.edit):
            QTest.keyClick(target, key)
    with qtbot.waitSignal(made.answered) as answered:
        QTest.keyClick(made.allow_once, key)
    assert answered.args == ["a1", "once", "", None]


@pytest.mark.parametrize(
    "more",
    [
        *({"careful": why} for why in ("exec", "delete", "outside", "host")),
        {"sources": ("page evil.test",)},
        {"private": ("4929-1234",)},
    ],
)
def test_ASI09_where_a_look_is_needed_the_focus_goes_to_deny_and_enter_allows_nothing(
    qtbot: QtBot, more: dict[str, Any]
) -> None:
    made = ready(qtbot, guarded(qtbot, **more))
    assert made.focus_answer()
    assert made.focusWidget() is made.deny
    with qtbot.assertNotEmitted(made.answered):
        for target in (made, made.allow_once):
            QTest.keyClick(target, Qt.Key.Key_Return)
            QTest.keyClick(target, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(made.deny, Qt.Key.Key_Return)
    with qtbot.waitSignal(made.answered) as answered:
        QTest.keyClick(made.refusal.field, Qt.Key.Key_Return)
    assert answered.args is not None
    assert answered.args[1] == "deny"


def test_ASI09_the_key_that_goes_to_the_card_waits_and_then_leads_to_allow(qtbot: QtBot) -> None:
    made = card(qtbot, path="a.md")
    before = made.focusWidget()
    assert not made.focus_answer()
    assert made.focusWidget() is before
    ready(qtbot, made)
    assert made.focus_answer()
    assert made.focusWidget() is made.allow_once
    with qtbot.assertNotEmitted(made.answered):  # a key that is held down is no answer
        held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "", True)
        QApplication.sendEvent(made.allow_once, held)


def test_each_way_to_answer_gives_its_answer_once(qtbot: QtBot) -> None:
    for choice in ("once", "run", "deny"):
        made = ready(qtbot, card(qtbot, path="a.md"))
        answers: list[tuple[object, ...]] = []
        made.answered.connect(lambda *answer, answers=answers: answers.append(answer))
        match choice:
            case "once":
                screen.click(made.allow_once)
            case "run":
                screen.choose(made.more, made.menu, "Allow for this run")
            case _:
                screen.click(made.deny)
                screen.click(made.refusal.send)
        for button in (made.allow_once, made.deny, made.refusal.send):
            button.click()
        made.allow_run.trigger()
        assert answers == [("a1", choice, "", None)]


def test_a_reason_is_asked_for_only_after_deny_and_esc_goes_back(qtbot: QtBot) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    assert not made.refusal.isVisible()
    screen.click(made.deny)
    assert (made.refusal.field.isVisible(), made.allow_once.isVisible()) == (True, False)
    assert made.refusal.take_escape()
    assert (made.refusal.isVisible(), made.allow_once.isVisible()) == (False, True)
    screen.click(made.deny)
    QTest.keyClicks(made.refusal.field, "  not there, please  ")
    with qtbot.waitSignal(made.answered) as answered:
        QTest.keyClick(made.refusal.field, Qt.Key.Key_Return)
    assert answered.args == ["a1", "deny", "not there, please", None]


@dataclass(frozen=True)
class Asked(AskedTool):
    """A tool that knows what it does."""

    said: str = ""
    rule: bool = True

    def subject(self, args: Mapping[str, Any]) -> str | None:
        return str(args.get("path")) if self.rule else None

    def targets(self, args: Mapping[str, Any]) -> list[str]:
        return [str(args.get("path"))]

    def sentence(self, args: Mapping[str, Any]) -> str:
        return self.said.format(path=args.get("path", ""))


def test_the_arguments_are_counted_in_the_bytes_that_are_sent(qtbot: QtBot) -> None:
    made = card(qtbot, path="周会.md")
    sent = made.details.arguments.document().toRawText()
    assert made.details.size_line.text() == f"{len(sent.encode())} bytes, 1 line"
    assert len(sent.encode()) == len(sent) + 4, "two of its letters take three bytes each"


def brief(qtbot: QtBot, **given: Any) -> ApprovalCard:
    """Of a tool that says what it will do."""
    asked = replace(approval(path="trip.ics", lines=3), **given)
    tool = Asked(parameters=SCHEMA, said="Export the trip as {path}")
    made = ApprovalCard(Theme(), asked, tool=tool, mended="days: “three” is read as 3")
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return ready(qtbot, made)


def test_a_tool_that_says_what_it_does_is_allowed_by_its_sentence_and_the_bytes_stand_behind(qtbot: QtBot) -> None:
    made = brief(qtbot)
    assert made.title.full_text() == "Export the trip as trip.ics"
    assert made.target.full_text() == "trip.ics", "what the permission is bound to is in sight"
    assert made.mended.full_text() == "days: “three” is read as 3"
    primary = [b for b in made.findChildren(QPushButton) if b.isVisible() and b.property("kind") == "primary"]
    assert primary == [made.allow_once]
    assert (made.details.isVisible(), made.allow_once.isEnabled()) == (False, True)
    made.allow_once.setFocus()
    QTest.keyClick(made.allow_once, Qt.Key.Key_D)
    assert made.details.arguments.isVisible()
    made.resize(600, made.sizeHint().height())
    ready(qtbot, made)
    screen.click(made.details.edit)
    field(made, "path").clear()
    QTest.keyClicks(field(made, "path"), "b.ics")
    assert made.title.full_text() == "Export the trip as b.ics", "the sentence is renewed"
    assert made.target.full_text() == "b.ics"
    ready(qtbot, made)
    with qtbot.waitSignal(made.answered) as answered:
        QTest.keyClick(made.allow_once, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert answered.args == ["a1", "run", "", {"path": "b.ics", "lines": 3}]


def test_what_deserves_a_look_or_says_nothing_of_itself_shows_its_bytes_at_once(qtbot: QtBot) -> None:
    looks: list[dict[str, Any]] = [
        {"rule": "again"},
        {"careful": "delete"},
        {"sources": ("page evil.test",)},
        {"private": ("4929-1234",)},
    ]
    for look in looks:
        assert brief(qtbot, **look).details.isVisible(), look
    assert card(qtbot, path="a.md").details.isVisible()
    server = ApprovalCard(Theme(), approval(path="a.md"), tool=AskedTool(server="Notes · 0123456789abcdef"))
    qtbot.addWidget(server)
    assert server.title.full_text() == "Run with Notes: put_file"
    assert not server.details.isHidden()


@dataclass(frozen=True)
class Exporting(AskedTool):
    parameters: Mapping[str, Any] | None = None
    place: str = "path"

    def sentence(self, args: Mapping[str, Any]) -> str:
        return f"Export the trip to {args.get('path', 'trip.ics')}"


def test_another_place_is_chosen_on_the_card_and_is_what_runs(qtbot: QtBot) -> None:
    asked = replace(approval(path="trip.ics", format="ics"), text={"en": "Export the trip to trip.ics"})
    made = ApprovalCard(Theme(), asked, tool=Exporting())
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    ready(qtbot, made)
    answers: list[tuple[Any, ...]] = []
    made.answered.connect(lambda *given: answers.append(given))
    screen.click(made.change_place)
    made.place_field.selectAll()
    QTest.keyClicks(made.place_field, "spring/beijing.ics")
    assert made.title.full_text() == "Export the trip to spring/beijing.ics"
    qtbot.waitUntil(lambda: screen.why_not(made.allow_once) == "")
    screen.click(made.allow_once)
    assert answers == [("a1", "once", "", {"path": "spring/beijing.ics", "format": "ics"})]


def test_the_way_to_the_rules_is_in_the_menu_of_the_answer(qtbot: QtBot) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    with qtbot.waitSignal(made.settings_asked):
        screen.choose(made.more, made.menu, "Permission rules in the settings…")


def test_only_offered_choices_are_shown(qtbot: QtBot) -> None:
    made = ApprovalCard(Theme(), Approval("a1", "c1", "run_command", {}, "exec", ("once", "deny")))
    qtbot.addWidget(made)
    made.show()
    assert made.allow_once.isVisible()
    assert not made.more.isVisible()


def test_A07_A08_hidden_characters_are_written_out(qtbot: QtBot) -> None:
    made = card(qtbot, path="\u202egnp.exe", note="<b>safe</b>\u200b")
    text = made.findChildren(QPlainTextEdit)[0].toPlainText()
    assert "⟦U+202E⟧gnp.exe" in text
    assert "<b>safe</b>⟦U+200B⟧" in text


def test_A06_T06_a_long_tail_must_be_seen_before_allowing(qtbot: QtBot) -> None:
    for text in ("\n" * 1_200 + "rm -rf", "\u200b" * 300 + "rm -rf", "x " * 1_000):
        short = ready(qtbot, card(qtbot, text=text))
        assert not short.allow_once.isEnabled(), "what is out of sight is not agreed to"
        short.details.to_end.click()
        qtbot.waitUntil(short.allow_once.isEnabled)
    made = ready(qtbot, card(qtbot, text="\n" * 5_000 + "rm -rf"))
    assert "5,001 lines" in made.details.size_line.text()
    assert not made.allow_once.isEnabled()
    assert made.deny.isEnabled()
    qtbot.waitUntil(made.details.to_end.isVisible)
    made.details.to_end.click()
    qtbot.waitUntil(made.allow_once.isEnabled)


_ARGS = st.dictionaries(
    st.text(max_size=20),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=200),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(_ARGS)
def test_T06_what_is_shown_is_what_runs(qtbot: QtBot, args: dict[str, Any]) -> None:
    made = ApprovalCard(Theme(), approval(args=args))
    shown = made.findChildren(QPlainTextEdit)[0].document().toRawText()  # toPlainText turns U+00A0 into a space
    made.deleteLater()
    assert spelled_out(canonical_args({"args": args})) == shown
    assert meant(shown) == canonical_args({"args": args})


def meant(shown: str) -> str:
    """What is written on the card, read back."""
    return re.sub(r"⟦U\+([0-9A-F]{4,6})(?:×(\d+))?⟧", lambda found: chr(int(found[1], 16)) * int(found[2] or 1), shown)


HOSTILE = {
    "bidi override": "invoice_\u202egnp.exe",
    "bidi isolates": "a\u2066b\u2067c\u2069",
    "marks of direction": "a\u200eb\u200fc",
    "zero width space": "rm\u200b -rf",
    "joiners between letters of another script": "па\u200dро\u200cль",
    "word joiner and soft hyphen": "s\u2060e\u00adcret",
    "tag characters": "ok\U000e0064\U000e0065\U000e006c",
    "variation selectors": "ok\ufe0f\U000e0101",
    "blank letters": "a\u3164b\u2800c\u115fd",
    "no-break space": "rm\u00a0-rf",
    "thin, figure and ideographic spaces": "a\u2009b\u2007c\u3000d",
    "line and paragraph separators": "a\u2028b\u2029c",
    "newlines": "echo ok\nrm -rf ~\r\nexit",
    "carriage return": "rm -rf ~\recho ok     ",
    "backspaces": "rm\b\becho",
    "NUL and escape": "a.txt\0.png\x1b[2K",
    "C1 control": "a\x9b31mb",
    "an accent apart from its letter": "re\u0301sume\u0301",
    "a stack of accents": "a" + "\u0e47" * 12,
    "a stroke through a letter": "se\u0338cret",
    "Kelvin, Ohm and a Greek question mark": "\u212a\u2126\u037e",
    "slashes that are none": "a\u2215b\u2044c\u29f8d\uff0fe",
    "dots that are none": "evil\u2024com\ua4f8",
    "hyphens that are none": "\u2010\u2011rf \u2212f",
    "colons that are none": "https\u2236//x\ua789",
    "the notation itself": "⟦U+202E⟧ and ⟦",
    "JSON in a text": '","path":"/etc/passwd',
    "markup": "<b>bold</b><img src='//canary/x'>&amp;",
    "a lone surrogate": "half \ud83d of a pair",
    "emoji with joiners": "👩\u200d👩\u200d👧 ok ❤\ufe0f",
    "Hebrew between signs": "/א/ב/../c",
    "very long": "x" * 30_000 + "\u202e",
    "long without a break": "/" + "a/" * 3_000,
    "spaces, then a tail": " " * 9_000 + "; rm -rf ~",
}


def test_T06_two_calls_that_differ_never_look_the_same(qtbot: QtBot) -> None:
    """Hostile arguments as values and as names: what is on the card can be read back to the byte."""
    wrong, seen = [], dict[str, str]()
    plain = re.compile(
        "[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
    )
    for how, text in HOSTILE.items():
        for args in ({"path": text}, {text: 1}, {"deep": [{"in": [text]}]}):
            made = ApprovalCard(Theme(), approval(args=args))
            qtbot.addWidget(made)
            made.resize(700, 500)
            made.show()
            shown = made.details.arguments.document().toRawText()
            if meant(shown) != canonical_args({"args": args}) or plain.search(shown):
                wrong.append((how, shown[:200]))
            if seen.setdefault(shown, how) != how:
                wrong.append((how, seen[shown]))
            if (
                made.details.arguments.horizontalScrollBar().maximum()
                > made.details.arguments.fontMetrics().horizontalAdvance(" ")
            ):
                wrong.append((how, "runs out of sight to the right"))
    assert wrong == []


def test_T06_what_looks_like_ours_and_is_not_is_named(qtbot: QtBot) -> None:
    table = {
        "pаypal.com": "p⟦а U+0430⟧ypal", "/srv/u/сору": "⟦с U+0441⟧", "https://аpple.com/": "⟦а U+0430⟧",
        "/א/ב": "right to left", "Привет, мир": "", "то же самое, рот": "", "中文 path": "", "naïve café": "",
        "Ωμέγα": "",
    }  # fmt: skip
    wrong = {}
    for text, expected in table.items():
        warned = guarded(qtbot, {"path": text}).warnings.text.full_text()
        if (expected not in warned) or bool(expected) != bool(warned):
            wrong[text] = warned
    assert wrong == {}


def test_an_answer_from_elsewhere_closes_the_card(qtbot: QtBot) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    made.settle("deny")
    with qtbot.assertNotEmitted(made.answered):
        made.allow_once.click()
    assert made._outcome.text() == "Denied"


# ---------------------------------------------------------------- who asks, why, and what to look at twice


def told(made: ApprovalCard) -> dict[str, str]:
    return {name: label.full_text() for name, label in made.details.facts.values.items()}


def guarded(qtbot: QtBot, args: dict[str, Any] | None = None, **given: Any) -> ApprovalCard:
    made = ApprovalCard(
        Theme(),
        Approval("a1", "c1", "put_file", args or {"path": "notes/a.md"}, **{"rule": "class fs.write", **given}),
        question="<b>tidy</b> my notes",
        who="Assistant · ReAct",
        tool=Asked("writes files"),
    )
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def test_ASI01_the_card_says_who_asks_for_what_and_why(qtbot: QtBot) -> None:
    assert guarded(qtbot).target.full_text() == "notes/a.md"
    assert told(guarded(qtbot)) == {
        "You asked": "<b>tidy</b> my notes",
        "Who": "Assistant · ReAct",
        "Tool": "put_file",
        "What it does": "writes files",
        "Why it asks": "A tool that writes files asks unless you allow it.",
    }


def test_T06_the_server_of_a_tool_is_named_by_us(qtbot: QtBot) -> None:
    made = ApprovalCard(Theme(), approval(path="a"), tool=AskedTool(server="Files <b>\u202e · 0123456789abcdef"))
    qtbot.addWidget(made)
    assert told(made)["Server"] == "Files <b>⟦U+202E⟧ · 0123456789abcdef"


def test_T20_sources_of_untrusted_text_stand_in_red_and_private_pieces_are_masked(qtbot: QtBot) -> None:
    assert not guarded(qtbot).warnings.isVisible()
    made = guarded(qtbot, sources=("web_fetch <i>evil.test</i>",), private=("sk-CANARY-1234567890",))
    assert made.warnings.isVisible()
    assert made.warnings.property("card") == "error"
    assert "web_fetch <i>evil.test</i>" in made.warnings.text.full_text()
    assert "sk-C…7890" in made.warnings.text.full_text()


def test_A15_the_value_of_a_secret_is_not_in_the_warning(qtbot: QtBot) -> None:
    made = guarded(qtbot, private=("sk-CANARY-1234567890",))
    assert "CANARY" not in made.warnings.text.full_text()


def test_A09_words_that_mix_alphabets_are_named_also_when_a_person_changes_them(qtbot: QtBot) -> None:
    made = guarded(qtbot, {"path": "pаypal.txt", "text": "\nто же"})
    assert made.warnings.text.full_text().endswith(": p⟦а U+0430⟧ypal")
    made.details.show_args({"path": "paypal.txt"})
    assert not made.warnings.isVisible()


def test_A10_markup_in_a_value_is_literal(qtbot: QtBot) -> None:
    hostile = "<span style='font-size:1px'>evil</span><img src='//canary/x'>"
    made = guarded(qtbot, {"path": hostile})
    assert made.target.full_text() == hostile
    assert hostile in made.details.arguments.text()


def test_A05_a_nul_in_a_path_is_seen(qtbot: QtBot) -> None:
    made = guarded(qtbot, {"path": "a.txt\x00.png"})
    assert made.target.full_text() == "a.txt⟦U+0000⟧.png"


def test_the_time_left_is_shown_and_counts(qtbot: QtBot) -> None:
    time = FakeClock(1_000.0)
    countdown = Countdown(time.now() + 1_790, clock=time)
    qtbot.addWidget(countdown)
    assert countdown.text() == "waits 30 min more"
    time.time += 1_760
    countdown.tell()
    assert countdown.text() == "waits 30 s more"
    time.time += 100
    countdown.tell()
    assert countdown.text() == "waits 0 s more"
    assert Countdown(0).text() == ""


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("class net", "A tool that goes to the network asks unless you allow it."),
        ("tools web_*", "This tool is set to “Ask” for this agent."),
        ("rule 2", "Rule 2 of this agent says: ask."),
        ("call 3 times in a row", "The same call for the 3. time in a row."),
        ("step 2 asks first", "You wanted to be asked before step 2 of the plan."),
        ("after untrusted content from x", "Text written by others was read before in this session."),
        ("something new", "something new"),
    ],
)
def test_a_rule_is_a_sentence(rule: str, sentence: str) -> None:
    assert rule_text(rule) == sentence


# ---------------------------------------------------------------- other arguments, and always


def full(qtbot: QtBot, **args: Any) -> ApprovalCard:
    made = ApprovalCard(Theme(), approval(**args), tool=Asked(parameters=SCHEMA))
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return ready(qtbot, made)


def field(made: ApprovalCard, name: str) -> QLineEdit:
    assert made.details.form is not None
    found = made.details.form.control(name)
    assert isinstance(found, QLineEdit)
    return found


def test_changed_arguments_are_shown_exactly_and_sent(qtbot: QtBot) -> None:
    made = full(qtbot, path="a.md", lines=3)
    QTest.keyClick(made.details.edit, Qt.Key.Key_Space)
    field(made, "lines").setText("x")
    assert not made.allow_once.isEnabled()
    field(made, "lines").setText("3")
    field(made, "path").clear()
    QTest.keyClicks(field(made, "path"), "b.md")
    assert made.details.arguments.text() == canonical_args({"path": "b.md", "lines": 3})
    assert made.details.size_line.text().startswith("changed by you")
    ready(qtbot, made)
    with qtbot.waitSignal(made.answered) as answered:
        QTest.keyClick(made.allow_once, Qt.Key.Key_Space)
    assert answered.args == ["a1", "once", "", {"path": "b.md", "lines": 3}]


def test_changes_are_undone_and_a_denial_sends_none(qtbot: QtBot) -> None:
    made = full(qtbot, path="a.md")
    made.details.edit.click()
    field(made, "path").setText("b.md")
    made.details.edit.click()
    assert made.details.arguments.text() == canonical_args({"path": "a.md"})
    made.details.edit.click()
    field(made, "path").setText("b.md")
    with qtbot.waitSignal(made.answered) as answered:
        made.deny.click()
        made.refusal.send.click()
    assert answered.args == ["a1", "deny", "", None]


def test_a_change_back_is_no_change(qtbot: QtBot) -> None:
    made = full(qtbot, path="a.md")
    made.details.edit.click()
    field(made, "path").setText("b.md")
    field(made, "path").setText("a.md")
    ready(qtbot, made)
    with qtbot.waitSignal(made.answered) as answered:
        made.allow_run.trigger()
    assert answered.args == ["a1", "run", "", None]


def test_always_asks_for_a_pattern_that_fits_exactly_this_call_unless_it_is_widened(qtbot: QtBot) -> None:
    made = full(qtbot, path="notes/[a]*.md")
    made.always.trigger()
    assert fnmatchcase("notes/[a]*.md", made.always_row.pattern.text())
    assert not fnmatchcase("notes/a1.md", made.always_row.pattern.text())
    made.always_row.pattern.setText("notes/*")
    heard: list[tuple[object, ...]] = []
    made.always_allowed.connect(lambda *rule: heard.append(rule))
    made.answered.connect(lambda *answer: heard.append(answer))
    made.always_row.accept.click()
    assert heard == [("put_file", "notes/*"), ("a1", "always", "", None)]
    assert made._outcome.text() == "Allowed from now on"


def test_enter_in_the_pattern_allows_nothing_and_a_star_is_named(qtbot: QtBot) -> None:
    made = full(qtbot, path="a.md")
    made.always.trigger()
    made.always_row.pattern.setText("*")
    assert "Every call of put_file" in made.always_row._told.text()
    with qtbot.assertNotEmitted(made.answered):
        QTest.keyClick(made.always_row.pattern, Qt.Key.Key_Return)


def test_hidden_characters_of_a_pattern_are_shown_but_kept(qtbot: QtBot) -> None:
    made = full(qtbot, path="a\u202eb.md")
    made.always.trigger()
    assert "\u202e" not in made.always_row.pattern.text()
    with qtbot.waitSignal(made.always_allowed) as allowed:
        made.always_row.accept.click()
    assert allowed.args == ["put_file", "a\u202eb.md"]


def test_a_tool_that_must_always_ask_offers_nothing_that_lasts(qtbot: QtBot) -> None:
    asked = replace(approval(path="a"), choices=("once", "deny"))
    made = ApprovalCard(Theme(), asked, tool=Asked(parameters=SCHEMA, rule=False))
    qtbot.addWidget(made)
    made.show()
    assert made.allow_once.isVisible()
    assert not made.more.isVisible()


def test_the_card_fits_a_narrow_window(qtbot: QtBot) -> None:
    made = full(qtbot, path="a.md", lines=3)
    made.details.edit.click()
    made.always.trigger()
    assert made.minimumSizeHint().width() <= 400


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("mcp__a_server_with_a_name__delete_the_whole_repository", "delete the whole repository"),
        ("x" * 64, "x" * 64),
        ("calculator", "Calculate"),
    ],
)
def test_the_name_of_the_tool_is_never_cut_off(qtbot: QtBot, name: str, shown: str) -> None:
    add_titles({"calculator": calculator})
    made = ApprovalCard(Theme(), replace(approval(path="a"), name=name), tool=AskedTool(parameters=SCHEMA))
    qtbot.addWidget(made)
    made.resize(380, made.heightForWidth(380))
    made.show()
    title = made.title
    assert made.width() == 380
    assert title.accessibleName().endswith(shown)
    assert title.text().replace("\u200b", "").endswith(shown)
    assert title.height() >= title.heightForWidth(title.width())
    assert title.minimumSizeHint().width() <= title.width()
