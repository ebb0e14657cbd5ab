"""Lists, quotes, tables and headings as descriptions."""

from __future__ import annotations

from app.ui.render.markdown.blocks import DEEPEST, CodeBlock, Formula, TableBlock, TextLine, row_texts, to_blocks
from app.ui.render.markdown.inline import TextRun
from app.ui.render.markdown.markdown import parse, references


def lines(source: str) -> list[TextLine]:
    return [block for block in to_blocks(parse(source)) if isinstance(block, TextLine)]


def test_an_ordered_list_counts_from_its_start() -> None:
    assert [line.marker for line in lines("3. a\n4. b")] == ["3.", "4."]
    assert [line.marker for line in lines("0. a\n1. b")] == ["0.", "1."]


def test_check_boxes_replace_bullets() -> None:
    assert [(line.marker, line.runs[0].text) for line in lines("- [x] a\n- [ ] b\n- c")] == [
        ("☑", "a"),
        ("☐", "b"),
        ("•", "c"),
    ]


def test_only_the_first_paragraph_of_an_item_has_the_marker() -> None:
    assert [line.marker for line in lines("- a\n\n  b\n")] == ["•", ""]


def test_an_item_that_begins_with_code_shows_its_marker() -> None:
    blocks = to_blocks(parse("- ```\n  x\n  ```\n"))
    assert blocks == [TextLine("p", (), 1, "•"), CodeBlock("", "x", 1)]


def test_depth_is_capped() -> None:
    deep = lines("> " * 30 + "x")
    assert max(line.depth for line in deep) == DEEPEST
    assert all(line.quoted for line in deep)


def test_a_table_has_alignments_and_rows() -> None:
    (table,) = to_blocks(parse("| a | b |\n|:-:|--:|\n| 1 | **2** |"))
    assert isinstance(table, TableBlock)
    assert table.aligns == ("center", "right")
    assert row_texts(table.head) == ("a", "b")
    assert [row_texts(row) for row in table.rows] == [("1", "2")]


def test_the_language_is_the_first_word_of_the_fence() -> None:
    assert to_blocks(parse("```py title=x\n1\n```")) == [CodeBlock("py", "1")]


def test_display_formulas_are_blocks_of_their_own() -> None:
    assert to_blocks(parse("$$\na+b\n$$")) == [Formula("a+b")]


def test_links_defined_later_are_found_for_piecewise_parsing() -> None:
    env = references("text [one][a]\n\n[a]: https://a.example\n")
    (line,) = [block for block in to_blocks(parse("text [one][a]", env)) if isinstance(block, TextLine)]
    assert line.runs[1] == TextRun("one", 32, "https://a.example")
