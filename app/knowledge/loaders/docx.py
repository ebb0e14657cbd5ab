"""Word by python-docx: paragraphs and tables in their order, under their headings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.core.knowledge import Passage

from . import Unreadable
from .packed import opened
from .sections import Sections


def passages(path: Path) -> Iterator[Passage]:
    opened(path).close()
    import docx
    from docx.table import Table

    try:
        document = docx.Document(str(path))
    except Exception as error:
        raise Unreadable("damaged") from error
    sections = Sections()
    lines: list[str] = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            lines += [" | ".join(_cells(row)) for row in block.rows]
            continue
        level = _level(block.style.name if block.style is not None else "")
        if not level or not block.text.strip():
            lines.append(block.text)
            continue
        yield from sections.passage("\n".join(lines))
        sections.open(level, block.text.strip())
        lines = [block.text]
    yield from sections.passage("\n".join(lines))


def _cells(row: object) -> list[str]:
    """A merged cell is named once per column it covers; once is enough."""
    texts: list[str] = []
    seen: set[int] = set()
    for cell in row.cells:  # type: ignore[attr-defined]
        if id(cell._tc) not in seen:  # noqa: SLF001 - the library has no other identity of a merged cell
            seen.add(id(cell._tc))  # noqa: SLF001
            texts.append(" ".join(cell.text.split()))
    return texts


def _level(style: str) -> int:
    name, _, number = style.rpartition(" ")
    if style == "Title":
        return 1
    return int(number) if name in ("Heading", "heading", "标题") and number.isdigit() else 0
