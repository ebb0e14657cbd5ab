"""Tiles of a street map: asked for only where the person wants them, kept, bounded, never believed."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from app.core.preferences import Preferences
from app.core.system.network import FixedNetwork
from app.net import GuardedHttp
from app.services.maps.tiles import FRESH_DAYS, TileService, TileWishes
from app.services.settings.settings import SettingsService
from tests.pictures import png

TILE = png(256, 256)


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as running:
        yield running


def service(
    server: HTTPServer, folder: Path, *, is_on: bool = True, offline: bool = False, most: int = 64_000_000
) -> TileService:
    http = GuardedHttp(FixedNetwork(offline=offline, proxy="direct"))
    address = f"http://127.0.0.1:{server.port}/" + "{z}/{x}/{y}.png"
    wishes = Preferences(map_tiles=is_on, map_tile_address=address, map_tile_credit="© somebody")
    return TileService(http, folder, cast("SettingsService", SimpleNamespace(preferences=wishes)), most_bytes=most)


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_they_are_off_until_the_person_wants_them() -> None:
    wishes = Preferences()
    assert wishes.map_tiles is False
    assert wishes.map_tile_credit
    assert not TileWishes(True, "https://tiles.example/{z}/{x}.png").is_usable
    assert not TileWishes(True, "file:///{z}/{x}/{y}.png").is_usable


async def test_a_tile_is_asked_for_once_with_the_programs_name_and_kept_for_the_next_start(
    server: HTTPServer, tmp_path: Path
) -> None:
    server.expect_request("/15/1/2.png").respond_with_data(TILE, content_type="image/png")
    assert await service(server, tmp_path, is_on=False).tile(15, 1, 2) is None
    assert await service(server, tmp_path, offline=True).tile(15, 1, 2) is None
    assert server.log == [], "nothing is asked for while they are off"
    tiles = service(server, tmp_path)
    assert await asyncio.gather(*(tiles.tile(15, 1, 2) for _ in range(3))) == [TILE] * 3
    assert await service(server, tmp_path).tile(15, 1, 2) == TILE
    ((request, _answer),) = server.log
    assert "Triptych" in request.headers["User-Agent"]
    assert await tiles.tile(15, -1, 2) is None
    assert await tiles.tile(2, 4, 0) is None
    (name,) = names(tmp_path)
    kept = tmp_path / name
    long_ago = kept.stat().st_mtime - (FRESH_DAYS + 1) * 86_400
    os.utime(kept, (long_ago, long_ago))
    server.clear()
    assert await service(server, tmp_path).tile(15, 1, 2) == TILE, "an old one is better than none"
    assert len(server.log) == 1, "and a newer one was asked for"


async def test_what_is_no_tile_is_not_drawn_not_kept_and_not_asked_for_again(
    server: HTTPServer, tmp_path: Path
) -> None:
    answers = {
        "/1/0/0.png": Response("gone", 404),
        "/1/0/1.png": Response("<html>", 200, content_type="image/png"),
        "/1/1/0.png": Response(png(4_000, 2), 200, content_type="image/png"),
        "/1/1/1.png": Response(TILE + b"x" * 600_000, 200, content_type="image/png"),
        "/2/0/0.png": Response("", 302, headers={"Location": "http://127.0.0.1:1/"}),
    }

    def answer(request: Request) -> Response:
        return answers[request.path]

    server.expect_request(re.compile(".*")).respond_with_handler(answer)
    tiles = service(server, tmp_path)
    for z, x, y in ((1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1), (2, 0, 0)):
        assert [await tiles.tile(z, x, y) for _again in range(2)] == [None, None], (z, x, y)
    assert len(server.log) == len(answers)
    assert names(tmp_path) == set()


async def test_the_folder_stays_below_its_bound_and_the_oldest_go(server: HTTPServer, tmp_path: Path) -> None:
    server.expect_request("/3/1/1.png").respond_with_data(TILE, content_type="image/png")
    for n in range(10):
        old = tmp_path / f"{n}.tile"
        old.write_bytes(bytes(len(TILE)))
        os.utime(old, (1_000_000 + n, 1_000_000 + n))
    tiles = service(server, tmp_path, most=4 * len(TILE))
    assert await tiles.tile(3, 1, 1) == TILE
    left = names(tmp_path)
    assert {"7.tile", "8.tile", "9.tile"} < left
    assert len(left) == 4
