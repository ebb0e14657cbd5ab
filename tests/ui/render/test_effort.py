"""However hostile a message is, one step of laying it out stays short: what the parser is given is bounded."""

from __future__ import annotations

import pytest

from app.ui.render.markdown import page, splitter
from app.ui.render.markdown.blocks import TextLine
from app.ui.render.markdown.changes import Settled, Tail
from app.ui.render.markdown.markdown import MOST_EFFORT, effort, parse
from app.ui.render.markdown.splitter import LONGEST_BLOCK, Splitter

_PIECE = 400
HOSTILE = (
    "[", "![", "[a][b", "[a](", "[*a", "[<", "**a *b ", "__a_ ", "~~a ", "<!--", "&amp;", "`a``b ", "$a ", "\\(", "=",
    "*", "$$\nx+y\n", "[^1] ", "> - ", ">", "a | b\n",
)  # fmt: skip


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything the parser was given."""
    seen: list[str] = []

    def watched(source: str, env: object = None) -> object:
        seen.append(source)
        return parse(source, env)  # type: ignore[arg-type]

    monkeypatch.setattr(splitter, "parse", watched)
    monkeypatch.setattr(page, "parse", watched)
    return seen


@pytest.mark.parametrize("unit", HOSTILE)
def test_P14_no_step_of_a_stream_asks_for_more_than_its_share(given: list[str], unit: str) -> None:
    text = unit * (12_000 // len(unit))
    stream = Splitter()
    changes = [change for at in range(0, len(text), _PIECE) for change in stream.feed(text[at : at + _PIECE])]
    changes += stream.finish()
    assert max(map(effort, given), default=0) <= MOST_EFFORT
    assert max(map(len, given), default=0) <= LONGEST_BLOCK + _PIECE
    # Nor is it given the same again and again: what is dear is parsed when it has doubled.
    assert sum(map(effort, given)) <= 4 * effort(text) + MOST_EFFORT
    assert any(isinstance(change, Settled | Tail) for change in changes)


def test_P14_what_is_shown_at_once_is_short(given: list[str]) -> None:
    for unit in HOSTILE:
        page.blocks_at_once(unit * (19_000 // len(unit)))
    assert max(map(effort, given)) <= MOST_EFFORT


def test_a_block_with_too_many_signs_is_shown_as_it_is_written() -> None:
    text = "**a *b " * 3_000
    stream = Splitter()
    changes = [*stream.feed(text), *stream.finish()]
    lines = [block for change in changes if isinstance(change, Settled) for block in change.blocks]
    assert "".join(run.text for line in lines if isinstance(line, TextLine) for run in line.runs) == text


def test_an_ordinary_page_is_no_effort() -> None:
    item = "- See **the guide** at [this place](https://example.org/a_b) for `code`, *more* and 100% – 中文。\n"
    assert (
        effort(item * 100 + "\n" + "A paragraph, as one writes it: with commas, and (brackets).\n\n" * 100)
        < MOST_EFFORT
    )
