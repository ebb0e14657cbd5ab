from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.profile import AgentProfile
from app.core.setting import describe
from app.ui.dialogs.agents.pick_editors import PickEditor
from app.ui.theme import Theme
from app.ui.widgets.fields.rows_editor import EditRow, RowsEditor
from app.ui.widgets.tab_order import anchor, tab_through


def stops(window: QWidget) -> list[str]:
    """What Tab reaches, by name."""
    window.show()
    QCoreApplication.processEvents()  # what was added to a layout is shown by an event
    first = window.findChildren(QLineEdit)[0]
    first.setFocus()
    found: list[str] = []
    for _step in range(30):
        now: QWidget | None = window.focusWidget()
        if found and now is first:
            break
        found.append(now.accessibleName() if now is not None else "nothing")
        window.focusNextChild()
    return found


def line(name: str, parent: QWidget | None = None) -> QLineEdit:
    made = QLineEdit(parent)
    made.setAccessibleName(name)
    return made


def test_what_is_made_later_is_reached_where_it_stands(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    group = QWidget()
    before = anchor(group)
    for part in (line("first"), group, line("last")):
        layout.addWidget(part)
    row = QHBoxLayout(group)
    late = [line("one"), line("two")]
    for part in late:
        row.addWidget(part)
    tab_through(before, late)
    assert stops(window) == ["first", "one", "two", "last"]
    tab_through(before, reversed(late))
    assert stops(window) == ["first", "two", "one", "last"]


class Row(EditRow):
    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self.field = line(name)
        box = QHBoxLayout(self)
        for part in (self.field, self.remove):
            box.addWidget(part)


class Rows(RowsEditor):
    def make_row(self, value: str) -> EditRow:
        return Row(Theme(), value)


def test_rows_that_are_added_and_moved_are_reached_from_top_to_bottom(qtbot: QtBot) -> None:
    theme = Theme()
    rows = Rows(theme, add="Add", empty="", fresh="new")
    rows.add_button.setAccessibleName("Add")
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    for part in (line("first"), rows, line("last")):
        layout.addWidget(part)
    rows.set_value(("a", "b"))

    def fields() -> list[str]:
        return [name for name in stops(window) if not name.startswith("Delete")]

    assert fields() == ["first", "a", "b", "Add", "last"]
    rows.add("c")
    assert fields() == ["first", "a", "b", "c", "Add", "last"]
    rows.rows[2].moved.emit(-1)
    assert fields() == ["first", "a", "c", "b", "Add", "last"]


def test_switches_made_anew_are_reached_where_they_stand(qtbot: QtBot) -> None:
    info = describe(AgentProfile)[0]
    options = [("a", "A"), ("b", "B"), ("c", "C")]
    pick = PickEditor("none", info, Theme())
    pick.offer(options)
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    for part in (line("first"), pick, line("last")):
        layout.addWidget(part)
    for chosen in ((), ("b",), ("c", "a")):
        pick.set_value(chosen)
        names = [name.rpartition(" ")[2] for name in stops(window)]
        rest = [id.upper() for id, _title in options if id not in chosen]
        assert names == ["first", *(id.upper() for id in chosen), *rest, "last"]
