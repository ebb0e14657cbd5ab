"""Formulas: drawn in a thread, on the base line, bounded; the source where they cannot be drawn."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.services.exchange import formula_drawing as formula
from app.services.exchange.formula_drawing import draw
from app.ui.render.markdown.blocks import Formula
from app.ui.render.parts.body import MessageBody
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formula_card import FormulaCard
from app.ui.render.parts.formulas import CHARACTER, Formulas
from app.ui.render.parts.highlight import Highlighter
from app.ui.render.parts.prose import Prose
from app.ui.render.parts.table import TableCard
from app.ui.render.parts.text_view import selected_text
from app.ui.theme import Theme
from tests.floor import cost, floor, least


@pytest.fixture(autouse=True)
def all_the_time_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """How slow this machine is must not decide what can be drawn; what hangs is caught by the watchdog."""
    monkeypatch.setattr(formula, "SECONDS", 60.0)


@pytest.fixture
def formulas(qtbot: QtBot) -> Iterator[Formulas]:
    made = Formulas()
    yield made
    made.close()


@pytest.fixture
def body(qtbot: QtBot, formulas: Formulas) -> Iterator[MessageBody]:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(800, 600)
    host.show()
    theme = Theme("light")
    highlighter = Highlighter(theme)
    made = MessageBody(host, Formats(theme, formulas), highlighter)
    made.wanted(700)
    made.show()
    yield made
    highlighter.close()


def shown(body: MessageBody) -> list[str]:
    return [view.document().toPlainText() for view in body.text_views()]


def all_of(view: QWidget) -> str:
    assert isinstance(view, Prose | FormulaCard)
    cursor = QTextCursor(view.document())
    cursor.select(QTextCursor.SelectionType.Document)
    return selected_text(cursor)


@pytest.mark.parametrize(
    "tex",
    [
        "E=mc^2",
        r"\frac{-b\pm\sqrt{b^2-4ac}}{2a}",
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}^{-1}",
        r"\begin{aligned}a&=b\\c&=d\end{aligned}",
        r"\begin{cases}1&x>0\\0&\text{otherwise}\end{cases}",
        r"\begin{equation}x=1\end{equation}",
        r"\boxed{x=1}",
        r"\ce{H2O}",
        r"\ce{2H2 + O2 -> 2H2O} \ce{Ca^2+}",
        r"x \tag{1}",
    ],
)
def test_the_usual_tex_is_drawn(tex: str) -> None:
    made = draw(tex, 16, "#112233", display=True)
    assert made is not None
    assert made.width > 5
    assert made.height > made.below >= 0


def test_letters_the_mathematical_font_lacks_keep_their_place() -> None:
    made = draw(r"v_{平均}=\frac{\text{路程 km}}{时间}", 16, "#112233", display=True)
    assert made is not None
    assert "".join(sorted(letter.text for letter in made.letters)) == "".join(sorted("平均路程时间"))
    assert all(0 <= letter.x < made.width and 0 < letter.y <= made.height for letter in made.letters)
    assert "#0c" not in made.svg


@pytest.mark.parametrize(
    "tex",
    [
        r"\input{/etc/passwd}",
        r"\includegraphics{x.png}",
        r"\def\x{\x\x}\x",
        r"\newcommand{\a}{\a\a}\a",
        r"\rule{1000em}{1000em}",
        r"\hspace{100000em}x",
        r"\color{url(http://canary.test/b)}x",
        "x^{" * 300 + "}" * 300,
        r"\sqrt{" * 40 + "x" + "}" * 40,
        r"\frac{1}{" * 11 + "x" + "}" * 11,
        "x+" * 5_000,
        r"\begin{matrix}" + (r"1&" * 40 + r"\\") * 40 + r"\end{matrix}",
        r"\unknowncommand x",
        r"x & y",
        "",
    ],
    ids=str,
)
def test_M17_hostile_tex_is_refused_in_time(tex: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw("x", 16, "#000000", display=False)  # loads the library
    monkeypatch.setattr(formula, "SECONDS", 0.1)
    limit = formula.SECONDS + 40 * floor()

    def refused() -> None:
        assert draw(tex, 16, "#112233", display=True) is None

    assert least(lambda: cost(refused, tries=1), limit) <= limit


def test_the_time_limit_ends_the_work_wherever_it_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while a generator is closed, where Python ignores errors: the limit was lost there with its tracer."""
    draw("x", 16, "#000000", display=False)  # loads the library
    monkeypatch.setattr(formula, "_CALLS", 1)
    drawn = []
    for calls in range(300, 700):
        clock = itertools.count()
        monkeypatch.setattr(formula, "time", SimpleNamespace(thread_time=clock.__next__, sleep=time.sleep))
        monkeypatch.setattr(formula, "SECONDS", calls)
        if draw(r"\frac{1}{x}", 16, "#112233", display=True) is not None:
            drawn.append(calls)
    assert not drawn


def test_a_formula_takes_the_place_of_its_source(body: MessageBody, qtbot: QtBot) -> None:
    body.load("The energy $E=mc^2$ and $x$ too.")
    assert shown(body) == ["The energy $E=mc^2$ and $x$ too."]
    qtbot.waitUntil(lambda: shown(body) == [f"The energy {CHARACTER} and {CHARACTER} too."])


def test_copying_gives_the_source_of_formulas(body: MessageBody, qtbot: QtBot) -> None:
    source = "The energy $E=mc^2$ 好😀 and \\(x\\) too."
    body.load(source)
    qtbot.waitUntil(lambda: shown(body)[0].count(CHARACTER) == 2)
    assert all_of(body.text_views()[0]) == source


def test_a_display_formula_stands_by_itself_and_gives_its_tex(body: MessageBody, qtbot: QtBot) -> None:
    body.load("before\n\n$$\n\\frac{a}{b}\n$$\n\nafter")
    card = next(one for one in body.segments() if isinstance(one, FormulaCard))
    assert card.block == Formula("\\frac{a}{b}")
    qtbot.waitUntil(lambda: card.document().toPlainText() == CHARACTER)
    assert all_of(card) == "$$\n\\frac{a}{b}\n$$"
    button = card.findChild(QToolButton)
    assert button is not None
    button.click()
    assert QGuiApplication.clipboard().text() == "$$\n\\frac{a}{b}\n$$"


def test_what_cannot_be_drawn_stays_as_source(body: MessageBody, qtbot: QtBot) -> None:
    body.load("a $x$ b $\\unknowncommand{y}$ c\n\n$$\n\\unknowncommand z\n$$")
    qtbot.waitUntil(lambda: CHARACTER in shown(body)[0])
    qtbot.wait(50)
    assert shown(body) == [f"a {CHARACTER} b $\\unknowncommand{{y}}$ c", "$$\n\\unknowncommand z\n$$"]


def test_a_streamed_formula_ends_like_a_loaded_one(body: MessageBody, qtbot: QtBot) -> None:
    blocks = ["First $a_1$ line, then", "- item $\\frac12$ with more\n- second", "$$\nx^2\n$$"]
    source = "\n\n".join([*blocks, "| a | b |\n|--|--|\n| $c$ | d |", "end $z$."])
    body.load(source)
    qtbot.waitUntil(lambda: sum(text.count(CHARACTER) for text in shown(body)) == 5)
    loaded = shown(body)
    body.begin()
    for char in source:
        body.feed(char)
    body.finish()
    qtbot.waitUntil(lambda: shown(body) == loaded)


def test_a_formula_that_comes_late_leaves_the_streaming_text_whole(body: MessageBody, qtbot: QtBot) -> None:
    body.begin()
    body.feed("One $u_1$ two.\n\nThree $v_1$ ")
    qtbot.waitUntil(lambda: shown(body)[0].count(CHARACTER) == 2)
    body.feed("four **five** $w_1$ six.\n\nSeven")
    qtbot.waitUntil(lambda: shown(body)[0].count(CHARACTER) == 3)
    body.feed(" eight.")
    body.finish()
    assert shown(body) == [f"One {CHARACTER} two.\nThree {CHARACTER} four five {CHARACTER} six.\nSeven eight."]


def test_cells_show_formulas(body: MessageBody, qtbot: QtBot) -> None:
    body.load("| n | v |\n|---|---|\n| $\\frac12$ | $x^2$ |")
    table = body.segments()[0]
    assert isinstance(table, TableCard)
    qtbot.waitUntil(lambda: table.text_views()[0].document().toPlainText().count(CHARACTER) == 2)


def test_the_same_formula_is_drawn_once(body: MessageBody, formulas: Formulas, qtbot: QtBot) -> None:
    body.load("$q$ and $q$ and $q$")
    qtbot.waitUntil(lambda: shown(body)[0].count(CHARACTER) == 3)
    assert len(formulas._pictures) == 1


def test_a_wide_formula_scrolls_within_the_column(body: MessageBody, qtbot: QtBot) -> None:
    body.load("$$" + "+".join("abcdefgh" * 6) + "$$")
    card = body.segments()[0]
    assert isinstance(card, FormulaCard)
    qtbot.waitUntil(lambda: card.document().toPlainText() == CHARACTER)
    assert card.width() == 700
    assert card.horizontalScrollBar().maximum() > 0
