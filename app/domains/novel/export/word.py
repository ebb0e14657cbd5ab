"""The book as a Word document: a cover page, headings that make its navigation, paragraphs as books have them."""

from __future__ import annotations

import io

from .pages import Pages

_CHINESE = "宋体"


def to_docx(book: Pages) -> bytes:
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml.ns import qn
    from docx.shared import Pt

    document = docx.Document()
    document.core_properties.title, document.core_properties.author = book.title[:255], book.author[:255]
    normal = document.styles["Normal"]
    normal.font.size = Pt(12)
    normal.paragraph_format.line_spacing = 1.5
    normal.paragraph_format.space_after = Pt(0 if book.is_chinese else 8)
    if book.is_chinese:
        normal.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), _CHINESE)
    title = document.add_heading(book.title, 0)
    title.alignment = WD_ALIGN_PARAGRAPH.CENTER
    if book.author:
        document.add_paragraph(book.author).alignment = WD_ALIGN_PARAGRAPH.CENTER
    for line in filter(None, book.synopsis.split("\n")):
        document.add_paragraph(line)
    has_volumes = any(page.is_volume for page in book.pages)
    for page in book.pages:
        heading = document.add_heading(page.heading, 1 if page.is_volume or not has_volumes else 2)
        heading.paragraph_format.page_break_before = True
        for text in page.paragraphs:
            paragraph = document.add_paragraph(text)
            if book.is_chinese:
                paragraph.paragraph_format.first_line_indent = Pt(24)  # two characters
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
