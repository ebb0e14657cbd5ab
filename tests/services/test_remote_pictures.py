"""T01: one picture from elsewhere, after the person said so."""

from __future__ import annotations

import pytest

from app.core.errors import ToolError
from app.core.http import HttpReply
from app.services.exchange.remote_pictures import PictureNotLoaded, RemotePictureService
from app.ui.texts.pictures import not_loaded
from tests.pictures import png

ADDRESS = "https://pictures.example/cat.png"


class Net:
    def __init__(self, answer: HttpReply | ToolError) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def once(self, url: str, *, own_address: bool = False) -> HttpReply:
        self.asked.append(url)
        if isinstance(self.answer, ToolError):
            raise self.answer
        return self.answer


def reply(body: bytes = b"", *, status: int = 200, truncated: bool = False, location: str = "") -> HttpReply:
    return HttpReply(status, ADDRESS, "image/png", body, truncated=truncated, location=location)


async def test_T01_the_click_is_exactly_one_request_to_the_shown_address() -> None:
    net = Net(reply(png(4, 4)))
    assert await RemotePictureService(net).load(ADDRESS) == png(4, 4)
    assert net.asked == [ADDRESS]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (ToolError("NETWORK_OFF", ""), "offline"),
        (ToolError("PRIVATE_ADDRESS", ""), "private"),
        (ToolError("BLOCKED_ADDRESS", ""), "address"),
        (ToolError("TIMEOUT", ""), "network"),
        (reply(status=302, location="https://10.0.0.1/x"), "moved"),
        (reply(status=404), "refused"),
        (reply(png(4, 4), truncated=True), "large"),
        (reply(png(5_000, 5_000)), "large"),
        (reply(b"<html>"), "no_picture"),
        (reply(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "no_picture"),
    ],
)
async def test_T01_what_is_no_picture_is_told(answer: HttpReply | ToolError, why: str) -> None:
    net = Net(answer)
    with pytest.raises(PictureNotLoaded) as caught:
        await RemotePictureService(net).load(ADDRESS)
    assert caught.value.why == why
    assert len(net.asked) == 1
    words = not_loaded("cat", "pictures.example", caught.value.why, is_loading=False)
    assert words.startswith("cat (pictures.example) – not loaded: ")


@pytest.mark.parametrize("address", ["http://pictures.example/x.png", "file:///etc/passwd", "//host/x.png", ""])
async def test_T01_nothing_but_https_is_asked(address: str) -> None:
    net = Net(reply(png(4, 4)))
    with pytest.raises(PictureNotLoaded):
        await RemotePictureService(net).load(address)
    assert net.asked == []
