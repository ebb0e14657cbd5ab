from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QSlider,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

import app.ui
from app.core.setting import describe, setting
from app.ui.theme import Theme
from app.ui.widgets.fields.form import Form
from app.ui.widgets.fields.mode_selector import ModeSelector
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.safe_text import SafeLabel


class Sample(BaseModel):
    name: str = setting("", title="Name", group="Words")
    prompt: str = setting("", title="Prompt", group="Words", widget="long_text", max_length=50, help="What to say")
    steps: int = setting(8, ge=1, le=50, title="Steps", group="Numbers", unit="steps")
    share: float = setting(0.5, ge=0, le=2, title="Share", group="Numbers")
    limit: int | None = setting(None, ge=1, le=100, title="Limit", group="Numbers")
    heat: float | None = setting(None, ge=0, le=2, title="Heat", group="Numbers")
    rounds: int = setting(3, ge=0, le=10, title="Rounds", group="Numbers", widget="slider")
    theme: Literal["light", "dark"] = setting("light", title="Theme", group="Look")
    wide: bool = setting(False, title="Wide", group="Look")
    hidden: int = 3


@pytest.fixture
def form(qtbot: QtBot) -> Form:
    made = Form(describe(Sample), Theme(), words={"theme": {"dark": "Dunkel"}}, names={"steps": "stepsField"})
    qtbot.addWidget(made)
    made.show()
    return made


_SAMPLES = st.builds(
    Sample,
    name=st.text(st.characters(categories=("L", "N", "P")), max_size=20),
    prompt=st.text(st.characters(categories=("L", "N", "P")) | st.just("\n"), max_size=50),
    steps=st.integers(1, 50),
    share=st.integers(0, 2_000).map(lambda n: n / 1_000),
    limit=st.none() | st.integers(1, 100),
    heat=st.none() | st.integers(0, 20).map(lambda n: n / 10),
    rounds=st.integers(0, 10),
    theme=st.sampled_from(["light", "dark"]),
    wide=st.booleans(),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(_SAMPLES)
def test_a_form_gives_back_an_equal_object(form: Form, sample: Sample) -> None:
    form.set_values(sample.model_dump())
    assert Sample(**form.values(), hidden=sample.hidden) == sample
    assert form.errors() == {}


def test_each_kind_has_its_widget(form: Form) -> None:
    for name, kind in {
        "name": QLineEdit,
        "prompt": QPlainTextEdit,
        "steps": QSpinBox,
        "limit": QLineEdit,
        "rounds": QSlider,
        "theme": ModeSelector,
        "wide": Switch,
    }.items():
        assert isinstance(form.editor(name).control, kind)
    assert form.findChild(QSpinBox, "stepsField") is not None


def test_a_setting_without_title_is_not_shown(form: Form) -> None:
    assert "hidden" not in form.values()


def test_only_a_person_causes_changed(form: Form, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(form.changed):
        form.set_values(Sample(steps=9, wide=True).model_dump())
    with qtbot.waitSignal(form.changed):
        form.editor("steps").set_value(10)


@pytest.mark.parametrize(
    ("name", "typed", "error"),
    [
        ("limit", "abc", "Not a number"),
        ("limit", "0", "From 1 to 100"),
        ("limit", "1.5", "Not a number"),
        ("heat", "3", "From 0 to 2"),
        ("heat", "nan", "Not a number"),
        ("prompt", "x" * 51, "Too long"),
    ],
)
def test_what_is_wrong_is_said_beside_it(form: Form, name: str, typed: str, error: str) -> None:
    control = form.editor(name).control
    if isinstance(control, QLineEdit):
        control.setText(typed)
    elif isinstance(control, QPlainTextEdit):
        control.setPlainText(typed)
    assert form.errors() == {name: error}
    assert error in [label.text() for label in form.findChildren(SafeLabel) if label.isVisibleTo(form)]
    form.set_values(Sample().model_dump())
    assert form.errors() == {}


def test_characters_are_counted(form: Form) -> None:
    form.set_values({"prompt": "你好"})
    assert "2 of 50 characters" in [label.text() for label in form.findChildren(SafeLabel)]


def test_the_filter_hides_what_does_not_match_and_empty_groups(form: Form) -> None:
    assert form.filter("what to SAY") == 1
    shown = {label.text() for label in form.findChildren(SafeLabel) if label.isVisibleTo(form)}
    assert "Words" in shown
    assert "Numbers" not in shown
    assert form.filter("") == 9


def test_scrolling_over_a_form_changes_nothing(form: Form) -> None:
    before = form.values()
    for control in form.findChildren(QWidget):
        if isinstance(control, QSpinBox | QSlider | QComboBox):
            control.setFocus()
            turn = QWheelEvent(
                QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(control, turn)
    assert form.values() == before


def test_every_control_has_an_accessible_name(form: Form) -> None:
    names: dict[str, Any] = {name: form.editor(name).control.accessibleName() for name in form.values()}
    assert all(names.values()), names


def test_a_choice_of_a_newer_version_is_kept(form: Form) -> None:
    form.set_values({"theme": "sepia"})
    assert form.values()["theme"] == "sepia"


def test_choices_are_shown_in_words(form: Form) -> None:
    segments = form.editor("theme").control
    assert [one.text() for one in segments.findChildren(QRadioButton)] == ["light", "Dunkel"]


def test_numbers_can_be_read_in_their_fields(form: Form) -> None:
    field = form.editor("steps").control
    assert isinstance(field, QSpinBox)
    assert field.lineEdit().width() > 50


@pytest.mark.parametrize("number", [12_345.67, 1_234_567.5, 0.1, 86_400.0, 1_000_000_000])
def test_a_large_number_comes_back_with_all_its_digits(qtbot: QtBot, number: float) -> None:
    class Wide(BaseModel):
        money: float | None = setting(None, title="Money")
        seconds: float = setting(1.0, ge=0, le=10_000_000_000, title="Seconds")

    made = Form(describe(Wide), Theme())
    qtbot.addWidget(made)
    value = {"money": float(number), "seconds": min(float(number), 2e9)}
    made.set_values(value)
    assert made.values() == value
    assert made.errors() == {}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1,234", 1234), ("1234", 1234), (" 7 ", 7), ("1,5", None), ("1.5", None), ("12,34", None), ("nan", None),
        ("inf", None), ("1e3", None), ("-3", -3), ("9" * 5_000, None), ("１２", None), ("1_000", None), ("", None),
    ],
)  # fmt: skip
def test_a_typed_number_is_itself_or_refused(qtbot: QtBot, typed: str, value: int | None) -> None:
    class Tokens(BaseModel):
        tokens: int | None = setting(None, ge=1, title="Tokens")

    made = Form(describe(Tokens), Theme())
    qtbot.addWidget(made)
    field = made.editor("tokens").control
    assert isinstance(field, QLineEdit)
    field.setText(typed)
    assert made.values()["tokens"] == value or made.errors()
    assert bool(made.errors()) == bool(typed.strip() and (value is None or value < 1))


def test_a_number_is_written_the_same_on_every_system(qtbot: QtBot) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    try:
        made = Form(describe(Sample), Theme())
        qtbot.addWidget(made)
        made.set_values({"share": 1.5, "steps": 8})
        spin = made.editor("share").control
        assert isinstance(spin, QDoubleSpinBox)
        assert spin.text() == "1.5"
        spin.selectAll()
        QTest.keyClicks(spin, "0.25")
        spin.interpretText()
        assert made.values()["share"] == 0.25
    finally:
        QLocale.setDefault(before)


def test_a_number_says_what_it_counts_and_how_far_it_goes(form: Form) -> None:
    told = {label.full_text() for label in form.findChildren(SafeLabel)}
    assert {"steps · 1 – 50", "0 – 2", "1 – 100"} <= told


def test_no_room_of_the_window_makes_a_bare_control_of_the_toolkit() -> None:
    """Their arrows are left half drawn by the style sheet, and a turn of the wheel changes them."""
    bare = re.compile(r"\b(QComboBox|QSpinBox|QDoubleSpinBox|QDateEdit|QTimeEdit|QDateTimeEdit|NamedCombo)\(")
    ui = Path(app.ui.__file__).parent
    found = [file.relative_to(ui) for file in ui.rglob("*.py") if bare.search(_calls(file.read_text(encoding="utf-8")))]
    assert found == []


def _calls(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("class "))
