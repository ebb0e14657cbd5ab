"""A quotation as a workbook, written part by part: a few rows of letterhead, the lines, the sums."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from xml.sax.saxutils import escape

from ..reading.grid import letters
from .offer import Offer

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PLAIN, BOLD, TITLE, MONEY, HEADING, TOTAL = range(6)
Cell = tuple[str, int]
_WIDTHS = (6, 14, 36, 24, 8, 10, 12, 14)


def workbook_of(offer: Offer) -> bytes:
    rows: list[list[Cell]] = []
    if offer.company:
        rows.append([(offer.company, BOLD)])
    rows += [[(line, PLAIN)] for line in offer.company_lines]
    rows += [[], [(offer.title, TITLE)]]
    rows += [[(label, PLAIN), ("", PLAIN), (value, PLAIN)] for label, value in offer.facts]
    rows += [[], [(column.label, HEADING) for column in offer.columns]]
    for row in offer.rows:
        rows.append([(row.get(c.key, ""), MONEY if c.key in ("price", "amount") else PLAIN) for c in offer.columns])
    gap: list[Cell] = [("", PLAIN)] * (len(offer.columns) - 2)
    rows += [[*gap, (label, BOLD), (value, TOTAL)] for label, value in offer.sums]
    rows += [[], *([(line, PLAIN)] for line in offer.terms)]
    numbers = {n for n, column in enumerate(offer.columns) if column.is_number}
    first = len(rows) - len(offer.terms) - 1 - len(offer.sums) - len(offer.rows)
    return _packed(_sheet(rows, numbers, first))


def _sheet(rows: Sequence[Sequence[Cell]], numbers: set[int], first: int) -> str:
    """Numbers from row `first` on; letterhead and facts above stay texts."""
    lines = []
    for n, row in enumerate(rows, 1):
        cells = "".join(_cell(f"{letters(c)}{n}", *cell, c in numbers and n > first) for c, cell in enumerate(row))
        lines.append(f'<row r="{n}">{cells}</row>')
    widths = "".join(f'<col min="{n}" max="{n}" width="{w}" customWidth="1"/>' for n, w in enumerate(_WIDTHS, 1))
    return f'{_HEAD}<worksheet xmlns="{_MAIN}"><cols>{widths}</cols><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cell(place: str, text: str, style: int, is_number: bool) -> str:
    """A text is an inline string: whatever it begins with, it is no formula."""
    if not text:
        return f'<c r="{place}" s="{style}"/>'
    if is_number:
        try:
            return f'<c r="{place}" s="{style}"><v>{Decimal(text):f}</v></c>'
        except InvalidOperation:
            pass
    plain = escape("".join(char for char in text if char >= " " or char in "\n\t"))
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{plain}</t></is></c>'


def _packed(sheet: str) -> bytes:
    font = '<font>{}<sz val="{}"/><name val="Calibri"/></font>'
    fonts = font.format("", 11) + font.format("<b/>", 11) + font.format("<b/>", 18)
    line = '<border><left/><right/><top/><bottom style="thin"/><diagonal/></border>'
    xf = '<xf numFmtId="{}" fontId="{}" fillId="0" borderId="{}" applyNumberFormat="1" applyFont="1"/>'
    styles = "".join(xf.format(*one) for one in ((0, 0, 0), (0, 1, 0), (0, 2, 0), (4, 0, 0), (0, 1, 1), (4, 1, 0)))
    parts = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/></Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_RELS}"><Relationship Id="rId1" Type="{_OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="Quotation" '
        'sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_RELS}"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{_OFFICE}/styles" '
        'Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'{_HEAD}<styleSheet xmlns="{_MAIN}"><fonts count="3">{fonts}</fonts><fills count="2"><fill>'
        '<patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
        f'<borders count="2"><border/>{line}</borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" '
        f'borderId="0"/></cellStyleXfs><cellXfs count="6">{styles}</cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": sheet,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()
