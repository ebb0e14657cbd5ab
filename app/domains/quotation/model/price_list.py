"""A price list: where it came from, which column is what, and its items. Prices are decimal texts, never floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DEFAULT_LEVEL = "default"
"""The level of a list with a single column of prices."""


@dataclass(frozen=True, slots=True)
class Item:
    code: str
    name: str
    spec: str = ""
    unit: str = ""
    brand: str = ""
    about: str = ""
    """Longer text of the list, and the heading the row is under: it confirms, it does not distinguish."""
    prices: Mapping[str, str] = field(default_factory=dict)
    cost: str = ""
    stock: str = ""
    moq: str = ""
    row: int = 0

    @property
    def text(self) -> str:
        return " ".join(
            filter(
                None, (self.brand if self.brand.casefold() not in self.name.casefold() else "", self.name, self.spec)
            )
        )

    def to_json(self) -> list[Any]:
        return [
            self.code,
            self.name,
            self.spec,
            self.unit,
            self.brand,
            self.about,
            dict(self.prices),
            self.cost,
            self.stock,
            self.moq,
            self.row,
        ]

    @classmethod
    def from_json(cls, row: Sequence[Any]) -> Item:
        return cls(*row)


@dataclass(frozen=True, slots=True)
class PriceList:
    """What is kept of a list beside its items."""

    id: str
    name: str
    file: str
    sheet: str
    header_row: int
    columns: Mapping[str, Any]
    """Field and the letters of its column; `price` is a mapping of levels."""
    levels: tuple[str, ...]
    currency: str
    tax_included: bool | None
    valid_from: str
    valid_to: str
    imported_at: str
    rows: int
    checksum: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"levels": list(self.levels)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> PriceList:
        fields = {name: body[name] for name in cls.__slots__}
        return cls(**{**fields, "levels": tuple(body["levels"])})
