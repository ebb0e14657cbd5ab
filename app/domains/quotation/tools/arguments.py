"""Arguments that several tools take, and their other names."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also

CustomerLevel = Annotated[
    str,
    Field(max_length=80, description="a level such as A, B or C, or the name of a price column"),
    Also("level", "price_level", "customer", "级别", "客户等级", "档位"),
]
ListIds = Annotated[
    list[str],
    Field(max_length=50, description="price lists; all where none is named"),
    Also("lists", "list_id", "price_lists"),
]
FilePath = Annotated[
    str,
    Field(min_length=1, max_length=4_000, description="the file on this computer"),
    Also("file", "filename", "文件"),
]
ShortText = Annotated[str, Field(max_length=500)]
Code = Annotated[str, Field(min_length=1, max_length=200), Also("编码", "sku", "item_code")]


class LineDict(TypedDict):
    """One line of an inquiry."""

    name: Annotated[str, Field(min_length=1, max_length=2_000), Also("product", "item", "品名", "title", "description")]
    spec: NotRequired[Annotated[str | None, Field(max_length=2_000), Also("规格", "model", "size", "specification")]]
    qty: NotRequired[Annotated[float | str | None, Also("quantity", "数量", "count", "amount")]]
    unit: NotRequired[Annotated[str | None, Field(max_length=40), Also("单位", "uom")]]
    code: NotRequired[Annotated[str | None, Field(max_length=200), Also("编码", "sku")]]


def text_of(value: Any) -> str:
    return "" if value is None else str(value).strip()
