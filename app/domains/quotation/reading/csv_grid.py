"""csv and pasted tables: the encoding by what it makes of the text, the separator by which lines agree."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_

from .grid import Grid

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_USUAL = frozenset(
    "的一是不了在有和为不价格单位名称规格型号数量编码品货号库存含税备注元个只米件套色红黄蓝白黑大小水管电线阀门钢铁铜铝"
    "材料合计总序产厂商售批发零售销成本客户等级直通弯头三通接热冷内外丝價格單位名稱規格型號數量編碼貨號庫存備註個隻件套"
)  # fmt: skip
SEPARATORS = ("\t", ",", ";", "|", "，", "；")


def read(path: Path) -> Grid:
    text, _encoding = decoded(path.read_bytes())
    return Grid(path.stem, table(text))


def decoded(data: bytes) -> tuple[str, str]:
    """The text and its encoding. Raises ToolError ENCODING for what is no text."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace"), name
    if data[:2000].count(0) * 3 > len(data[:2000]):
        name = "utf-16-le" if data[1:2000:2].count(0) > data[0:2000:2].count(0) else "utf-16-be"
        return data.decode(name, "replace"), name
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    best = ("", "", -1.0)
    for name in ("gb18030", "big5hkscs", "cp1252"):
        try:
            text = data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
        beyond = [char for char in text if char > "\x7f"]
        usual = sum(char in _USUAL for char in beyond) / max(1, len(beyond))
        latin = sum(char.isalpha() or char in "€£°±²³½×ø" for char in beyond) / max(1, len(beyond))
        rank = usual if name != "cp1252" else 0.05 * latin + (0.5 if len(beyond) * 40 < len(text) else 0)
        if rank > best[2]:
            best = (text, name, rank)
    if best[2] < 0:
        raise ToolError("ENCODING", N_("the text is in no encoding that is known: save it as UTF-8"))
    return best[0], best[1]


def table(text: str) -> list[list[str]]:
    """Rows of cells; one cell per line where no separator fits."""
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0].strip() if lines else ""
    if first.lower().startswith("sep=") and len(first) == 5:
        text, separator = text.split("\n", 1)[-1], first[4]
    else:
        separator = separator_of(lines)
    if not separator:
        return [[line.strip()] for line in text.splitlines()]
    if separator in "，；":
        return [[cell.strip() for cell in line.split(separator)] for line in text.splitlines()]
    csv.field_size_limit(1_000_000)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error:
        rows = [line.split(separator) for line in text.splitlines()]
    return [[" ".join(cell.split()) for cell in row] for row in rows]


def separator_of(lines: list[str]) -> str:
    """The one that cuts most lines into equally many cells."""
    best, most = "", 0.0
    for separator in SEPARATORS:
        counts = [line.count(separator) for line in lines[:200]]
        usual = max(set(counts), key=lambda n: (counts.count(n), n), default=0) if counts else 0
        if not usual:
            present = [count for count in counts if count]
            if len(present) * 3 < len(counts) * 2:
                continue
            usual = max(set(present), key=present.count)
        rank = sum(count == usual for count in counts) / len(counts) * min(usual, 6) ** 0.5
        if rank > most:
            best, most = separator, rank
    return best
