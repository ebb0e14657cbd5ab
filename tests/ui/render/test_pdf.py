from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtGui import QColor, QFontDatabase, QImage, QPalette
from PySide6.QtWidgets import QApplication

from app.core.exchange.options import Include
from app.core.run.messages import Message, Text, user_message
from app.domains.research.export import pages
from app.services.exchange.export_html import to_html
from app.ui.render.pdf import _body, _Sheet, pdf_of
from app.ui.theme.fonts import load_shipped, make_font
from tests.pictures import png

ANSWER = "# 行程\n\n第一天去**故宫**。\n\n| 时间 | 地点 |\n|---|---|\n| 09:00 | 景山 |\n\n```python\nprint(1)\n```"


def page(*messages: Message) -> str:
    return to_html("北京三日", "travel", messages, Include())


@pytest.mark.usefixtures("qapp")
def test_a_conversation_becomes_pages() -> None:
    question = user_message("q", "三天怎么安排？", created=1.0)
    answer = Message("a", "assistant", (Text(ANSWER, 1),))
    short = pdf_of(page(question, answer), "北京三日")
    long = pdf_of(page(*[question, answer] * 40), "北京三日")
    assert short.startswith(b"%PDF-")
    assert short.rstrip().endswith(b"%%EOF")
    assert b"/Count 1\n" in short
    assert b"/Count 1\n" not in long


@pytest.mark.usefixtures("qapp")
def test_chinese_is_set_in_a_font_that_has_it() -> None:
    if not any(
        QFontDatabase.writingSystems(family).count(QFontDatabase.WritingSystem.SimplifiedChinese)
        for family in QFontDatabase.families()
    ):
        pytest.skip("no Chinese font on this machine")
    latin = pdf_of(page(user_message("q", "three days", created=1.0)).replace("北京三日", "Beijing"), "x")
    chinese = pdf_of(page(user_message("q", "三天怎么安排", created=1.0)), "x")
    assert chinese.count(b"/FontName") > latin.count(b"/FontName")


def test_what_was_written_stands_in_it_literally(qapp: QApplication) -> None:
    sheet = _Sheet()
    sheet.setHtml(_body(page(user_message("q", "<img src='x.png'> & <b>bold</b> 好", created=1.0))))
    assert "<img src='x.png'> & <b>bold</b> 好" in sheet.toPlainText()


@pytest.mark.usefixtures("qapp")
def test_no_picture_is_read_even_if_a_tag_got_through(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(200 * 200 * 4)
    assert QImage(noise, 200, 200, QImage.Format.Format_RGB32).save(str(tmp_path / "secret.png"))
    html = page(user_message("q", "here", created=1.0))
    there = pdf_of(html.replace("here", f'<img src="{tmp_path}/secret.png">'), "x")
    nowhere = pdf_of(html.replace("here", f'<img src="{tmp_path}/nothing.png">'), "x")
    assert len(there) == pytest.approx(len(nowhere), abs=100)


@pytest.mark.usefixtures("qapp")
def test_pictures_and_formulas_are_drawn_where_they_stand() -> None:
    ref, blue = "a" * 64, (10, 20, 250)
    text = f"Let $x^2+\\frac{{a}}{{b}}$ be\n\n$$\n\\sum_n n$$\n\n![p](att:{ref}) ![q](https://evil.test/p.png)"
    html = to_html("t", "", [Message("a", "assistant", (Text(text, 1),))], Include(), {ref: png(120, 60, blue)})
    sheet = pypdfium2.PdfDocument(pdf_of(html, "t"))[0]
    words = sheet.get_textpage().get_text_range()
    assert "frac" not in words
    assert "sum" not in words
    assert "[q]" in words
    images = [one for one in sheet.get_objects() if one.type == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]
    assert len(images) == 3
    (inline, display, picture) = (one.get_bounds() for one in images)
    size = (picture[2] - picture[0], picture[3] - picture[1])
    assert size == pytest.approx((120 * 0.75, 60 * 0.75), abs=2), "its own size, in points"
    assert 0 < inline[3] - inline[1] < display[3] - display[1] < 60, "a formula of a line is as high as the line"


@pytest.fixture
def font_of_the_window(qapp: QApplication) -> Iterator[None]:
    own = QApplication.font()
    load_shipped()
    QApplication.setFont(make_font("ui", 1.0))
    yield
    QApplication.setFont(own)


@pytest.mark.usefixtures("font_of_the_window")
def test_a_report_of_the_research_agent_is_printed_with_its_sources_and_what_of_them_was_quoted() -> None:
    row = {"n": 1, "title": "Tea and rain", "url": "https://fao.int/tea", "passage": "at least 1,500 mm of rain"}
    row |= {"quality": "primary", "accessed": "2026-11-20T10:00:00", "sha256": "ab" * 32, "state": "changed"}
    claim = {"text": "Tea needs rain", "confidence": "low", "conflict": True, "supports": [1], "contradicts": [2]}
    payload = {"title": "Tea", "markdown": "# Tea\n\nMuch rain [1]. <b>x</b>", "sources": [row], "claims": [claim]}
    words = {"primary": "primary source", "low": "low", "changed": "has changed"}
    printed = pypdfium2.PdfDocument(pdf_of(pages.html(payload, words, "en"), "Tea"))
    text = " ".join(printed[n].get_textpage().get_text_range() for n in range(len(printed)))
    wanted = (
        "Much rain [1]", "<b>x</b>", "Tea needs rain", "contradicted by [2]", "Tea and rain", "https://fao.int/tea",
        "primary source", "read on 2026-11-20", "abababababab", "has changed", "at least 1,500 mm of rain",
    )  # fmt: skip
    flat = " ".join(text.split())
    assert [words for words in wanted if words not in flat] == []


@pytest.mark.usefixtures("qapp")
def test_what_must_be_one_page_is_one_whatever_its_length() -> None:
    """All of it is on the page, to its last line."""
    for paragraphs in (3, 80, 600):
        lines = "".join(f"<p>line {number} of a long game</p>" for number in range(paragraphs))
        document = pypdfium2.PdfDocument(pdf_of(f"<html><body>{lines}<p>the end</p></body></html>", "t", one_page=True))
        text = document[0].get_textpage().get_text_range()
        assert (len(document), "the end" in text, f"line {paragraphs - 1} of" in text) == (1, True, True), paragraphs


def test_letters_are_black_on_paper_in_a_dark_window_too(qapp: QApplication) -> None:
    own = QApplication.palette()
    dark = QPalette(own)
    dark.setColor(QPalette.ColorRole.Text, QColor("#e6e8ec"))
    dark.setColor(QPalette.ColorRole.WindowText, QColor("#e6e8ec"))
    QApplication.setPalette(dark)
    try:
        for one_page in (False, True):
            data = pdf_of("<html><body><p>Roll the ball slowly</p></body></html>", "t", one_page=one_page)
            document = pypdfium2.PdfDocument(data)
            bitmap = document[0].render(scale=2, grayscale=True)
            assert min(bytes(bitmap.buffer)) < 60, one_page
    finally:
        QApplication.setPalette(own)
