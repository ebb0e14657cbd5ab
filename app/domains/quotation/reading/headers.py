"""Where the header of a sheet is and what its columns mean, proposed from the words of the header and the cells below.

A header may lie anywhere, be two rows high (one price above several levels), or be missing: then the cells decide.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from .grid import Grid, letters
from .numbers import price

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "code": (
        "编码", "编号", "货号", "代码", "料号", "物料号", "产品号", "商品号", "存货编码", "产品编码", "商品编码",
        "物料编码", "產品編號", "編號", "貨號", "料號", "code", "item code", "item no", "item number", "part no",
        "part number", "sku", "article", "art no", "article no", "product code", "product id", "model no", "cat no",
        "ref", "id", "p/n", "material no", "material",
    ),
    "name": (
        "品名", "名称", "产品名称", "商品名称", "货物名称", "物料名称", "材料名称", "产品", "商品", "项目",
        "项目名称", "货品", "货品名称", "存货名称", "品名规格", "名称及规格", "名称规格", "设备名称", "物资名称",
        "名稱", "產品名稱", "商品名稱", "name", "product", "product name", "item", "item name", "title", "goods",
        "designation", "product title", "产品描述", "description of goods", "item description",
        "product description",
    ),
    "spec": (
        "规格", "型号", "规格型号", "型号规格", "规格/型号", "尺寸", "规格参数", "口径", "規格", "型號", "規格型號",
        "spec", "specification", "specifications", "size", "model", "dimension", "dimensions", "type", "modelno",
        "model number",
    ),
    "unit": (
        "单位", "计量单位", "單位", "unit", "uom", "units", "u/m",
    ),
    "brand": (
        "品牌", "厂家", "厂商", "生产厂家", "brand", "manufacturer", "maker", "make", "vendor",
    ),
    "about": (
        "描述", "说明", "备注", "備註", "参数", "用途", "类别", "分类", "系列", "材质", "颜色", "description",
        "details", "remarks", "remark", "notes", "note", "comment", "category", "features", "series", "附注",
        "技术参数",
    ),
    "stock": (
        "库存", "库存数量", "库存量", "现货", "可用库存", "现存量", "庫存", "stock", "in stock", "on hand",
        "available", "qty on hand", "inventory", "availability", "stock qty",
    ),
    "moq": (
        "起订量", "最小起订量", "起批量", "moq", "min order", "minimum order", "min qty",
    ),
    "cost": (
        "成本", "成本价", "进价", "进货价", "采购价", "成本單價", "cost", "cost price", "purchase price",
        "buying price",
    ),
    "price": (
        "单价", "价格", "售价", "报价", "含税单价", "不含税单价", "含税价", "未税价", "批发价", "零售价", "出厂价",
        "销售价", "优惠价", "代理价", "经销价", "面价", "市场价", "執行價", "单价(元)", "價格", "單價", "售價",
        "price", "unit price", "list price", "sale price", "retail", "retail price", "wholesale", "wholesale price",
        "net price", "rate", "unit cost", "selling price", "trade price", "dealer price",
    ),
    "qty": (
        "数量", "需求数量", "采购数量", "订购数量", "询价数量", "工程量", "需求量", "用量", "數量", "qty",
        "quantity", "q'ty", "order qty", "required", "amount required", "pcs", "count", "数 量",
    ),
    "amount": (
        "金额", "合价", "小计", "总价", "合计金额", "總價", "金額", "amount", "total", "total price", "line total",
        "subtotal", "extended price", "ext price",
    ),
    "no": (
        "序号", "序", "项次", "行号", "序號", "no", "s/n", "sn", "#", "line", "line no", "item#", "pos", "position",
    ),
}  # fmt: skip
_EXACT = {word: name for name, words in _FIELDS.items() for word in words}
_PARTS = sorted(
    ((word, name) for name, words in _FIELDS.items() for word in words if len(word) > 1 and name != "no"),
    key=lambda pair: len(pair[0]),
    reverse=True,
)
_LEVEL = re.compile(
    r"^(?:(?:客户|价格|报价|单价|售价|price|level|tier|grade)?\s*[-_:：(（]?\s*)([a-h])\s*"
    r"(?:级|档|类|等|价|级价|档价|类价|级单价|级客户|price|level|tier|[)）])*\s*[)）]?$"
)
TOTALS = re.compile(
    r"^\s*(?:合\s*计|总\s*计|小\s*计|共\s*计|本页合计|累\s*计|合\s*計|總\s*計|小\s*計|grand total|sub-?\s?total|total"
    r"|sum)"
    r"\s*(?:[:：(（\d¥￥$,.].{0,80}|金额.{0,40}|amount.{0,40}|price.{0,40})?$|^\s*(?:金额|合计|总计)?大写",
    re.IGNORECASE,
)
LOOKED_AT = 60


@dataclass(slots=True)
class Header:
    row: int
    """The last row of the header; -1 where there is none."""
    columns: dict[str, int] = field(default_factory=dict)
    prices: dict[str, int] = field(default_factory=dict)
    """Level and column."""
    texts: list[str] = field(default_factory=list)
    further: list[int] = field(default_factory=list)
    """Columns that belong to `about` beside the first."""

    @property
    def signature(self) -> str:
        plain = "|".join(flat(text) for text in self.texts)
        return hashlib.sha256(plain.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, object]:
        named: dict[str, object] = {name: letters(column) for name, column in self.columns.items()}
        if self.prices:
            named["price"] = {level: letters(column) for level, column in self.prices.items()}
        return named


def flat(text: str) -> str:
    """A header as it is compared: width, case, space, units in brackets."""
    even = unicodedata.normalize("NFKC", text).casefold()
    even = re.sub(
        r"\((?:元|rmb|cny|usd|eur|¥|\$|€|单位:?[^)]*|元/[^)]*|含税|不含税|未税|必填|optional|required|mm|kg|pcs|个|件)\)",
        "",
        even,
    )
    return "".join(even.split()) if re.search(r"[\u4e00-\u9fff]", even) else " ".join(even.strip(" :.*").split())


_PATTERNS = tuple(
    (word, re.compile(rf"(?<![a-z]){re.escape(word)}(?![a-z])") if word.isascii() else None, name)
    for word, name in _PARTS
)


@lru_cache(maxsize=1 << 14)
def meaning(text: str) -> str:
    """The field a header names, "" for none."""
    even = flat(text)
    if not even or len(even) > 40:
        return ""
    if even in _EXACT:
        return _EXACT[even]
    if level_of(text):
        return "price"
    if re.fullmatch(r"[\u4e00-\u9fffa-z0-9]{1,10}价(?:格)?", even) and not re.search(r"成本|进货|采购|总|合", even):
        return "price"
    if len(even) > 24:
        return ""
    for word, alone, name in _PATTERNS:
        # Looking for the letters first passes over nearly every word without its pattern.
        if word in even and (alone is None or alone.search(even)):
            return name
    return ""


def level_of(text: str) -> str:
    """`A`, `B价`, `C级价格`, `price (A)`: the letter of a level."""
    match = _LEVEL.match(" ".join(unicodedata.normalize("NFKC", text).casefold().split()))
    return match.group(1).upper() if match else ""


def find_header(grid: Grid, wanted: Sequence[str] = ("name", "price")) -> Header | None:
    """The row that names the most of what is wanted; None where no row names two things."""
    best: tuple[float, Header] | None = None
    for row in range(min(LOOKED_AT, len(grid.rows))):
        if row in grid.hidden_rows:
            continue
        header = _read(grid, row)
        if header is None:
            continue
        named = set(header.columns) | ({"price"} if header.prices else set())
        rank = len(named) + 2.0 * sum(name in named for name in wanted) - row * 0.01
        if best is None or rank > best[0]:
            best = (rank, header)
    return best[1] if best is not None else None


def _read(grid: Grid, row: int) -> Header | None:
    texts = list(grid.rows[row])
    named = [meaning(text) for text in texts]
    count = sum(bool(name) for name in named)
    if (
        count < 2
        or not set(named) - {"", "price"}
        or sum(price(text) is not None and not meaning(text) for text in texts) > count
    ):
        return None
    last = row
    if row + 1 < len(grid.rows):
        below = grid.rows[row + 1]
        under = [meaning(text) or ("price" if level_of(text) else "") for text in below]
        has_numbers = any(price(text) is not None for text in below)
        if not has_numbers and sum(bool(name) for name in under) >= 1 and _stands_over(grid, row, texts, below):
            last = row + 1
            texts = [_joined(above, lower) for above, lower in zip(_spread(grid, row, texts), below, strict=True)]
            named = [(level_of(lower) and "price") or meaning(lower) or meaning(text)
                     for text, lower in zip(texts, below, strict=True)]  # fmt: skip
    return _columns(grid, last, texts, named)


def _stands_over(grid: Grid, row: int, texts: list[str], below: list[str]) -> bool:
    """Whether a row continues the header above it: what it has stands where the upper one is merged or empty."""
    filled = [column for column, text in enumerate(below) if text]
    spans = [(left, right) for top, left, bottom, right in grid.merged if top == row and bottom == row and right > left]
    if any(left <= column <= right for column in filled for left, right in spans):
        return True
    return bool(filled) and all(not texts[column] or (column and not texts[column - 1]) for column in filled)


def _spread(grid: Grid, row: int, texts: list[str]) -> list[str]:
    spread = list(texts)
    for top, left, bottom, right in grid.merged:
        if top <= row <= bottom:
            for column in range(left, min(right + 1, len(spread))):
                spread[column] = spread[column] or texts[left]
    return spread


def _joined(above: str, below: str) -> str:
    return " ".join(dict.fromkeys(filter(None, (above, below))))


def _columns(grid: Grid, row: int, texts: list[str], named: list[str]) -> Header:
    header = Header(row, texts=texts)
    prices: list[int] = []
    for column, name in enumerate(named):
        if not name or column in grid.hidden_columns:
            continue
        if name == "price":
            prices.append(column)
        elif name in header.columns:
            if name in ("about", "spec", "name"):
                header.further.append(column)
            elif flat(texts[column]) in _FIELDS[name] and flat(texts[header.columns[name]]) not in _FIELDS[name]:
                header.columns[name] = column
        else:
            header.columns[name] = column
    if "name" not in header.columns:
        for other in ("about", "spec"):
            if other in header.columns:
                header.columns["name"] = header.columns.pop(other)
                break
    header.prices = _levels(texts, prices)
    return header


def _levels(texts: list[str], prices: list[int]) -> dict[str, int]:
    if len(prices) == 1:
        return {level_of(texts[prices[0]].split(" ")[-1]) or level_of(texts[prices[0]]) or "default": prices[0]}
    found: dict[str, int] = {}
    for column in prices:
        text = texts[column]
        level = level_of(text) or level_of(text.split(" ")[-1]) or " ".join(text.split()) or letters(column)
        while level in found:
            level += "'"
        found[level] = column
    return found
