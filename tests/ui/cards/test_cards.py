from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton, QTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.tools.card import CARD_KINDS, Card, CardAction, actions_of
from app.core.tools.card_markdown import card_markdown
from app.ui.cards import RENDERERS, CardFrame, make_card
from app.ui.cards.parts.flow import Flow
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

HOSTILE = "<b>X</b><img src='//canary/s'>\u202e"
SHOWN = "<b>X</b><img src='//canary/s'>⟦U+202E⟧"

PAYLOADS: dict[str, dict[str, Any]] = {
    "table": {
        "title": HOSTILE,
        "columns": [{"key": "a", "label": HOSTILE}, {"key": "n", "label": "n", "align": "right"}],
        "rows": [{"a": HOSTILE, "n": 3}],
    },
    "key_values": {"title": HOSTILE, "items": [{"label": HOSTILE, "value": HOSTILE, "note": HOSTILE}]},
    "timeline": {
        "title": HOSTILE,
        "groups": [
            {
                "label": HOSTILE,
                "sub": HOSTILE,
                "items": [{"time": "09:00", "end": "10:00", "title": HOSTILE, "text": HOSTILE, "warn": True}],
            }
        ],
    },
    "gallery": {
        "title": HOSTILE,
        "items": [{"title": HOSTILE, "sub": HOSTILE, "score": 4, "chips": [HOSTILE], "text": HOSTILE}],
    },
    "checklist": {"title": HOSTILE, "items": [{"text": HOSTILE, "state": "error", "hint": HOSTILE}]},
    "chart": {"title": HOSTILE, "kind": "pie", "series": [{"label": HOSTILE, "value": 3}, {"label": "b", "value": 1}]},
    "sources": {"title": HOSTILE, "items": [{"n": 1, "title": HOSTILE, "url": "https://x", "note": HOSTILE}]},
    "map": {
        "title": HOSTILE,
        "points": [
            {"lat": 30.1, "lon": 120.2, "label": HOSTILE, "group": HOSTILE},
            {"lat": 30.2, "lon": 120.3, "label": "b"},
        ],
        "legs": [{"from": HOSTILE, "to": "b", "km": 14.6}],
    },
    "diff": {"title": HOSTILE, "path": HOSTILE, "hunks": [{"old": HOSTILE, "new": HOSTILE, "status": HOSTILE}]},
    "document": {"title": HOSTILE, "markdown": f"# {HOSTILE}"},
    "choice": {"title": HOSTILE, "question": HOSTILE, "options": [{"id": "a", "label": HOSTILE, "note": HOSTILE}]},
    "progress": {"title": HOSTILE, "value": 3, "total": 4, "text": HOSTILE},
    "hologram": {"title": HOSTILE, "anything": HOSTILE, "list": [1, 2]},
}


def card(qtbot: QtBot, kind: str, payload: dict[str, Any]) -> CardFrame:
    made = make_card({"card": kind, "payload": payload}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    made.resize(700, 10)
    made.ensurePolished()
    made.resize(700, made.heightForWidth(700) if made.hasHeightForWidth() else made.sizeHint().height())
    made.show()
    return made


def texts(widget: QWidget) -> str:
    labels = [
        label.full_text() if hasattr(label, "full_text") else label.text() for label in widget.findChildren(QLabel)
    ]
    return "\n".join([*labels, *(edit.toPlainText() for edit in widget.findChildren(QTextEdit))])


def press(widget: QWidget, name: str) -> None:
    next(b for b in widget.findChildren(QToolButton) if b.accessibleName() == name).click()


@pytest.mark.parametrize("kind", PAYLOADS)
def test_text_of_tools_stays_literal(qtbot: QtBot, kind: str) -> None:
    shown = texts(card(qtbot, kind, PAYLOADS[kind]))
    assert SHOWN in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("kind", PAYLOADS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_paints_in_both_themes(qtbot: QtBot, kind: str, scheme: Any) -> None:
    made = make_card({"card": kind, "payload": PAYLOADS[kind]}, Theme(scheme, 1.5))
    assert made is not None
    qtbot.addWidget(made)
    made.resize(500, 300)
    assert not made.grab().isNull()


@pytest.mark.parametrize("kind", PAYLOADS)
def test_the_height_a_card_asks_for_cuts_no_text(qtbot: QtBot, kind: str) -> None:
    made = card(qtbot, kind, PAYLOADS[kind])
    qtbot.wait(1)
    for label in made.findChildren(QLabel):
        if label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width())


@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_card_copies_as_markdown(qtbot: QtBot, kind: str) -> None:
    press(card(qtbot, kind, PAYLOADS[kind]), "Copy as Markdown")
    assert QGuiApplication.clipboard().text() == card_markdown(kind, PAYLOADS[kind])


def test_a_table_copies_as_csv(qtbot: QtBot) -> None:
    press(card(qtbot, "table", PAYLOADS["table"]), "Copy as CSV")
    assert list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))[1] == [HOSTILE, "3"]


def test_a_table_shows_what_its_lines_add_up_to(qtbot: QtBot) -> None:
    pie = {"kind": "pie", "series": [{"label": "Beds", "value": 600}, {"label": "Food", "value": 200}]}
    rows = [{"a": "Beds", "b": "¥600"}, {"a": "Food", "b": "¥200"}]
    shown = texts(card(qtbot, "table", {"rows": rows, "chart": pie}))
    assert "600 · 75%" in shown
    assert "200 · 25%" in shown


@pytest.mark.parametrize("kind", ["bar", "line", "radar", "pie"])
def test_a_chart_of_any_kind_names_its_values(qtbot: QtBot, kind: str) -> None:
    made = card(qtbot, "chart", {"kind": kind, "series": [{"label": "a", "value": 3}, {"label": "b", "value": -1}]})
    names = " ".join(widget.accessibleName() for widget in made.findChildren(QWidget))
    assert "a: 3, b: -1" in names


def test_a_chart_of_lines_names_its_series(qtbot: QtBot) -> None:
    series = [{"name": "north", "points": [["Mon", 1], ["Tue", 4]]}, {"name": "south", "points": [2, 3]}]
    made = card(qtbot, "chart", {"kind": "line", "series": series})
    assert "north" in texts(made)
    assert "south" in texts(made)
    assert not made.grab().isNull()


FIX = {"id": "fix.0", "label": "Fix & go", "tool": "edit_trip", "args": {"ops": [{"op": "ease", "day": 1}]}}


def test_a_problem_with_a_remedy_has_its_button_and_says_which_it_was(qtbot: QtBot) -> None:
    payload = {"items": [{"text": "Too much", "state": "error", "actions": ["fix.0", "none"]}]}
    made = make_card({"card": "checklist", "payload": payload, "actions": [FIX]}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    (button,) = made.findChildren(QPushButton)
    assert button.text() == "Fix && go"
    with qtbot.waitSignal(made.pressed) as told:
        button.click()
    assert told.args == ["fix.0", {}]


def test_what_buttons_share_is_stored_once_and_read_back_into_each() -> None:
    trip = {"days_list": [1, 2, 3]}
    actions = (CardAction("a", "A", "x", {"n": 1}, takes=("trip",)), CardAction("b", "B", "x"))
    display = Card("table", {}, actions=actions, shared={"trip": trip}).to_json()
    assert [dict(action.args) for action in actions_of(display)] == [{"trip": trip, "n": 1}, {}]
    assert json.dumps(display).count("days_list") == 1
    broken = {**display, "shared": {}}
    assert [action.id for action in actions_of(broken)] == ["b"], "a button without what it needs is none"


def test_a_change_shows_what_was_and_what_comes(qtbot: QtBot) -> None:
    made = card(qtbot, "diff", {"path": "notes.md", "hunks": [{"old": "two cats", "new": "three cats"}, {"new": "x"}]})
    assert texts(made).split("\n")[1:] == ["notes.md", "−", "two cats", "+", "three cats", "+", "x"]


@pytest.mark.parametrize(("value", "shown"), [(3, 750), (9, 1000), (-1, 0)])
def test_progress_is_a_share_and_its_numbers(qtbot: QtBot, value: int, shown: int) -> None:
    made = card(qtbot, "progress", {"value": value, "total": 4, "text": "files"})
    assert made.findChildren(QProgressBar)[0].value() == shown
    assert f"{value} / 4 · files" in texts(made)


@pytest.mark.parametrize("width", [480, 600, 740])
def test_a_label_stands_in_one_line_beside_a_long_value(qtbot: QtBot, width: int) -> None:
    items = [
        {"label": "Per person and day", "value": "food, history, culture and museums " * 6},
        {"label": "To", "value": "1"},
    ]
    made = make_card({"card": "key_values", "payload": {"title": "Beijing", "items": items}}, Theme())
    assert made is not None
    made.setFont(Theme().font("meta"))  # as the style sheet has it
    qtbot.addWidget(made)
    made.resize(width, made.heightForWidth(width))
    made.show()
    name = next(label for label in made.findChildren(QLabel) if label.text() == "Per person and day")
    assert name.width() >= name.fontMetrics().horizontalAdvance("Per person and day")
    assert name.heightForWidth(name.width()) < 2 * name.fontMetrics().height()


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_long_labels_leave_most_of_a_narrow_card_to_the_values(qtbot: QtBot, zoom: float) -> None:
    items = [{"label": "a label nobody would give a column of its own", "value": "value"}]
    made = make_card({"card": "key_values", "payload": {"title": "", "items": items}}, Theme("light", zoom))
    assert made is not None
    qtbot.addWidget(made)
    for width in (900, 360):
        made.resize(width, made.heightForWidth(width))
        made.show()
    value = next(label for label in made.findChildren(QLabel) if label.text() == "value")
    assert value.width() > made.body.width() / 2.5
    assert value.geometry().right() < made.body.width()


def test_progress_of_nothing_is_listed(qtbot: QtBot) -> None:
    made = card(qtbot, "progress", {"value": 3, "total": 0})
    assert made.findChildren(QProgressBar) == []
    assert "total" in texts(made)


def test_a_choice_numbers_its_options(qtbot: QtBot) -> None:
    options = [{"id": "a", "label": "By train", "note": "4 h"}, {"id": "By air"}]
    shown = texts(card(qtbot, "choice", {"question": "How to go?", "options": options}))
    assert shown.split("\n")[1:] == ["How to go?", "1. By train", "4 h", "2. By air"]


def test_a_long_card_shows_its_beginning_and_more_on_request(qtbot: QtBot) -> None:
    made = card(qtbot, "checklist", {"items": [{"text": f"item {n}", "state": "todo"} for n in range(100)]})
    assert "item 23" in texts(made)
    assert "item 24" not in texts(made)
    button = next(b for b in made.findChildren(QPushButton) if b.text() == "Show 76 more")
    with qtbot.waitSignal(made.grew):
        button.click()
    assert "item 99" in texts(made)


@pytest.mark.parametrize("display", [None, "text", {}, {"card": "table"}, {"card": 3, "payload": {}}, {"payload": {}}])
def test_what_is_no_card_makes_none(qtbot: QtBot, display: object) -> None:
    assert make_card(display, Theme()) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["label", "value", "title", "items", "points", "state", "score"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
_KEYS = st.sampled_from(
    [
        "title",
        "items",
        "rows",
        "columns",
        "groups",
        "series",
        "kind",
        "points",
        "legs",
        "map",
        "chart",
        "hunks",
        "options",
        "value",
        "total",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(sorted({*CARD_KINDS, *RENDERERS})), st.dictionaries(_KEYS, _JSON, max_size=4))
def test_any_payload_makes_a_card_that_paints(qtbot: QtBot, kind: str, payload: dict[str, Any]) -> None:
    made = make_card({"card": kind, "payload": payload}, Theme())
    assert made is not None
    made.resize(400, 200)
    assert not made.grab().isNull()
    made.deleteLater()


WAYS = {
    "question": "Which way?",
    "options": [
        {"id": "train", "label": "By train & bus", "note": "4 hours"},
        {"id": "car"},
        {"id": "novel", "label": "x" * 400},
    ],
}


def choosing(qtbot: QtBot, answer: Any, width: int = 700) -> CardFrame:
    made = make_card({"card": "choice", "payload": WAYS}, Theme(), answer=answer)
    assert made is not None
    qtbot.addWidget(made)
    made.resize(width, made.heightForWidth(width))
    made.show()
    return made


def test_an_option_is_said_by_a_click_and_by_the_keyboard(qtbot: QtBot) -> None:
    said: list[str] = []
    made = choosing(qtbot, said.append)
    train, car = made.findChildren(QPushButton)
    assert train.accessibleName() == "By train & bus"
    assert train.accessibleDescription() == "4 hours · Says: By train & bus"
    QTest.mouseClick(train, Qt.MouseButton.LeftButton)
    assert said == ["By train & bus"]
    qtbot.wait(QApplication.doubleClickInterval() + 20)  # at least; later does no harm
    car.setFocus()
    QTest.keyClick(car, Qt.Key.Key_Space)
    assert said == ["By train & bus", "car"]


def test_a_double_click_says_an_option_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 600_000)
    said: list[str] = []
    made = choosing(qtbot, said.append)
    button = made.findChildren(QPushButton)[0]
    button.click()
    button.click()
    assert said == ["By train & bus"]


def test_an_option_too_long_to_be_read_at_a_glance_is_no_button(qtbot: QtBot) -> None:
    made = choosing(qtbot, lambda words: None)
    assert len(made.findChildren(QPushButton)) == 2
    assert "x" * 400 in texts(made)


def test_where_nobody_can_answer_options_are_text(qtbot: QtBot) -> None:
    made = choosing(qtbot, None)
    assert made.findChildren(QPushButton) == []
    assert "1. By train & bus" in texts(made)


def test_a_button_is_as_high_as_the_words_of_its_option(qtbot: QtBot) -> None:
    payload = {"options": [{"label": "a long way to put it " * 8, "note": "and a note " * 12}]}
    made = make_card({"card": "choice", "payload": payload}, Theme(), answer=lambda words: None)
    assert made is not None
    qtbot.addWidget(made)
    made.resize(320, made.heightForWidth(320))
    made.show()
    qtbot.wait(1)
    (button,) = made.findChildren(QPushButton)
    for label in button.findChildren(QLabel):
        assert label.height() >= label.heightForWidth(label.width())
        assert button.rect().contains(label.geometry())


@pytest.mark.parametrize(("width", "columns"), [(380, 1), (410, 1), (440, 2), (700, 2)])
def test_a_gallery_has_one_column_where_it_is_narrow(qtbot: QtBot, width: int, columns: int) -> None:
    items = [{"title": f"Hotel {n}", "text": "a quiet house with a garden " * 3} for n in range(3)]
    made = make_card({"card": "gallery", "payload": {"items": items}}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    made.resize(width, made.heightForWidth(width))
    made.show()
    qtbot.wait(1)
    titles = [label for label in made.findChildren(SafeLabel) if label.full_text().startswith("Hotel")]
    places = [label.mapTo(made, label.rect().topLeft()) for label in titles]
    assert len({place.x() for place in places}) == columns
    for label in made.findChildren(QLabel):
        if label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width())
            assert made.rect().contains(QRect(label.mapTo(made, QPoint()), label.size()))


def test_a_row_of_buttons_is_as_high_as_those_of_a_fixed_height(qtbot: QtBot) -> None:
    buttons = [QPushButton("days 3"), QPushButton("adults 2")]
    for button in buttons:
        button.setFixedHeight(60)
    row = Flow(buttons, Theme())
    qtbot.addWidget(row)
    assert row.heightForWidth(400) == 60
    assert row.heightForWidth(buttons[0].sizeHint().width() + 4) >= 120
