"""What counts as a formula: TeX between its marks, never money or paths."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from app.services.exchange.export_html import rendered
from app.services.exchange.formula_rules import add_formulas


def formulas(source: str) -> list[str]:
    parser = MarkdownIt("commonmark", {"html": False})
    add_formulas(parser)
    found: list[str] = []
    for token in parser.parse(source):
        found += [child.content.strip() for child in token.children or () if child.type.startswith("math")]
        if token.type.startswith("math"):
            found.append(token.content.strip())
    return found


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        ("energy $E=mc^2$.", ["E=mc^2"]),
        ("其中$x_1$是速度", ["x_1"]),
        ("$a$ and $b$", ["a", "b"]),
        ("$f(x) dx$", ["f(x) dx"]),
        ("$sin x$ and $3x + 2$", ["sin x", "3x + 2"]),
        ("$\\text{路程 and time}$", ["\\text{路程 and time}"]),
        ("$$x$$ within a line", ["x"]),
        ("\\(a_b\\) and \\[c\\]", ["a_b", "c"]),
        ("$$\na\n+b\n$$", ["a\n+b"]),
        ("text\n\\[ x^2 \\]\nmore", ["x^2"]),
        ("- item\n  \\[ x\n  y \\]\n- two", ["x\ny"]),
    ],
)
def test_tex_between_its_marks_is_a_formula(source: str, tex: list[str]) -> None:
    assert formulas(source) == tex


@pytest.mark.parametrize(
    "source",
    [
        "costs $5 and $6",
        "US$5–US$6",
        "$5 (or 3$)",
        "价格$5元，或者$6元",
        "$5/$6, $10-$20",
        "$PATH:$HOME and $HOME/bin",
        "\\$5 and \\$6",
        "`$x$`",
        "\\[ not closed",
        "\\[\na\n\nb\n\\]",
        "\\(\\)",
    ],
)
def test_money_paths_and_halves_stay_text(source: str) -> None:
    assert formulas(source) == []


def test_an_export_keeps_the_source_of_formulas_whole() -> None:
    page = rendered("so $a_i*b_i*c$ and\n\n\\[ x \\\\ y \\]\n")
    assert "<code>a_i*b_i*c</code>" in page
    assert "<pre><code>x \\\\ y</code></pre>" in page
