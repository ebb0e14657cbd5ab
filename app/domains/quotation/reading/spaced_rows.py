"""A table of which only the words are left, one space between them, as a PDF page gives it: cut into columns again.

The columns behind the product's name take one word each from the end of the row, those before it one each from the
beginning; what is left is the name.
"""

from __future__ import annotations

from .headers import meaning
from .numbers import quantity

_FEWEST = 2


def spaced_rows(text: str) -> list[list[str]] | None:
    """The header and the rows below it, as cells; None where no line is a header or most rows do not fit it."""
    lines = [line.split() for line in text.splitlines()]
    at = next((n for n, words in enumerate(lines) if _is_header(words)), None)
    if at is None:
        return None
    header = lines[at]
    rows = [words for words in lines[at + 1 :] if words]
    fitting = [_cells(words, header) for words in rows]
    if sum(cells is not None for cells in fitting) * 2 < max(1, len(rows)):
        return None
    name = _names(header).index("name")
    return [
        header,
        *(cells or [" ".join(words) if n == name else "" for n in range(len(header))]
          for cells, words in zip(fitting, rows, strict=True)),
    ]  # fmt: skip


def _names(header: list[str]) -> list[str]:
    return [meaning(word) for word in header]


def _is_header(words: list[str]) -> bool:
    names = _names(words)
    return len(names) >= _FEWEST and all(names) and names.count("name") == names.count("qty") == 1


def _cells(words: list[str], header: list[str]) -> list[str] | None:
    """None where a word that is no number would be the quantity. A row with fewer words lacks what is not needed."""
    names = _names(header)
    name, qty = names.index("name"), names.index("qty")
    before, behind = name, len(header) - name - 1
    cells = [""] * len(header)
    if len(words) > before + behind:
        cells[:before] = words[:before]
        cells[name + 1 :] = words[len(words) - behind :] if behind else []
        cells[name] = " ".join(words[before : len(words) - behind])
    elif len(words) >= _FEWEST and qty == len(header) - 1:
        cells[name], cells[qty] = " ".join(words[:-1]), words[-1]
    else:
        return None
    return cells if cells[qty][:1].isdigit() and quantity(cells[qty]) is not None else None
