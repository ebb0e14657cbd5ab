"""The editor of the page gives back exactly what it was given, or cannot be typed into."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.core.page import PageTerm
from app.ui.page.editor import MOST_EDITED, PageEditor
from app.ui.theme import Theme


def test_a_text_comes_back_as_it_was_or_can_only_be_read(qtbot: QtBot) -> None:
    editor = PageEditor(Theme())
    qtbot.addWidget(editor)
    for text, is_kept in (
        ("hard\u00a0space\n\n  indented\ttab", True), ("𠮷野家\n第二段", True), ("", True),
        ("a separator\u2029inside", False), ("字" * (MOST_EDITED + 1), False),
    ):  # fmt: skip
        editor.show_text(text, is_indented=True)
        assert (editor.text() == text, editor.isReadOnly()) == (is_kept, not is_kept), text[:20]


def test_a_passage_is_counted_in_characters_and_names_are_whole_words(qtbot: QtBot) -> None:
    editor = PageEditor(Theme())
    qtbot.addWidget(editor)
    editor.show_text("𠮷野家的Ann来了，Annie没来。", is_indented=False)
    assert editor.go_to("来了")
    first, last = editor.passage()
    assert editor.text()[first:last] == "来了"
    editor.marks.set_terms([PageTerm("Ann", "she"), PageTerm("野家", "a place"), PageTerm("野", "no")])
    text = editor.text()
    found = [term.name for place in (1, 4, 10) if (term := editor.marks.term_at(text, place)) is not None]
    assert found == ["野家", "Ann"]
