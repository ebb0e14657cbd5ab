"""A conversation as a Word document, written by hand: a zip of a few XML files, nothing linked from outside.

Made of the same Markdown as the `.md` export, so that the switches mean the same. Links are shown as
their address, pictures as their text.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .formula_rules import add_formulas

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_TO_DOCUMENT = _RELS.format(f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>')
_TO_STYLES = _RELS.format(f'<Relationship Id="r1" Type="{_OFFICE}/styles" Target="styles.xml"/>')
_FONTS = '<w:rFonts w:ascii="{0}" w:hAnsi="{0}" w:cs="{0}" w:eastAsia="{1}"/>'
_TEXT_FONT, _CODE_FONT = _FONTS.format("Calibri", "Microsoft YaHei"), _FONTS.format("Consolas", "Microsoft YaHei")
_STYLES = {
    # id: (paragraph, letters)
    "Normal": ('<w:spacing w:after="120" w:line="288" w:lineRule="auto"/>', f'{_TEXT_FONT}<w:sz w:val="22"/>'),
    "Heading1": ('<w:keepNext/><w:spacing w:before="120" w:after="160"/>', '<w:b/><w:sz w:val="36"/>'),
    "Heading2": ('<w:keepNext/><w:spacing w:before="320" w:after="120"/>', '<w:b/><w:sz w:val="28"/>'),
    "Heading3": ('<w:keepNext/><w:spacing w:before="200" w:after="80"/>', '<w:b/><w:sz w:val="24"/>'),
    "Quote": ('<w:ind w:left="360"/>', '<w:color w:val="5C6370"/>'),
    "Code": (
        (
            '<w:shd w:val="clear" w:color="auto" w:fill="F5F6F8"/>'
            '<w:spacing w:after="0" w:line="252" w:lineRule="auto"/>'
            '<w:ind w:left="120" w:right="120"/>'
        ),
        f'{_CODE_FONT}<w:sz w:val="19"/>',
    ),
}
_DEFAULT, _BASED = ' w:default="1"', '<w:basedOn w:val="Normal"/>'
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="DFE2E8"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_PAGE = (
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1304" w:right="1304" w:bottom="1304" w:left="1304" w:header="0" w:footer="0"'
    ' w:gutter="0"/></w:sectPr>'
)


def to_docx(markdown: str) -> bytes:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    add_formulas(parser)
    tokens = parser.parse(markdown)
    body = "".join(_blocks(tokens))
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _TO_DOCUMENT,
        "word/_rels/document.xml.rels": _TO_STYLES,
        "word/styles.xml": _styles(),
        "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}{_PAGE}</w:body></w:document>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + text)
    return out.getvalue()


def _styles() -> str:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id}"{_DEFAULT if id == "Normal" else ""}><w:name w:val="{id}"/>'
        f"{'' if id == 'Normal' else _BASED}<w:pPr>{paragraph}</w:pPr><w:rPr>{letters}</w:rPr></w:style>"
        for id, (paragraph, letters) in _STYLES.items()
    )
    return f'<w:styles xmlns:w="{_W}">{styles}</w:styles>'


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


def _blocks(tokens: list[Token]) -> Iterator[str]:
    lists, quotes, place, style = _Lists(), 0, _Place(), ""
    for number, token in enumerate(tokens):
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
                yield _table_head(tokens[number:])
                style = "cell"
            case "table_close":
                yield "</w:tbl><w:p/>"
                style = ""
            case "tr_open" | "tr_close":
                yield "<w:tr>" if token.type == "tr_open" else "</w:tr>"
            case "th_open" | "td_open":
                yield "<w:tc><w:tcPr/>"
            case "th_close" | "td_close":
                yield "</w:tc>"
            case "inline":
                place = replace(place, depth=len(lists.numbers), quoted=quotes > 0)
                yield _paragraph(_runs(token.children or []), place, "" if style == "cell" else style)
                place = replace(place, mark="")
            case "fence" | "code_block" | "math_block" | "math_block_label":
                code = token.content.rstrip("\n")
                for line in (code.lstrip("\n") if token.type.startswith("math") else code).split("\n"):
                    yield _paragraph(_run(line, ""), _Place(len(lists.numbers)), "Code")
                yield "<w:p/>"
            case "hr":
                yield "<w:p/>"
            case _:
                pass


def _table_head(tokens: list[Token]) -> str:
    columns = 0
    for token in tokens:
        columns += token.type == "th_open"
        if token.type == "tr_close":
            break
    borders = f'<w:tblW w:w="0" w:type="auto"/><w:tblBorders>{_BORDERS}</w:tblBorders>'
    return f"<w:tbl><w:tblPr>{borders}</w:tblPr><w:tblGrid>{'<w:gridCol/>' * columns}</w:tblGrid>"


def _paragraph(runs: str, place: _Place, style: str) -> str:
    style = style or ("Quote" if place.quoted else "")
    settings = f'<w:pStyle w:val="{style}"/>' if style else ""
    if place.depth:
        left = 360 * place.depth
        settings += f'<w:ind w:left="{left}"{_HANGING if place.mark else ""}/>'
    mark = _run(place.mark, "") if place.mark else ""
    return f"<w:p><w:pPr>{settings}</w:pPr>{mark}{runs}</w:p>"


# ---------------------------------------------------------------- letters

_HANGING = ' w:hanging="300"'
_LETTERS = {"strong": "<w:b/>", "em": "<w:i/>", "s": "<w:strike/>"}


def _runs(tokens: list[Token]) -> str:
    written: list[str] = []
    on: dict[str, str] = {}
    addresses: list[str] = []
    for token in tokens:
        kind, _, edge = token.type.rpartition("_")
        if token.type in ("text", "image"):
            written.append(_run(token.content, "".join(on.values())))
        elif token.type in ("code_inline", "math_inline", "math_inline_double"):
            written.append(_run(token.content, _CODE_FONT))
        elif token.type in ("softbreak", "hardbreak"):
            written.append("<w:r><w:br/></w:r>")
        elif kind in _LETTERS:
            if edge == "open":
                on[kind] = _LETTERS[kind]
            else:
                on.pop(kind, None)
        elif token.type == "link_open":
            addresses.append(str(token.attrGet("href") or ""))
        elif token.type == "link_close":
            written.append(_run(f" ({addresses.pop()})", '<w:color w:val="5C6370"/>'))
    return "".join(written)


def _run(text: str, letters: str) -> str:
    pieces = escape("".join(char if _is_allowed(char) else "\ufffd" for char in text)).split("\t")
    inside = "<w:tab/>".join(f'<w:t xml:space="preserve">{piece}</w:t>' if piece else "" for piece in pieces)
    return f"<w:r><w:rPr>{letters}</w:rPr>{inside}</w:r>" if letters else f"<w:r>{inside}</w:r>"


def _is_allowed(char: str) -> bool:
    """In XML 1.0."""
    return char in "\t\n\r" or " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char >= "\U00010000"
