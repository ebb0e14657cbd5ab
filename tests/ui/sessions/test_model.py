"""The list of sessions keeps the rules of item models and of the window."""

from __future__ import annotations

from datetime import UTC, date, datetime

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.core.session.summary import SessionRow
from app.ui.sessions.arrange import ARCHIVE
from app.ui.sessions.model import GROUP, ID, RUNNING, SessionListModel
from tests.fakes import FakeClock

TODAY = date(2026, 11, 20)


def row(id: str, days_ago: float, **more: object) -> SessionRow:
    moment = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp() - days_ago * 86_400
    return SessionRow(id, f"Title {id}", "travel", "", "", moment, moment, **more)  # type: ignore[arg-type]


def model_of(*rows: SessionRow) -> tuple[SessionListModel, QAbstractItemModelTester]:
    model = SessionListModel(clock=FakeClock(day=TODAY))
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows(rows)
    return model, tester


def ids(model: SessionListModel) -> list[str]:
    return [model.index(n).data(ID) for n in range(model.rowCount())]


def test_pinned_come_first_then_newest_and_each_group_is_titled_once() -> None:
    model, _tester = model_of(row("old", 400), row("a", 0), row("b", 0.01), row("pin", 50, pinned=True), row("w", 3))
    assert ids(model) == ["pin", "a", "b", "w", "old"]
    assert [model.index(n).data(GROUP) for n in range(5)] == ["Pinned", "Today", "", "Last 7 days", "2025"]


def test_what_is_in_the_bin_is_not_shown() -> None:
    model, _tester = model_of(row("a", 0), row("gone", 1, trashed=5.0))
    assert ids(model) == ["a"]


def test_words_filter_over_title_preview_and_agent() -> None:
    model, _tester = model_of(row("a", 0, preview="三日游 Beijing"), row("b", 1))
    model.set_filter("beijing title")
    assert ids(model) == ["a"]
    model.set_filter("三日")
    assert ids(model) == ["a"]
    model.set_filter("nowhere")
    assert ids(model) == []
    model.set_filter("")
    assert len(ids(model)) == 2


def test_a_newer_version_moves_up_and_nothing_is_doubled() -> None:
    model, _tester = model_of(row("a", 1), row("b", 2))
    model.put(row("b", 0))
    assert ids(model) == ["b", "a"]
    model.take("b")
    assert ids(model) == ["a"]


def test_the_rows_that_follow_the_first_ones_are_added_below_them() -> None:
    model, _tester = model_of(row("a", 1), row("w", 2, folder="Work"))
    resets: list[int] = []
    added: list[tuple[int, int]] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.rowsInserted.connect(lambda _parent, first, last: added.append((first, last)))
    model.set_rows([row("a", 1), row("b", 3), row("c", 4), row("w", 2, folder="Work"), row("z", 5, archived=True)])
    assert ids(model) == [None, "w", "a", "b", "c", None]
    assert (resets, added) == ([], [(3, 5)])


def test_running_sessions_are_marked_without_a_reset() -> None:
    model, _tester = model_of(row("a", 1), row("b", 2))
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_running({"b"})
    assert [model.index(n).data(RUNNING) for n in range(2)] == [False, True]
    assert resets == []


def test_editing_asks_for_a_new_title_and_refuses_an_empty_one() -> None:
    model, _tester = model_of(row("a", 1))
    asked: list[tuple[str, str]] = []
    model.rename_asked.connect(lambda *wish: asked.append(wish))
    assert not model.setData(model.index(0), "   ")
    assert model.setData(model.index(0), "  Beijing\n in spring ")
    assert asked == [("a", "Beijing in spring")]
    assert model.index(0).data(Qt.ItemDataRole.DisplayRole) == "Beijing in spring"


def test_a_session_without_a_title_is_named_as_new() -> None:
    model, _tester = model_of(SessionRow("x", "", "a", "", "", 0.0, 0.0))
    assert model.index(0).data() == "New session"
    assert model.index(0).data(Qt.ItemDataRole.EditRole) == ""


def heads(model: SessionListModel) -> list[tuple[str, int, bool]]:
    found = [model.lines.head_at(n) for n in range(model.rowCount())]
    return [(head.title, head.count, head.is_open) for head in found if head is not None]


def test_folders_stand_below_what_is_pinned_and_the_archive_at_the_end_closed() -> None:
    model, _tester = model_of(
        row("a", 0), row("w", 1, folder="Work"), row("h", 2, folder="home"), row("old", 3, archived=True),
        row("p", 4, folder="Work", pinned=True), row("temporary-x", 5),
    )  # fmt: skip
    assert ids(model) == ["temporary-x", "p", None, "h", None, "w", "a", None]
    assert heads(model) == [("home", 1, True), ("Work", 1, True), ("Archive", 1, False)]
    assert [one.id for one in model.lines.shown_rows()] == ["temporary-x", "p", "h", "w", "a"]
    assert model.folders() == ["home", "Work"]


def test_a_head_opens_and_closes_and_a_search_looks_into_closed_ones() -> None:
    model, _tester = model_of(row("w", 1, folder="Work"), row("old", 3, archived=True))
    model.toggle("Work")
    assert ids(model) == [None, None]
    model.set_filter("title")
    assert ids(model) == [None, "w", None, "old"]
    model.set_filter("")
    model.toggle(ARCHIVE)
    assert ids(model) == [None, None, "old"]
    assert model.closed == {"Work"}


def test_what_is_dropped_on_a_line_goes_where_the_line_stands() -> None:
    model, _tester = model_of(
        row("p", 0, pinned=True), row("w", 1, folder="Work"), row("a", 2), row("o", 3, archived=True)
    )
    targets = [model.lines.folder_at(n) for n in range(model.rowCount())]
    assert targets == [None, "Work", "Work", "", ARCHIVE]
    assert model.lines.folder_at(-1) == ""


def test_a_folder_is_renamed_in_place_and_the_store_decides() -> None:
    model, _tester = model_of(row("w", 1, folder="Work"))
    asked: list[tuple[str, str]] = []
    model.folder_rename_asked.connect(lambda *wish: asked.append(wish))
    assert not model.setData(model.index(0), "  Office  hours ")
    assert asked == [("Work", "Office hours")]
    assert heads(model) == [("Work", 1, True)]
