"""A conversation as a Word document without external links.

Made from the Markdown of the `.md` export, so that the options mean the same. Links are shown as their address.
Stored pictures and drawn formulas are embedded; an external picture is shown as its text.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from typing import Any

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.shape import CT_Inline
from docx.shared import Mm, Pt, RGBColor, Twips
from docx.text.paragraph import Paragraph
from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.core.exchange.pictures import INLINE_PICTURE, STORED_PICTURE

from .attachments import MOST_PIXELS
from .formula_picture import FormulaPicture, FormulaPictures, png_of
from .formula_rules import add_formulas
from .picture_facts import PictureFacts, picture_facts

_TEXT_FONT, _CODE_FONT, _CHINESE_FONT = "Calibri", "Consolas", "Microsoft YaHei"
_SOFT, _SHADE = RGBColor(0x5C, 0x63, 0x70), "F5F6F8"
_MARGIN = 23
_HIGHEST = 120
"""Millimetres of a picture."""
_WIDTH = 210 - 2 * _MARGIN
_POINTS_PER_PIXEL = 0.75
_TEXT_PIXELS = 11 / _POINTS_PER_PIXEL
_FORMULA_SCALE = 1.12
_FORMULA_ZOOM = 4
"""Pixels of a formula's picture for one of its own: sharp in print."""
_HEADINGS = {"Heading 1": (18, 6, 8), "Heading 2": (14, 16, 6), "Heading 3": (12, 10, 4)}
"""Size, space before and after in points."""
_ALIGNMENTS = {
    "text-align:center": WD_ALIGN_PARAGRAPH.CENTER,
    "text-align:right": WD_ALIGN_PARAGRAPH.RIGHT,
}


def to_docx(markdown: str, pictures: Mapping[str, bytes] | None = None, title: str = "") -> bytes:
    """`pictures` are the files of kept pictures, by their hash. For a worker thread: formulas are drawn."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    links = parser.validateLink
    # A picture in the text itself is refused as a link is; only the rule of pictures below shows it.
    parser.validateLink = lambda url: links(url) or bool(INLINE_PICTURE.fullmatch(url))  # type: ignore[method-assign]
    add_formulas(parser)
    document = _empty(title)
    writer = _Writer(document, _Inline(pictures or {}, FormulaPictures(_TEXT_PIXELS * _FORMULA_SCALE)))
    writer.write(parser.parse(markdown))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


# ---------------------------------------------------------------- the document


def _empty(title: str) -> Any:
    document = Document()
    _drop_thumbnail(document)
    about = document.core_properties
    about.author, about.comments, about.title = "Triptych", "", _allowed(title)[:200]
    page = document.sections[0]
    page.page_width, page.page_height = Mm(210), Mm(297)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Mm(_MARGIN)
    styles = document.styles
    normal = styles["Normal"]
    _set_font(normal, _TEXT_FONT, 11)
    normal.paragraph_format.space_after, normal.paragraph_format.line_spacing = Pt(6), 1.2
    for name, (size, before, after) in _HEADINGS.items():
        style = styles[name]
        _set_font(style, _TEXT_FONT, size)
        style.font.bold, style.font.color.rgb = True, RGBColor(0, 0, 0)
        style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(after)
    quote = styles["Quote"]
    quote.font.italic, quote.font.color.rgb = False, _SOFT
    quote.paragraph_format.left_indent = Twips(360)
    code = styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
    code.base_style = normal
    _set_font(code, _CODE_FONT, 9.5)
    code.paragraph_format.space_after, code.paragraph_format.line_spacing = Pt(0), 1.05
    code.paragraph_format.left_indent = code.paragraph_format.right_indent = Twips(120)
    # In the order the format asks for: before the distances.
    code.element.pPr.insert_element_before(
        _element("w:shd", val="clear", color="auto", fill=_SHADE), "w:spacing", "w:ind"
    )
    cell = styles.add_style("Cell", WD_STYLE_TYPE.PARAGRAPH)
    cell.base_style = normal
    cell.paragraph_format.space_after = Pt(0)
    return document


def _drop_thumbnail(document: Any) -> None:
    """A picture of the library's own empty template."""
    relations = document.part.package.rels
    for id in [id for id, relation in relations.items() if relation.reltype.endswith("/thumbnail")]:
        del relations[id]


def _set_font(style: Any, name: str, points: float) -> None:
    style.font.name, style.font.size = name, Pt(points)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    for script, font in (("ascii", name), ("hAnsi", name), ("cs", name), ("eastAsia", _CHINESE_FONT)):
        fonts.set(qn(f"w:{script}"), font)


def _set_style(paragraph: Any, id: str) -> None:
    """By its id: the library would look through all styles for one of that name each time."""
    paragraph._p.style = id  # noqa: SLF001 - the element


def _element(name: str, **values: str) -> Any:
    element = OxmlElement(name)
    for key, value in values.items():
        element.set(qn(f"w:{key}"), value)
    return element


# ---------------------------------------------------------------- blocks


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands: inside how many lists, in a quote, and what its first line begins with."""

    depth: int = 0
    quoted: bool = False
    mark: str = ""


@dataclass(slots=True)
class _Lists:
    """Open lists, innermost last: the next number, or None for dots."""

    numbers: list[int | None] = field(default_factory=list)

    def mark(self) -> str:
        number = self.numbers[-1] if self.numbers else None
        if number is None:
            return "•\t"
        self.numbers[-1] = number + 1
        return f"{number}.\t"


class _Writer:
    def __init__(self, document: Any, inline: _Inline) -> None:
        self._document, self._inline = document, inline

    def write(self, tokens: list[Token]) -> None:
        lists, quotes, place, style = _Lists(), 0, _Place(), ""
        rest = iter(tokens)
        for token in rest:
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    start = token.attrGet("start")
                    lists.numbers.append(None if token.type[0] == "b" else int(start) if start is not None else 1)
                case "bullet_list_close" | "ordered_list_close":
                    lists.numbers.pop()
                case "list_item_open":
                    place = replace(place, mark=lists.mark())
                case "blockquote_open" | "blockquote_close":
                    quotes += 1 if token.type.endswith("open") else -1
                case "heading_open":
                    style = f"Heading{min(int(token.tag[1]), 3)}"
                case "heading_close":
                    style = ""
                case "table_open":
                    self._table(_until(rest, "table_close"))
                case "inline":
                    place = replace(place, depth=len(lists.numbers), quoted=quotes > 0)
                    self._inline.write(self._paragraph(place, style), token.children or [])
                    place = replace(place, mark="")
                case "math_block" | "math_block_label":
                    self._formula(token.content.strip(), replace(place, depth=len(lists.numbers)))
                case "fence" | "code_block":
                    self._code(token.content.rstrip("\n"), _Place(len(lists.numbers)))
                case "hr":
                    self._document.add_paragraph()
                case _:
                    pass

    def _paragraph(self, place: _Place, style: str) -> Any:
        paragraph = self._document.add_paragraph()
        if style or place.quoted:
            _set_style(paragraph, style or "Quote")
        if place.depth:
            paragraph.paragraph_format.left_indent = Twips(360 * place.depth)
            if place.mark:
                paragraph.paragraph_format.first_line_indent = Twips(-300)
        if place.mark:
            paragraph.add_run(place.mark)
        return paragraph

    def _formula(self, tex: str, place: _Place) -> None:
        drawn = self._inline.formulas.picture(tex, display=True)
        if drawn is None or not self._inline.show_formula(self._paragraph(place, ""), drawn, tex, on_line=False):
            self._code(tex, place)

    def _code(self, text: str, place: _Place) -> None:
        for line in text.split("\n"):
            self._paragraph(place, "Code").add_run(_allowed(line))
        self._document.add_paragraph()

    def _table(self, tokens: list[Token]) -> None:
        rows: list[list[tuple[Token, Token]]] = []
        for token, after in pairwise(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append((token, after))
        table = self._document.add_table(1, max(len(row) for row in rows), style="Table Grid")
        for cell, (opening, _inside) in zip(table.rows[0].cells, rows[0], strict=False):
            _set_style(cell.paragraphs[0], "Cell")
            cell.paragraphs[0].alignment = _ALIGNMENTS.get(str(opening.attrGet("style") or ""))
        # Copies of the first row: cell by cell the library takes a minute for a table of some thousand rows.
        first = table.rows[0]._tr  # noqa: SLF001 - the element
        elements = [first, *(deepcopy(first) for _row in rows[1:])]
        for element, row in zip(elements, rows, strict=True):
            if element is not first:
                first.getparent().append(element)
            for cell, (opening, inside) in zip(element.tc_lst, row, strict=False):
                self._inline.write(
                    Paragraph(cell.p_lst[0], table), inside.children or [], bold=opening.type == "th_open"
                )
        self._document.add_paragraph()


def _until(tokens: Iterator[Token], last: str) -> list[Token]:
    taken: list[Token] = []
    for token in tokens:
        taken.append(token)
        if token.type == last:
            break
    return taken


# ---------------------------------------------------------------- letters and pictures


@dataclass(frozen=True, slots=True)
class _Added:
    """A picture in the document, and how large it is shown."""

    relation: str
    width: Any
    height: Any


@dataclass(frozen=True, slots=True)
class _Inline:
    pictures: Mapping[str, bytes]
    formulas: FormulaPictures
    _added: dict[Any, _Added] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def write(self, paragraph: Any, tokens: list[Token], *, bold: bool = False) -> None:
        on = {"strong": int(bold), "em": 0, "s": 0}
        addresses: list[str] = []
        for token in tokens:
            kind, _sep, edge = token.type.rpartition("_")
            if token.type == "text":
                self._run(paragraph, token.content, on)
            elif token.type == "image":
                self._picture(paragraph, str(token.attrGet("src") or ""), token.content, on)
            elif token.type in ("math_inline", "math_inline_double"):
                self._formula(paragraph, token, on)
            elif token.type == "code_inline":
                _set_font(self._run(paragraph, token.content, on), _CODE_FONT, 10)
            elif token.type in ("softbreak", "hardbreak"):
                paragraph.add_run().add_break()
            elif kind in on:
                on[kind] += 1 if edge == "open" else -1
            elif token.type == "link_open":
                addresses.append(str(token.attrGet("href") or ""))
            elif token.type == "link_close":
                self._run(paragraph, f" ({addresses.pop()})", on).font.color.rgb = _SOFT

    def show_formula(self, paragraph: Any, drawn: FormulaPicture, tex: str, *, on_line: bool) -> bool:
        if drawn not in self._added:
            data = drawn.png(_FORMULA_ZOOM)
            if data is None:
                return False
            self._added[drawn] = self._add(paragraph, data, drawn.width, drawn.height)
        # Lowered by what reaches under the base line, in half points.
        lowered = round(drawn.below * _POINTS_PER_PIXEL * 2) if on_line else 0
        self._show(paragraph, self._added[drawn], tex, lowered)
        return True

    def _formula(self, paragraph: Any, token: Token, on: Mapping[str, int]) -> None:
        is_display = token.type.endswith("double") or token.markup == "\\["
        drawn = self.formulas.picture(token.content, display=is_display)
        if drawn is None or not self.show_formula(paragraph, drawn, token.content, on_line=True):
            _set_font(self._run(paragraph, token.content, on), _CODE_FONT, 10)

    def _picture(self, paragraph: Any, source: str, words: str, on: Mapping[str, int]) -> None:
        """Its words, if it is not in the file: Word would ask wherever the text says."""
        if source not in self._added:
            data = self._file(source)
            facts = picture_facts(data) if data else None
            if data is None or facts is None or facts.pixels > MOST_PIXELS:
                self._run(paragraph, words, on)
                return
            try:
                self._added[source] = self._add(paragraph, _for_word(data, facts), facts.width, facts.height)
            except Exception:  # noqa: BLE001 - a library fed with files from anywhere: struct.error, KeyError and more
                self._run(paragraph, words, on)
                return
        self._show(paragraph, self._added[source], words, 0)

    def _add(self, paragraph: Any, data: bytes, width: float, height: float) -> _Added:
        """To the document, once; sizes in pixels."""
        most = (Mm(_WIDTH) / Pt(width * _POINTS_PER_PIXEL), Mm(_HIGHEST) / Pt(height * _POINTS_PER_PIXEL))
        scale = min(1.0, *most) * _POINTS_PER_PIXEL
        relation, _image = paragraph.part.get_or_add_image(io.BytesIO(data))
        return _Added(relation, Pt(width * scale), Pt(height * scale))

    def _show(self, paragraph: Any, added: _Added, words: str, lowered: int) -> None:
        # The library's own way looks for a free number in the whole document each time.
        inline = CT_Inline.new_pic_inline(next(self._numbers), added.relation, "picture", added.width, added.height)
        inline.docPr.set("descr", _allowed(" ".join(words.split())))  # what a screen reader says
        run = paragraph.add_run()._r  # noqa: SLF001 - the element
        if lowered:
            run.get_or_add_rPr().append(_element("w:position", val=str(-lowered)))
        run.add_drawing(inline)

    def _file(self, source: str) -> bytes | None:
        if match := STORED_PICTURE.fullmatch(source):
            return self.pictures.get(match.group(1))
        try:
            match = INLINE_PICTURE.fullmatch(source)
            return base64.b64decode(match.group(2), validate=True) if match else None
        except ValueError:
            return None

    def _run(self, paragraph: Any, text: str, on: Mapping[str, int]) -> Any:
        run = paragraph.add_run(_allowed(text))
        if on["strong"]:
            run.bold = True
        if on["em"]:
            run.italic = True
        if on["s"]:
            run.font.strike = True
        return run


def _for_word(data: bytes, facts: PictureFacts) -> bytes:
    """WebP is drawn again: Word does not know it."""
    if facts.mime != "image/webp":
        return data
    size = f'width="{facts.width}" height="{facts.height}"'
    address = f"data:{facts.mime};base64,{base64.b64encode(data).decode()}"
    drawn = png_of(f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image href="{address}" {size}/></svg>')
    if drawn is None:
        raise ValueError("the picture cannot be drawn")
    return drawn


def _allowed(text: str) -> str:
    """What XML 1.0 takes."""
    return "".join(char if _is_allowed(char) else "\ufffd" for char in text)


def _is_allowed(char: str) -> bool:
    return char in "\t\n\r" or " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char >= "\U00010000"
