"""A price list of a sheet: the mapping proposed, items read by it, and a warning for what a person should look at."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..model.price_list import Item
from .grid import Grid, column_of, letters
from .headers import TOTALS, Header, find_header, flat, meaning
from .numbers import currency_of, price, quantity, shown
from .sheets import read_grids

_NOTE = re.compile(
    r"^\s*(?:备注|注[:：]|说明|note|remark|以上|本价|有效期|valid|联系|电话|地址|tel|fax|e-?mail)", re.IGNORECASE
)
_DATE = re.compile(r"(20\d\d)\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})")
_MOST_NAMED = 8


@dataclass(slots=True)
class Remark:
    code: str
    count: int
    places: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "count": self.count, "places": self.places}


@dataclass(slots=True)
class ReadList:
    items: list[Item]
    header: Header
    sheets: list[str]
    warnings: list[Remark]
    currency: str
    tax_included: bool | None
    valid_from: str
    valid_to: str
    checksum: str

    @property
    def levels(self) -> list[str]:
        return list(self.header.prices)


class Notes:
    """Warnings gathered by code, with the first places of each."""

    def __init__(self) -> None:
        self._found: dict[str, Remark] = {}

    def add(self, code: str, place: str) -> None:
        warning = self._found.setdefault(code, Remark(code, 0))
        warning.count += 1
        if len(warning.places) < _MOST_NAMED:
            warning.places.append(place)

    def all(self) -> list[Remark]:
        return list(self._found.values())


def read_price_list(
    path: Path,
    sheet: str = "",
    header_row: int = 0,
    mapping: Mapping[str, Any] | None = None,
    known: Mapping[str, Mapping[str, Any]] | None = None,
) -> ReadList:
    """Blocks. `known`: confirmed mappings by header signature. Raises ToolError FORMAT, NO_HEADER, NO_PRICE_COLUMN."""
    grids = read_grids(path)
    notes = Notes()
    chosen = (
        [grid for grid in grids if grid.sheet == sheet] if sheet else [g for g in grids if not g.is_hidden] or grids
    )
    if not chosen:
        names = ", ".join(grid.sheet for grid in grids)
        raise ToolError(
            "FORMAT", N_("there is no sheet {sheet}; there are: {names}"), values={"sheet": sheet, "names": names}
        )
    for grid in grids:
        if grid.is_hidden and not sheet:
            notes.add("hidden_sheet", grid.sheet)
        grid.fill_merged()
    headers = [(grid, _header(grid, header_row, mapping, known or {})) for grid in chosen]
    with_header = [(grid, header) for grid, header in headers if header is not None]
    if not with_header:
        raise ToolError(
            "NO_HEADER",
            N_("no row names the columns: give header_row, or a mapping such as {example}"),
            values={"example": '{"name": "B", "price": "D"}'},
        )
    priced = [(grid, header) for grid, header in with_header if header.prices]
    if not priced:
        columns = ", ".join(f"{letters(n)} {text}" for n, text in enumerate(with_header[0][1].texts) if text)
        raise ToolError(
            "NO_PRICE_COLUMN", N_("no column is a price; the columns are: {columns}"), values={"columns": columns}
        )
    items: list[Item] = []
    for grid, header in priced:
        for column in sorted(grid.hidden_columns):
            if any(grid.at(row, column) for row in range(len(grid.rows))):
                notes.add("hidden_column", f"{grid.sheet}!{letters(column)}")
        items += _items(grid, header, notes, len(items))
    items = _with_codes(items, notes)
    first_grid, first = priced[0]
    heading = " ".join(text for row in first_grid.rows[: first.row + 1] for text in row if text)
    tail = " ".join(text for row in first_grid.rows[-6:] for text in row if text and price(text) is None)
    currency, tax, dates = _terms(heading, tail, first)
    plain = json.dumps([item.to_json() for item in items], ensure_ascii=False)
    return ReadList(
        items,
        first,
        [grid.sheet for grid, _header in priced],
        notes.all(),
        currency,
        tax,
        dates[0],
        dates[1],
        hashlib.sha256(plain.encode()).hexdigest()[:16],
    )


def _header(
    grid: Grid, header_row: int, mapping: Mapping[str, Any] | None, known: Mapping[str, Mapping[str, Any]]
) -> Header | None:
    if header_row:
        texts = list(grid.rows[header_row - 1]) if header_row <= len(grid.rows) else []
        proposal = find_header(Grid(grid.sheet, [texts, *grid.rows[header_row : header_row + 1]], merged=[]))
        header = proposal or Header(0, texts=texts)
        header.row = header_row - 1
    else:
        guess = find_header(grid) or (Header(-1, texts=[]) if mapping else _without_header(grid))
        if guess is None:
            return None
        header = guess
    columns = mapping or known.get(header.signature)
    return apply_mapping(header, columns, grid) if columns else header


def _without_header(grid: Grid) -> Header | None:
    """By the cells: texts are names, the last column of numbers is the price; only where every row agrees."""
    rows = [row for row in grid.rows if sum(bool(cell) for cell in row) >= 2][:200]
    if len(rows) < 2 or len(rows) < len(grid.rows) * 0.6:
        return None
    width = grid.width
    numeric = [sum(price(row[n]) is not None for row in rows if row[n]) for n in range(width)]
    filled = [sum(bool(row[n]) for row in rows) for n in range(width)]
    texts = [n for n in range(width) if filled[n] > len(rows) * 0.8 and numeric[n] < filled[n] * 0.5]
    numbers = [n for n in range(width) if filled[n] > len(rows) * 0.8 and numeric[n] > filled[n] * 0.9]
    if not texts or not numbers:
        return None
    longest = max(texts, key=lambda n: sum(len(row[n]) for row in rows))
    header = Header(-1, {"name": longest}, {"default": numbers[-1]}, [""] * width)
    others = [n for n in texts if n != longest]
    if others and others[0] < longest:
        header.columns["code"] = others[0]
    elif numbers[0] < longest and len(numbers) > 1:
        header.columns["code"] = numbers[0]
    return header


def apply_mapping(header: Header, mapping: Mapping[str, Any], grid: Grid) -> Header:
    """A mapping of a person in place of the proposal: letters, numbers from 1, or the words of the header."""
    columns = dict(header.columns)
    prices: dict[str, int] = {}
    for name, where in mapping.items():
        if name in ("price", "prices"):
            levels = where if isinstance(where, Mapping) else {"default": where}
            prices = {str(level): _place(header, column, grid) for level, column in levels.items()}
        elif where in (None, ""):
            columns.pop(name, None)
        else:
            columns[name] = _place(header, where, grid)
    return Header(header.row, columns, prices or header.prices, header.texts, header.further)


def _place(header: Header, where: Any, grid: Grid) -> int:
    if isinstance(where, int):
        return where - 1
    wanted = flat(str(where))
    for column, text in enumerate(header.texts):
        if text and flat(text) == wanted:
            return column
    named = column_of(str(where).strip())
    if named is None or named >= max(grid.width, 1):
        raise ToolError("NO_COLUMN", N_("there is no column {column}"), values={"column": where})
    return named


def _items(grid: Grid, header: Header, notes: Notes, before: int) -> list[Item]:
    items: list[Item] = []
    group = ""
    for row in range(header.row + 1, len(grid.rows)):
        cells = grid.rows[row]
        if not any(cells):
            continue
        place = f"{grid.sheet}!{row + 1}"
        if row in grid.hidden_rows:
            notes.add("hidden_row", place)
            continue
        filled = [cell for cell in cells if cell]
        if any(TOTALS.match(cell) for cell in filled[:2]):
            notes.add("total_row", place)
            continue
        if sum(meaning(cell) != "" for cell in filled) >= 3 and [flat(c) for c in cells] == [
            flat(t) for t in header.texts
        ]:
            continue
        item = _item(grid, header, row, group, notes, place)
        if item is None:
            if len(set(filled)) == 1 and len(filled[0]) <= 60 and not _NOTE.match(filled[0]):
                group = filled[0]
            elif not _NOTE.match(filled[0]):
                notes.add("not_an_item", place)
            continue
        items.append(item)
    return items


def _item(grid: Grid, header: Header, row: int, group: str, notes: Notes, place: str) -> Item | None:
    def cell(name: str) -> str:
        column = header.columns.get(name)
        return " ".join(grid.at(row, column).split()) if column is not None else ""

    name, code, spec = cell("name"), cell("code"), cell("spec")
    prices: dict[str, str] = {}
    for level, column in header.prices.items():
        text = grid.at(row, column)
        if (row, column) in grid.uncached:
            notes.add("formula_without_value", f"{grid.sheet}!{letters(column)}{row + 1}")
        value = price(text) if text else None
        if value is not None:
            prices[level] = shown(value)
            if (row, column) in grid.text_cells:
                notes.add("text_number", f"{grid.sheet}!{letters(column)}{row + 1}")
        elif text:
            notes.add("no_price_read", f"{grid.sheet}!{letters(column)}{row + 1}: {text[:30]}")
    if not name and not code and not spec:
        return None
    if not prices and not code and not any(cell(each) for each in ("spec", "unit", "stock")):
        return None
    if not prices:
        notes.add("empty_price", place)
    about = [cell("about"), *(" ".join(grid.at(row, column).split()) for column in header.further)]
    cost, stock = price(cell("cost")), quantity(cell("stock"))
    return Item(
        code,
        name or spec or code,
        spec if name else "",
        cell("unit"),
        cell("brand"),
        " ".join(filter(None, [*about, group]))[:2000],
        prices,
        shown(cost) if cost is not None else "",
        shown(stock)
        if stock is not None
        else ("0" if re.search(r"无|缺|out|售罄|no", cell("stock").casefold()) else ""),
        cell("moq"),
        row + 1,
    )


def _with_codes(items: Sequence[Item], notes: Notes) -> list[Item]:
    """A row without a code is called by its number; codes that stand twice are named."""
    from dataclasses import replace

    taken = {item.code for item in items}
    counts = Counter(item.code for item in items if item.code)
    for code, count in counts.items():
        if count > 1:
            notes.add("duplicate_code", f"{code} × {count}")
    found: list[Item] = []
    for item in items:
        if item.code:
            found.append(item)
            continue
        code, number = f"#{item.row}", 1
        while code in taken:
            number += 1
            code = f"#{item.row}-{number}"
        taken.add(code)
        found.append(replace(item, code=code))
    return found


def _terms(heading: str, tail: str, header: Header) -> tuple[str, bool | None, tuple[str, str]]:
    prices = " ".join(header.texts[column] for column in header.prices.values() if column < len(header.texts))
    whole = f"{prices} {heading} {tail}"
    tax: bool | None = None
    if re.search(r"不含税|未税|未稅|excl|ex\.? ?vat|net of tax", whole, re.IGNORECASE):
        tax = False
    elif re.search(r"含税|含稅|incl|inc\.? ?vat", whole, re.IGNORECASE):
        tax = True
    dates = [f"{y}-{int(m):02}-{int(d):02}" for y, m, d in _DATE.findall(f"{heading} {tail}")]
    span = (dates[0], dates[1]) if len(dates) >= 2 else ("", "")
    if len(dates) == 1:
        span = ("", dates[0]) if re.search(r"有效期|截止|valid|until|至", whole, re.IGNORECASE) else (dates[0], "")
    return currency_of(prices) or currency_of(heading) or currency_of(tail) or "CNY", tax, span
