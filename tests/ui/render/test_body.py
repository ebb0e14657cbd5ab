"""Message bodies: streamed and loaded alike, no file is touched, hostile text does not stop the window."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage, QMouseEvent, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.render.parts.body import MAX_RENDERED, MAX_SEGMENTS, MessageBody
from app.ui.render.parts.code import CodeCard
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.grid import MAX_ROWS
from app.ui.render.parts.highlight import Highlighter, spans_of
from app.ui.render.parts.plain import PlainBlock, Rest
from app.ui.render.parts.prose import Prose
from app.ui.render.parts.table import TableCard
from app.ui.render.parts.text_view import TextView
from app.ui.theme import Theme
from app.ui.theme.tokens import LIGHT
from tests.floor import cost, floor, least, no_collector

MIXED = """Intro with **bold** and `code`.

- one
- two with [a link](https://a.example/x)
  continued

```python
def f():
    return 1
```

| a | b |
|---|--:|
| 1 | 2 |
| 3 | 4 |

> quote

1. first
2. second 中文

last line
"""


@pytest.fixture
def highlighter(qtbot: QtBot) -> Iterator[Highlighter]:
    made = Highlighter(Theme("light"))
    yield made
    made.close()


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    widget.show()
    return widget


@pytest.fixture
def body(host: QWidget, highlighter: Highlighter) -> MessageBody:
    made = MessageBody(host, Formats(Theme("light")), highlighter)
    made.wanted(700)
    made.show()
    return made


def texts(body: MessageBody) -> list[str]:
    found: list[str] = []
    for segment in body.segments():
        if isinstance(segment, Prose):
            found.append(segment.toPlainText())
        elif isinstance(segment, CodeCard):
            found.append(segment.text)
        elif isinstance(segment, TableCard):
            found.append(segment.as_csv())
    return found


def settle(body: MessageBody, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not (body._queue or body._slices.isActive()))


@pytest.mark.parametrize("size", [1, 3, 7, 50])
def test_streamed_and_loaded_messages_look_the_same(body: MessageBody, size: int) -> None:
    body.load(MIXED)
    loaded, height = texts(body), body.wanted(700)
    body.begin()
    for at in range(0, len(MIXED), size):
        body.feed(MIXED[at : at + size])
    body.finish()
    assert texts(body) == loaded
    assert body.wanted(700) == height
    assert body.source() == MIXED


def test_a_paragraph_with_han_gets_its_line_height_as_soon_as_the_first_sign_comes(body: MessageBody) -> None:
    latin, mixed = "Opens at nine " * 40, "Opens at nine " * 40 + "故宫"
    heights = {}
    for name, text in (("latin", latin), ("han", mixed)):
        body.load(text)
        heights[name] = body.wanted(400)
    body.begin()
    for at in range(0, len(mixed), 9):
        body.feed(mixed[at : at + 9])
    body.finish()
    assert body.wanted(400) == heights["han"]
    assert (heights["latin"] % 21, heights["han"] % 24) == (0, 0), "1.5 and 1.7 times the size"


FOLDED = """before

<details>
<summary>How & why</summary>

inside

```python
x = 1
```

<details open><summary>Nested</summary>

deep

</details>
</details>

after
"""


def test_a_folded_part_takes_no_room_until_its_title_is_pressed(body: MessageBody, qtbot: QtBot) -> None:
    def seen() -> list[str]:
        return [segment.accessibleName() for segment in body.segments() if segment.isVisible()]

    body.load(FOLDED)
    folded = body.wanted(700)
    with qtbot.waitExposed(body.window()):
        body.window().show()
    closed = ["Text", "How & why, folded", "Text"]
    opened = ["Text", "How & why, unfolded", "Text", "", "Nested, unfolded", "Text", "Text"]
    assert [view.toPlainText() for view in body.text_views()] == ["before", "after"]
    (bar,) = [bar for bar in body.findChildren(QToolButton, "foldBar") if bar.isVisible()]
    bar.click()
    assert body.wanted(700) > folded + 100
    assert seen() == opened
    assert [view.toPlainText() for view in body.text_views()] == ["before", "inside", "deep", "after"]
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Space)
    assert (body.wanted(700), seen()) == (folded, closed)
    body.begin()
    for at in range(0, len(FOLDED), 7):
        body.feed(FOLDED[at : at + 7])
    body.finish()
    assert (body.wanted(700), seen()) == (folded, closed), "streamed as loaded"
    body.load(FOLDED.partition("</details>")[0])
    assert "deep" in [view.toPlainText() for view in body.text_views()], "what has no end hides nothing"


def test_tasks_are_drawn_boxes_and_stay_signs_for_who_copies(body: MessageBody) -> None:
    body.load("- [x] done\n- [ ] open\n")
    body.resize(300, body.wanted(300))
    (view,) = body.text_views()
    assert view.toPlainText() == "☑\tdone\n☐\topen"
    image = body.grab().toImage()
    accent = QColor(LIGHT.accent).rgb()
    rows = [y for y in range(image.height()) if sum(image.pixel(x, y) == accent for x in range(16)) > 6]
    assert rows
    assert rows[-1] < image.height() / 2, "the box of what is done is filled, the other is not"


def test_segments_stand_below_each_other_and_fill_the_height(body: MessageBody) -> None:
    body.load(MIXED)
    places = [segment.geometry() for segment in body.segments()]
    for above, below in itertools.pairwise(places):
        assert above.bottom() < below.top()
    assert places[-1].bottom() + 1 == body.wanted(700)


def test_a_narrower_column_makes_the_message_higher(body: MessageBody) -> None:
    body.load("many words " * 100)
    wide = body.wanted(700)
    assert body.wanted(300) > 2 * wide


def test_finished_segments_are_not_made_again_while_the_message_grows(body: MessageBody, qtbot: QtBot) -> None:
    body.begin()
    body.feed("first paragraph\n\n```\ncode\n```\n\nsecond")
    settle(body, qtbot)
    before = body.segments()
    for _ in range(30):
        body.feed(" word")
    settle(body, qtbot)
    assert body.segments() == before


def test_a_selection_survives_further_text(body: MessageBody) -> None:
    body.begin()
    body.feed("alpha beta")
    view = body.text_views()[0]
    cursor = QTextCursor(view.document())
    cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    body.feed(" gamma **delta** and more\n\nnext")
    assert view.textCursor().selectedText() == "alpha"


def test_links_defined_at_the_end_become_links(body: MessageBody) -> None:
    body.begin()
    body.feed("see [the page][p] here\n\n")
    body.feed("[p]: https://a.example/p\n")
    body.finish()
    cursor = QTextCursor(body.text_views()[0].document())
    cursor.setPosition(8)
    assert cursor.charFormat().anchorHref() == "https://a.example/p"


def test_T04_a_click_on_a_link_asks_and_opens_nothing(
    body: MessageBody, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr("PySide6.QtGui.QDesktopServices.openUrl", opened.append)
    body.load("[go](https://xn--80ak6aa92e.com/a%20b?q=1)")
    view = body.text_views()[0]
    assert not view.openLinks()
    at = QPointF(6, 10)
    with qtbot.waitSignal(body.link_activated) as clicked:
        for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            button = Qt.MouseButton.LeftButton
            event = QMouseEvent(
                kind, at, view.viewport().mapToGlobal(at), button, button, Qt.KeyboardModifier.NoModifier
            )
            QApplication.sendEvent(view.viewport(), event)
    assert clicked.args == ["https://xn--80ak6aa92e.com/a%20b?q=1"]
    assert opened == []


def test_T02_no_image_reaches_a_document(body: MessageBody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(TextView, "loadResource", lambda _self, _kind, name: asked.append(name))
    canary = tmp_path / "canary.png"
    body.load(
        f"![a]({canary.as_uri()}) ![b](//canary.invalid/x.png) ![c](qrc:/x) <img src='{canary}'>\n\n![d]({canary})"
    )
    body.wanted(500)
    assert asked == []
    assert all("\ufffc" not in text for text in texts(body))


def test_T02_even_an_image_in_the_document_is_answered_with_a_blank(body: MessageBody, tmp_path: Path) -> None:
    body.load("text")
    view = body.text_views()[0]
    given = view.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl.fromLocalFile(str(tmp_path / "x")))
    assert isinstance(given, QImage)
    assert (given.width(), given.height()) == (1, 1)
    view.setHtml(f"<img src='{tmp_path}/canary.png'>")
    found = view.document().resource(QTextDocument.ResourceType.ImageResource.value, QUrl(f"{tmp_path}/canary.png"))
    assert isinstance(found, QImage)
    assert found.width() == 1


def test_a_copied_selection_has_no_breaks_of_ours(body: MessageBody) -> None:
    body.load("y" * 450)
    view = body.text_views()[0]
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == "y" * 450
    assert not view.createMimeDataFromSelection().hasHtml()


def test_copy_code_gives_the_source(body: MessageBody) -> None:
    body.load("```python\n\tx = 1\n```")
    (code,) = body.segments()
    tool(code, "Copy code").click()
    assert QGuiApplication.clipboard().text() == "\tx = 1"


def tool(widget: QWidget, name: str) -> QToolButton:
    return next(button for button in widget.findChildren(QToolButton) if button.accessibleName() == name)


def test_code_folds_and_wraps(body: MessageBody) -> None:
    body.load("```python\n" + "x = 1  # " + "words " * 60 + "\n" + "y\n" * 20 + "```")
    (code,) = body.segments()
    full = body.wanted(700)
    tool(code, "Wrap long lines").click()
    assert body.wanted(700) > full
    tool(code, "Wrap long lines").click()
    assert body.wanted(700) == full
    tool(code, "Fold code").click()
    assert body.wanted(700) < 60
    tool(code, "Fold code").click()
    assert body.wanted(700) == full


def test_one_endless_line_of_code_is_broken_for_display_and_copied_whole(body: MessageBody) -> None:
    body.begin()
    body.feed("```\n")
    for _ in range(100):
        body.feed("x" * 100)
    (code,) = body.segments()
    assert isinstance(code, CodeCard)
    assert max(len(line) for line in code.view.toPlainText().split("\n")) <= 2_000
    assert code.text == "x" * 10_000


def test_code_with_han_letters_is_as_high_as_it_is_painted(body: MessageBody) -> None:
    body.load("```\n" + "安装依赖 ✅\nplain\n" * 10 + "```")
    (code,) = body.segments()
    assert isinstance(code, CodeCard)
    assert code.view.wrapped_height() <= code.view.height() + 1
    assert code.view.verticalScrollBar().maximum() == 0


def test_links_are_reached_by_the_tab_key_and_plain_text_is_passed(body: MessageBody) -> None:
    body.load("plain\n\n```\ncode\n```\n\n[x](https://a.example)")
    plain, linked = body.text_views()
    assert not plain.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert linked.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_code_is_coloured_after_it_was_closed(body: MessageBody, qtbot: QtBot) -> None:
    body.begin()
    body.feed("```python\ndef f():\n")
    code = body.segments()[-1]
    assert isinstance(code, CodeCard)
    assert not code.view.document().firstBlock().layout().formats()
    body.feed("    return 1\n```\n")
    qtbot.waitUntil(lambda: bool(code.view.document().firstBlock().layout().formats()))


def test_long_code_is_read_in_a_thread(body: MessageBody, qtbot: QtBot) -> None:
    body.load("```python\n" + "def f(): return 1\n" * 1_000 + "```")
    code = body.segments()[-1]
    assert isinstance(code, CodeCard)
    qtbot.waitUntil(lambda: bool(code.view.document().firstBlock().layout().formats()))


def test_an_unknown_language_stays_plain() -> None:
    assert spans_of("no-such-language", "x", dict(LIGHT.syntax)) == []


def test_spans_count_as_qt_does() -> None:
    (line,) = spans_of("python", "'😀' + 1", dict(LIGHT.syntax))
    assert line[-1][:2] == (7, 1)


def test_M16_a_long_table_shows_two_hundred_rows_and_offers_all(body: MessageBody, qtbot: QtBot) -> None:
    rows = "".join(f"| {number} | x |\n" for number in range(1_000))
    body.load("| n | v |\n|---|---|\n" + rows)
    settle(body, qtbot)
    (table,) = body.segments()
    assert isinstance(table, TableCard)
    assert table._grid is not None
    assert table._grid.model().rowCount() == MAX_ROWS
    assert len(table.as_csv().splitlines()) == 1_001
    rest = table.findChild(Rest)
    assert rest is not None
    before = body.wanted(700)
    rest.button.click()
    plain = table.findChild(PlainBlock)
    assert plain is not None
    assert "999,x" in plain.toPlainText()
    assert body.wanted(700) > before


def test_T09_the_rest_of_a_huge_message_is_there_as_plain_text(body: MessageBody, qtbot: QtBot) -> None:
    body.load("word " * (MAX_RENDERED // 5) + "THE END")
    settle(body, qtbot)
    rest = body.segments()[-1]
    assert isinstance(rest, Rest)
    rest.button.click()
    plain = rest.findChild(PlainBlock)
    assert plain is not None
    assert plain.toPlainText().endswith("THE END")


def test_T09_the_rest_follows_all_of_the_text_also_while_more_is_coming(body: MessageBody, qtbot: QtBot) -> None:
    body.wanted(700)
    body.begin()
    text = "".join(f"{number:06} " for number in range(MAX_RENDERED // 7 + 2_000))
    for at in range(0, len(text), 5_000):
        body.feed(text[at : at + 5_000])
        settle(body, qtbot)
    body.finish()
    settle(body, qtbot)
    *shown, rest = body.segments()
    assert isinstance(rest, Rest)
    rest.button.click()
    plain = rest.findChild(PlainBlock)
    assert plain is not None
    prose = "".join(segment.toPlainText() for segment in shown if isinstance(segment, Prose))
    assert "".join((prose + plain.toPlainText()).split()) == "".join(text.split())


def test_P14_no_text_is_laid_out_narrower_than_its_message(body: MessageBody, qtbot: QtBot) -> None:
    """At no width at all every letter would be a line of its own first, and the whole laid out again after."""
    heights: list[float] = []

    def watch(segment: object) -> None:
        if isinstance(segment, Prose):
            segment.document().documentLayout().documentSizeChanged.connect(lambda size: heights.append(size.height()))

    body.segment_added.connect(watch)
    body.wanted(700)
    body.begin()
    body.feed("~~a" * 100)
    body.finish()
    settle(body, qtbot)
    assert heights
    assert max(heights) <= body.wanted(700)


HOSTILE = {
    "M21 no break": "A" * 1_000_000,
    "M22 base64": "QUJD" * 250_000,
    "M23 quotes": ">" * 10_000 + " x",
    "M23 lists": "".join("  " * depth + "- a\n" for depth in range(300)),
    "M23 brackets": "[" * 50_000,
    "M23 stars": "**a *b " * 20_000,
    "M24 marks": "a" + "\u0301" * 50_000,
    "M25 emoji": "👨‍👩‍👧‍👦" * 2_000,
    "M26 overrides": "\u202e" * 10_000,
    "M27 entities": "&amp;" * 40_000,
    "M29 links": "[a](http://x.example) " * 10_000,
    "M15 fences": "```\n" * 10_000,
    "M16 rows": "|a|b|\n|-|-|\n" + "|1|2|\n" * 5_000,
    "M16 columns": "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n|" + "b|" * 2_000,
    "M18 headings": "# a\n" * 30_000,
    "images": "![](x)" * 20_000,
    "one line of code": "```\n" + "x" * 200_000 + "\n```",
}

CAP = 50
"""Floors without a turn of the event loop: the promise of 250 ms on a machine on which a floor takes 5."""


def longest_turn(act: Callable[[], None], body: MessageBody) -> float:
    """The most work of this thread between two beats of the event loop, for the first forty or till all is there."""
    turns, worked, idle = [0.0], time.thread_time(), 0
    loop, beat = QEventLoop(), QTimer()

    def tick() -> None:
        nonlocal worked, idle
        now = time.thread_time()
        turns.append(now - worked)
        worked = now
        idle = 0 if body._queue or body._slices.isActive() else idle + 1
        if idle > 5 or len(turns) > 40:
            loop.quit()

    beat.timeout.connect(tick)
    beat.start(1)
    QTimer.singleShot(0, act)
    with no_collector():
        loop.exec()
    return max(turns)


@pytest.mark.parametrize("name", HOSTILE)
def test_T09_hostile_text_leaves_the_window_awake(body: MessageBody, name: str) -> None:
    limit = CAP * floor()
    assert least(lambda: longest_turn(lambda: body.load(HOSTILE[name]), body), limit) <= limit
    assert body.wanted(700) < 16_000_000
    assert len(body.segments()) <= MAX_SEGMENTS + 200


@pytest.mark.parametrize("text", ["[" * 8_000, "**a *b " * 1_500, "|a|b|\n|-|-|\n" + "|1|2|\n" * 300, "x" * 30_000])
def test_T09_hostile_streams_do_not_stop_either(body: MessageBody, text: str) -> None:
    def longest_feed() -> float:
        body.begin()
        pieces = [text[at : at + 200] for at in range(0, len(text), 200)]
        longest = max(cost(partial(body.feed, piece), tries=1) for piece in pieces)
        body.finish()
        return longest

    limit = CAP * floor()
    assert least(longest_feed, limit) <= limit


@pytest.mark.parametrize("streamed", [False, True])
def test_M28_a_list_from_right_to_left_hangs_into_its_own_margin(body: MessageBody, streamed: bool) -> None:
    source = "- قائمة أولى طويلة جدا حتى تنكسر إلى سطرين أو أكثر في هذا العمود الضيق\n  - [x] متداخلة\n\n1. english"
    if streamed:
        body.begin()
        for char in source:
            body.feed(char)
        body.finish()
    else:
        body.load(source)
    body.wanted(240)
    (prose,) = body.segments()
    assert isinstance(prose, Prose)
    margins = []
    block = prose.document().begin()
    while block.isValid():
        area = prose.document().documentLayout().blockBoundingRect(block)
        layout = block.layout()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number).naturalTextRect().translated(area.topLeft())
            assert line.left() >= -1
            assert line.right() <= 241
        margins.append((block.blockFormat().leftMargin(), block.blockFormat().rightMargin()))
        block = block.next()
    step = body._formats.marker_width()
    assert margins == [(0, step), (0, 2 * step), (step, 0)]
