"""Pictures of an answer: stored for the person; the model reads that there are pictures.

The type is found from the bytes, not from what the server says.
"""

from __future__ import annotations

import asyncio
import binascii
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from app.core.errors import TriptychError
from app.core.tools.card import Card

from .results import MOST_PARTS
from .texts import for_model

MOST_PICTURES: Final = 10
"""Of one answer; further ones are named only."""
LONGEST: Final = 13_500_000
"""Characters of base64: ten megabytes of picture."""
KEPT: Final = "[image kept]"

KeepPicture = Callable[[str, bytes, str], Awaitable[str]]
"""Name, content, session → the address a card shows it by. Raises TriptychError for what is not kept."""


async def keep_pictures(
    raw: Mapping[str, Any], tool: str, session: str, keep: KeepPicture
) -> tuple[Mapping[str, Any], list[str]]:
    """The raw result with words in place of its pictures, and their addresses. A failure keeps none."""
    content = raw.get("content")
    if raw.get("isError") is True or not isinstance(content, list):
        return raw, []
    addresses: dict[str, None] = {}
    parts = list(content)
    tried = 0
    for place, part in enumerate(parts[:MOST_PARTS]):
        if tried < MOST_PICTURES and _is_picture(part):
            tried += 1
            try:
                data = await asyncio.to_thread(_decoded, part["data"])
                addresses[await keep(f"{for_model(tool, 80)} {tried}", data, session)] = None
                note = KEPT
            except (TriptychError, OSError, ValueError) as error:
                note = f"[image not kept: {for_model(str(error), 200)}]"
            parts[place] = {"type": "text", "text": note}
    return {**raw, "content": parts}, list(addresses)


def picture_card(server: str, tool: str, addresses: Sequence[str]) -> Card | None:
    """None without a picture."""
    if not addresses:
        return None
    name = for_model(tool, 80)
    items = [
        {"title": name if len(addresses) == 1 else f"{name} {number}", "image": address}
        for number, address in enumerate(addresses, 1)
    ]
    return Card("gallery", {"title": for_model(server, 80), "items": items})


def _is_picture(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "image" and isinstance(part.get("data"), str)


def _decoded(data: str) -> bytes:
    """Raises ValueError."""
    if len(data) > LONGEST:
        raise ValueError("it is larger than 10 MB")
    try:
        return binascii.a2b_base64("".join(data.split()), strict_mode=True)
    except ValueError:
        raise ValueError("it is no base64") from None
