"""Pictures of an answer: kept where the person sees them, told to the model in two words."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from app.core.errors import BadInput
from app.mcp.pictures import KEPT, LONGEST, MOST_PICTURES, keep_pictures, picture_card
from app.mcp.results import MOST_PARTS, envelope


def image(data: bytes | str, mime: str = "image/png") -> dict[str, Any]:
    text = data if isinstance(data, str) else base64.b64encode(data).decode()
    return {"type": "image", "data": text, "mimeType": mime}


class Shelf:
    """Keeps what begins with P."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, bytes, str]] = []

    async def keep(self, name: str, data: bytes, session: str) -> str:
        if not data.startswith(b"P"):
            raise BadInput("it is no picture")
        self.kept.append((name, data, session))
        return f"att:{data.decode()}"


async def test_a_picture_is_kept_and_the_model_is_told_so() -> None:
    shelf = Shelf()
    raw = {"content": [{"type": "text", "text": "here:"}, image(b"P1"), image(b"P2")]}
    told, addresses = await keep_pictures(raw, "draw", "s1", shelf.keep)
    assert shelf.kept == [("draw 1", b"P1", "s1"), ("draw 2", b"P2", "s1")]
    result = envelope("painter", told, picture_card("painter", "draw", addresses))
    assert result.data == f"here:\n\n{KEPT}\n\n{KEPT}"
    assert result.display is not None
    assert result.display.to_json() == {
        "card": "gallery",
        "payload": {
            "title": "painter",
            "items": [{"title": "draw 1", "image": "att:P1"}, {"title": "draw 2", "image": "att:P2"}],
        },
    }
    assert raw["content"][1]["data"]  # what the server sent is as it was


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (image(b"<svg/>", "image/svg+xml"), "it is no picture"),
        (image("not base64!"), "it is no base64"),
        (image("é"), "it is no base64"),
        (image("A" * (LONGEST + 1)), "it is larger than 10 MB"),
    ],
)
async def test_what_is_not_kept_is_told_with_its_reason(part: dict[str, Any], why: str) -> None:
    told, addresses = await keep_pictures({"content": [part]}, "draw", "s1", Shelf().keep)
    assert told["content"] == [{"type": "text", "text": f"[image not kept: {why}]"}]
    assert picture_card("painter", "draw", addresses) is None


async def test_a_disk_that_takes_nothing_costs_the_picture_only() -> None:
    async def full(_name: str, _data: bytes, _session: str) -> str:
        raise OSError(28, "No space left on device")

    told, _addresses = await keep_pictures({"content": [image(b"P")]}, "draw", "s1", full)
    assert "No space left" in told["content"][0]["text"]


async def test_a_heap_of_pictures_is_kept_in_part_and_the_same_one_is_shown_once() -> None:
    shelf = Shelf()
    told, addresses = await keep_pictures({"content": [image(b"P")] * MOST_PARTS}, "draw", "s1", shelf.keep)
    assert len(shelf.kept) == MOST_PICTURES
    assert addresses == ["att:P"]
    assert envelope("painter", told).data.count("not shown") == MOST_PARTS - MOST_PICTURES
    card = picture_card("painter", "draw", addresses)
    assert card is not None
    assert card.payload["items"] == [{"title": "draw", "image": "att:P"}]


@pytest.mark.parametrize(
    "raw",
    [{"isError": True, "content": [image(b"P")]}, {"content": "P"}, {}, {"content": [None, {"type": "image"}]}],
)
async def test_a_failure_and_what_is_no_list_keep_nothing(raw: dict[str, Any]) -> None:
    shelf = Shelf()
    told, addresses = await keep_pictures(raw, "draw", "s1", shelf.keep)
    assert (shelf.kept, addresses) == ([], [])
    assert dict(told) == raw
