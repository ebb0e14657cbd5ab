"""The splitter: any chunking gives the page that one parse gives, and finished text is not touched again."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from app.ui.render.markdown.blocks import Block, CodeBlock, TextLine, to_blocks
from app.ui.render.markdown.changes import Change, CodeGrew, Settled, TableGrew, Tail
from app.ui.render.markdown.inline import plain_text
from app.ui.render.markdown.markdown import Env, parse
from app.ui.render.markdown.page import PageBlocks
from app.ui.render.markdown.splitter import Splitter

WORDS = st.sampled_from(
    ["plain", "**bold**", "`code`", "*soft*", "重试", "**注意：**请", "[link](https://a.example)", "x_y"]
)
PROSE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
CODE_LINE = st.sampled_from(["x = 1", "    deep()", "", "| no table |", "- no list", "~~~", "# no heading"])
CELL = st.sampled_from(["a", "**b**", "数", "1"])


@st.composite
def _list(draw: st.DrawFn) -> str:
    ordered = draw(st.booleans())
    start = draw(st.integers(1, 9))
    items = draw(st.lists(PROSE, min_size=1, max_size=5))
    lines = [f"{start + i}. {item}" if ordered else f"- {item}" for i, item in enumerate(items)]
    nested = draw(st.booleans())
    return ("\n   - inner\n" if nested else "\n").join(lines)


@st.composite
def _table(draw: st.DrawFn) -> str:
    width = draw(st.integers(1, 4))
    row = st.lists(CELL, min_size=width, max_size=width).map(lambda cells: "| " + " | ".join(cells) + " |")
    rows = draw(st.lists(row, max_size=4))
    return "\n".join([draw(row), "|" + "---|" * width, *rows])


@st.composite
def _fence(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from(["```", "````"]))
    language = draw(st.sampled_from(["", "python", "c++ x"]))
    return "\n".join([mark + language, *draw(st.lists(CODE_LINE, max_size=5)), mark])


BLOCK = st.one_of(
    PROSE,
    st.tuples(st.integers(1, 4), PROSE).map(lambda pair: "#" * pair[0] + " " + pair[1]),
    _list(),
    _table(),
    _fence(),
    PROSE.map(lambda text: "> " + text),
    st.just("---"),
)
DOCUMENT = st.lists(BLOCK, min_size=1, max_size=7).map(lambda blocks: "\n\n".join(blocks) + "\n")


def page_after(changes: list[Change]) -> list[Block]:
    page = PageBlocks()
    for change in changes:
        page.apply(change)
    return page.blocks()


def stream(text: str, seed: int, largest: int = 9) -> list[Change]:
    random, splitter, changes, at = Random(seed), Splitter(), [], 0
    while at < len(text):
        size = random.randint(1, largest)
        changes += splitter.feed(text[at : at + size])
        at += size
    return changes + splitter.finish()


@given(DOCUMENT, st.integers(0, 1000))
def test_any_chunking_gives_the_blocks_of_one_parse(text: str, seed: int) -> None:
    assert page_after(stream(text, seed)) == to_blocks(parse(text))


@given(st.text(alphabet="a*_`~-|#>1.[]()!\n \t:=中，$\\", max_size=120), st.integers(0, 1000))
def test_any_text_in_any_chunks_is_shown_without_error(text: str, seed: int) -> None:
    page_after(stream(text, seed))


@given(DOCUMENT, st.integers(0, 1000))
def test_windows_line_ends_make_no_difference(text: str, seed: int) -> None:
    assert page_after(stream(text.replace("\n", "\r\n"), seed)) == to_blocks(parse(text))


def test_an_open_fence_only_appends() -> None:
    splitter = Splitter()
    splitter.feed("intro\n\n```python\n")
    changes = [change for line in ("a = 1\n", "b", " = 2\n") for change in splitter.feed(line)]
    assert [type(change) for change in changes] == [CodeGrew] * len(changes)
    assert "".join(change.text for change in changes if isinstance(change, CodeGrew)) == "a = 1\nb = 2"


def test_a_fence_closes_at_its_own_mark_only() -> None:
    page = page_after(stream("````\n```\ninner\n```\n````\nafter\n", 3))
    assert page == [CodeBlock("", "```\ninner\n```"), *to_blocks(parse("after"))]


def test_an_unclosed_fence_is_code_to_the_end() -> None:
    assert page_after(stream("```\na\n``", 1)) == [CodeBlock("", "a\n``")]


def test_a_finished_list_item_is_never_shown_again() -> None:
    splitter = Splitter()
    settled: list[Block] = []
    for number in range(1, 40):
        for change in splitter.feed(f"{number}. item {number}\n"):
            if isinstance(change, Settled):
                settled += change.blocks
            elif isinstance(change, Tail):
                assert len(change.blocks) <= 2
    assert [block.marker for block in settled if isinstance(block, TextLine)] == [f"{n}." for n in range(1, 39)]


def test_a_lazy_list_of_ones_counts_on() -> None:
    page = page_after(stream("1. a\n1. b\n1. c\n", 5))
    assert [block.marker for block in page if isinstance(block, TextLine)] == ["1.", "2.", "3."]


def test_a_table_row_is_sent_once() -> None:
    splitter = Splitter()
    splitter.feed("| a | b |\n|---|--:|\n")
    rows = [
        row
        for number in range(50)
        for change in splitter.feed(f"| {number} | x |\n")
        if isinstance(change, TableGrew)
        for row in change.rows
    ]
    assert len(rows) == 50


@pytest.mark.parametrize("tail", ["-", "=", "1", "1.", "| head |", "| head |\n|--", "**", "#"])
def test_a_line_that_may_still_become_anything_is_not_shown_yet(tail: str) -> None:
    splitter = Splitter()
    splitter.feed("before\n\n")
    shown = page_after(splitter.feed(tail))
    assert all(block == to_blocks(parse("before"))[0] for block in shown)


def count_parses(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all texts the splitter gives to the parser from now on."""
    lengths: list[int] = []

    def counted(source: str, env: Env | None = None) -> list[Token]:
        lengths.append(len(source))
        return parse(source, env)

    monkeypatch.setattr("app.ui.render.markdown.splitter.parse", counted)
    return lengths


def test_a_long_paragraph_is_parsed_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = count_parses(monkeypatch)
    splitter = Splitter()
    for _ in range(3_000):
        splitter.feed("word ")
    assert sum(parsed) < 20 * 15_000 + 400 * 2_000


def test_the_work_of_a_list_does_not_grow_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = count_parses(monkeypatch)
    splitter = Splitter()
    for piece in islice(iter(lambda: "- an item of some words\n", ""), 500):
        splitter.feed(piece)
    assert max(parsed) < 200


@pytest.mark.parametrize("text", [">" * 500 + " deepest words", "".join("  " * n + f"- item {n}\n" for n in range(60))])
def test_M23_text_nested_deeper_than_the_parser_goes_is_not_lost(text: str) -> None:
    shown = "".join(
        run.text for block in page_after(stream(text, 4)) if isinstance(block, TextLine) for run in block.runs
    )
    assert text.split("\n")[-2 if "\n" in text else 0].strip("-> ") in shown


def test_a_block_past_the_limit_becomes_plain_text_and_the_next_one_is_normal() -> None:
    page = page_after(stream("**a *b " * 6_000 + "\n\n# after\n", 2, largest=4_000))
    assert page[-1] == to_blocks(parse("# after"))[0]
    assert sum(len(run.text) for block in page if isinstance(block, TextLine) for run in block.runs) > 40_000


def test_marks_of_html_and_notes_stream_as_they_load() -> None:
    text = "Water is H<sub>2</sub>O[^1].\n\n<details>\n<summary>More</summary>\n\n- in a list\n\n</details>\n\n"
    text += "[^1]: Lavoisier,\n1783\n[^2]: another\n\nlast"
    whole = to_blocks(parse(text))
    assert [plain_text(one.runs) for one in whole if isinstance(one, TextLine)] == [
        "Water is H2O1.", "in a list", "1 Lavoisier,\n1783", "2 another", "last"
    ]  # fmt: skip
    for seed in range(20):
        assert page_after(stream(text, seed)) == whole, seed
