"""A person's own workbook filled: `{{customer}}` in a cell, and rows with `{{line.name}}` once for each line.

Styles, widths, pictures, formulas and everything else of the workbook stay. Rows below the repeated ones move down, and
with them what refers to them: formulas on all sheets, merged cells, names, conditions, charts, drawings, tables.
Formulas have no stored results any more; a program calculates them when it opens the file.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..reading.grid import column_of
from ..reading.package import damaged, opened, part, xml
from ..reading.xlsx_grid import SheetPart, formats_of, sheets_of, strings_of
from .formulas import Mover, RepeatedRows, copied, moved, moved_range, moved_ranges
from .template_parts import packed, parts_of, workbook_parts, written

SUFFIXES = {".xlsx": ".xlsx", ".xlsm": ".xlsm", ".xltx": ".xlsx", ".xltm": ".xlsm"}
"""Of a template, and of the file made of it."""
_FIELD = re.compile(r"\{\{\s*([^{}]{1,60}?)\s*\}\}")
_CELL = re.compile(r"([A-Z]{1,3})(\d+)")
_NUMBERS = frozenset(
    {"line.no", "line.qty", "line.price", "line.amount", "subtotal", "tax", "tax_rate", "total", "count"}
)
_DATES = frozenset({"date", "valid_until"})
_RANGES = {
    "dimension": "ref", "mergeCell": "ref", "conditionalFormatting": "sqref", "dataValidation": "sqref",
    "hyperlink": "ref", "autoFilter": "ref", "selection": "sqref", "protectedRange": "sqref", "ignoredError": "sqref",
    "sortState": "ref", "sortCondition": "ref",
}  # fmt: skip
_FORMULAS = frozenset({"formula", "formula1", "formula2"})


@dataclass(frozen=True, slots=True)
class TemplateValues:
    """By placeholder; Chinese names are others for the same (`ALSO`)."""

    fields: Mapping[str, str]
    lines: Sequence[Mapping[str, str]]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.fields) | LINE_FIELDS


LINE_FIELDS = frozenset(
    f"line.{name}"
    for name in ("no", "code", "name", "spec", "product", "qty", "unit", "price", "amount", "note", "request")
)
ALSO = {
    "公司": "company", "公司信息": "company_lines", "客户": "customer", "编号": "number", "日期": "date",
    "有效期": "valid_until", "有效天数": "valid_days", "条款": "terms", "币种": "currency", "级别": "level",
    "小计": "subtotal", "税额": "tax", "税率": "tax_rate", "合计": "total", "标题": "title", "行数": "count",
    "行.序号": "line.no", "行.编码": "line.code", "行.品名": "line.name", "行.规格": "line.spec",
    "行.产品": "line.product", "行.数量": "line.qty", "行.单位": "line.unit", "行.单价": "line.price",
    "行.金额": "line.amount", "行.备注": "line.note", "行.询价": "line.request",
}  # fmt: skip


@dataclass(slots=True)
class _Sheet:
    part: SheetPart
    root: Any
    block: RepeatedRows | None = None
    strings: Sequence[str] = field(default=())

    @property
    def mover(self) -> Mover | None:
        return self.block.outside if self.block is not None else None


def fill_template(path: Path, values: TemplateValues) -> bytes:
    """Blocks. Raises ToolError FORMAT; TEMPLATE where it has no placeholder, or one that is not known."""
    with opened(path) as archive:
        strings, formats = strings_of(archive), formats_of(archive)
        sheets = [_Sheet(one, xml(part(archive, one.part)), strings=strings) for one in sheets_of(archive)]
        _check(sheets, values)
        for sheet in sheets:
            sheet.block = _block(sheet, len(values.lines))
        movers = {one.part.name: one.mover for one in sheets if one.mover is not None}
        replaced: dict[str, bytes] = {}
        for sheet in sheets:
            _unshare(sheet)
            _fill(sheet, values, formats, movers)
            replaced[sheet.part.part] = written(sheet.root)
            if sheet.block is not None and sheet.block.added:
                replaced |= parts_of(archive, sheet.part.part, sheet.block)
        replaced |= workbook_parts(archive, movers)
        return packed(archive, replaced)


def _name(text: str) -> str:
    return ALSO.get(text, text.casefold())


def _check(sheets: Sequence[_Sheet], values: TemplateValues) -> None:
    used = {
        _name(name) for sheet in sheets for cell in _cells(sheet.root) for name in _FIELD.findall(_text(sheet, cell))
    }
    if not used:
        raise ToolError("TEMPLATE", N_("the template has no placeholder such as {example}"),
                        values={"example": "{{customer}}, {{line.name}}"})  # fmt: skip
    if unknown := sorted(used - values.names):
        known = ", ".join(sorted(values.names))
        raise ToolError("TEMPLATE", N_("the template has placeholders that are not known: {names}"),
                        values={"names": ", ".join(unknown[:10])}, hint=known)  # fmt: skip


def _block(sheet: _Sheet, count: int) -> RepeatedRows | None:
    rows = [
        int(row.get("r"))
        for row in sheet.root.iter("{*}row")
        for cell in row
        if any(_name(name) in LINE_FIELDS for name in _FIELD.findall(_text(sheet, cell)))
    ]
    return RepeatedRows(min(rows), max(rows), max(1, count)) if rows else None


def _cells(root: Any) -> Iterator[Any]:
    """All of the cells; rows and cells without a place get one."""
    number = 0
    for row in root.iter("{*}row"):
        number = int(row.get("r") or number + 1)
        row.set("r", str(number))
        column = 0
        for cell in row.iterchildren("{*}c"):
            place = _CELL.fullmatch(cell.get("r") or "")
            column = (column_of(place[1]) or 0) + 1 if place else column + 1
            if place is None:
                raise damaged("cells without a place")
            yield cell


def _text(sheet: _Sheet, cell: Any) -> str:
    kind, value = cell.get("t"), cell.find("{*}v")
    if cell.find("{*}f") is not None:
        return ""
    if kind == "inlineStr":
        return "".join(node.text or "" for node in cell.iter("{*}t"))
    text = (value.text or "") if value is not None else ""
    if kind == "s":
        return sheet.strings[int(text)] if text.isdigit() and int(text) < len(sheet.strings) else ""
    return text if kind == "str" else ""


def _unshare(sheet: _Sheet) -> None:
    """A formula that several cells share is written out in each: they may move apart."""
    masters: dict[str, tuple[str, int, int]] = {}
    for cell in _cells(sheet.root):
        formula, place = cell.find("{*}f"), _CELL.fullmatch(cell.get("r"))
        if formula is None or formula.get("t") != "shared" or place is None:
            continue
        row, column, id = int(place[2]), column_of(place[1]) or 0, formula.get("si", "")
        if formula.text:
            masters[id] = (formula.text, row, column)
        elif id in masters:
            text, first, left = masters[id]
            formula.text = copied(text, row - first, column - left)
        for name in ("t", "si", "ref"):
            formula.attrib.pop(name, None)


def _fill(sheet: _Sheet, values: TemplateValues, formats: Sequence[str], movers: Mapping[str, Mover]) -> None:
    block, root = sheet.block, sheet.root
    data = next(root.iter("{*}sheetData"))
    rows = list(data.iterchildren("{*}row"))
    inner = [row for row in rows if block is not None and block.first <= int(row.get("r")) <= block.last]
    originals = [copy.deepcopy(row) for row in inner]
    for row in rows:
        if row in inner:
            data.remove(row)
            continue
        _set_row(row, block.row(int(row.get("r"))) if block is not None else int(row.get("r")))
        _fill_row(sheet, row, values.fields, formats, sheet.mover, movers)
    if block is not None:
        before = [row for row in data.iterchildren("{*}row") if int(row.get("r")) < block.first]
        at = data.index(before[-1]) + 1 if before else 0
        for number in range(block.copies):
            line = values.lines[number] if number < len(values.lines) else dict.fromkeys(LINE_FIELDS, "")
            for original in originals:
                row = copy.deepcopy(original)
                _set_row(row, int(row.get("r")) + number * block.size)
                _fill_row(sheet, row, {**values.fields, **line}, formats, block.inside(number), movers)
                data.insert(at, row)
                at += 1
        _move_ranges(root, block)
    for element in root.iter():
        if isinstance(element.tag, str) and element.text and element.tag.rpartition("}")[2] in _FORMULAS:
            element.text = moved(element.text, sheet.mover, movers)
    for tag in ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"):
        for element in root.iter(f"{{*}}{tag}"):
            element.text = _FIELD.sub(lambda found: values.fields.get(_name(found[1]), ""), element.text or "")


def _set_row(row: Any, number: int) -> None:
    row.set("r", str(number))
    for cell in row.iterchildren("{*}c"):
        place = _CELL.fullmatch(cell.get("r"))
        if place:
            cell.set("r", f"{place[1]}{number}")


def _fill_row(
    sheet: _Sheet, row: Any, fields: Mapping[str, str], formats: Sequence[str], own: Mover | None,
    movers: Mapping[str, Mover],
) -> None:  # fmt: skip
    for cell in row.iterchildren("{*}c"):
        formula = cell.find("{*}f")
        if formula is not None:
            formula.text = moved(formula.text or "", own, movers)
            if ref := formula.get("ref"):
                formula.set("ref", moved_range(ref, own) if own is not None else ref)
            if (value := cell.find("{*}v")) is not None:
                cell.remove(value)
            cell.attrib.pop("t", None)
            continue
        text = _text(sheet, cell)
        if _FIELD.search(text):
            _set_value(cell, text, fields, formats)


def _set_value(cell: Any, text: str, fields: Mapping[str, str], formats: Sequence[str]) -> None:
    """A number where the placeholder is the whole cell; else a text in line, which no program takes for a formula."""
    whole = _FIELD.fullmatch(text.strip())
    name = _name(whole[1]) if whole else ""
    new = _FIELD.sub(lambda found: fields.get(_name(found[1]), ""), text)
    for child in list(cell):
        cell.remove(child)
    cell.attrib.pop("t", None)
    number = _number(new) if name in _NUMBERS else None
    style = cell.get("s", "0")
    if name in _DATES and new and style.isdigit() and int(style) < len(formats) and formats[int(style)] == "date":
        number = Decimal((date.fromisoformat(new) - date(1899, 12, 30)).days)
    space = cell.tag.rpartition("}")[0] + "}"
    if number is not None:
        _child(cell, space + "v").text = f"{number:f}"
    elif new:
        cell.set("t", "inlineStr")
        node = _child(_child(cell, space + "is"), space + "t")
        node.text = "".join(char for char in new if char >= " " or char in "\n\t")
        node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        return None


def _child(parent: Any, tag: str) -> Any:
    import lxml.etree

    return lxml.etree.SubElement(parent, tag)


def _move_ranges(root: Any, block: RepeatedRows) -> None:
    inner = []
    for element in root.iter():
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if tag == "mergeCell" and (rows := _rows_of(element.get("ref", ""))) and _within(rows, block):
            inner.append(element)
        elif (name := _RANGES.get(tag)) and element.get(name):
            move = moved_ranges if name == "sqref" else moved_range
            element.set(name, move(element.get(name), block.outside))
        elif tag == "pane" and element.get("topLeftCell"):
            element.set("topLeftCell", moved_range(element.get("topLeftCell"), block.outside))
        elif tag == "brk" and element.getparent().tag.endswith("rowBreaks") and element.get("id", "").isdigit():
            element.set("id", str(block.row(int(element.get("id")))))
        elif tag == "sqref" and element.text:
            element.text = moved_ranges(element.text, block.outside)
    for element in inner:
        parent = element.getparent()
        for number in range(1, block.copies):
            twin = copy.deepcopy(element)
            twin.set("ref", moved_range(element.get("ref"), block.inside(number)))
            parent.append(twin)
        if parent.get("count"):
            parent.set("count", str(len(parent)))


def _rows_of(ref: str) -> tuple[int, int] | None:
    rows = [int(row) for _column, row in _CELL.findall(ref)]
    return (min(rows), max(rows)) if rows else None


def _within(rows: tuple[int, int], block: RepeatedRows) -> bool:
    return block.first <= rows[0] and rows[1] <= block.last
