"""Search services as a person sets them up: an order, keys bound to their address, a test with the service's words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from app.compose import build
from app.core.errors import BadInput, UnknownName
from app.services.container import Services


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as running:
        yield running


@pytest.fixture
def services(tmp_path: Path) -> Services:
    made = build(tmp_path, {"TRIPTYCH_LANG": "en"})
    made.providers.key_storage.choose("session")
    return made


async def test_the_order_is_kept_and_a_service_without_its_key_is_passed_over(services: Services) -> None:
    search = services.web_search
    await search.set_order(["tavily", "brave", "tavily"])
    assert [(entry.id, entry.place) for entry in search.entries()][:3] == [("tavily", 1), ("brave", 2), ("bocha", 0)]
    assert await search.choices() == []
    await search.set_key("brave", "key-1")
    (choice,) = await search.choices()
    assert "key-1" not in repr(choice)
    assert [await search.key_state(id) for id in ("brave", "tavily")] == ["there", "missing"]
    await search.set_address("brave", "https://elsewhere.example")
    assert await search.choices() == []  # the key was for the other address
    await search.set_address("brave", "")
    assert len(await search.choices()) == 1
    await search.delete_key("brave")
    assert await search.choices() == []
    with pytest.raises(UnknownName):
        await search.set_order(["altavista"])
    for address in ("example.org", "ftp://x", "http://a@b/", "http://"):
        with pytest.raises(BadInput):
            await search.set_address("searxng", address)


async def test_a_server_of_ones_own_on_this_computer_is_tested_for_real(services: Services, server: HTTPServer) -> None:
    search = services.web_search
    assert (await search.test("searxng")).text == "It has no address yet."
    assert (await search.test("exa")).text == "It has no key yet."
    await search.set_address("searxng", f"http://127.0.0.1:{server.port}/searx/")
    server.expect_ordered_request("/searx/search").respond_with_json(
        {"results": [{"url": "https://x.org", "title": "A page", "content": ""}]}
    )
    server.expect_ordered_request("/searx/search").respond_with_data("<html>", status=403)
    tested = await search.test("searxng")
    assert (tested.ok, tested.hits, tested.text) == (True, 1, "It works: A page")
    refused = await search.test("searxng")
    assert (refused.ok, refused.code) == (False, "REFUSED")
    assert "json among search.formats" in refused.text
    await search.set_order(["searxng"])
    server.expect_ordered_request("/searx/search").respond_with_json(
        {"results": [{"url": "https://x.org", "title": "A page", "content": ""}]}
    )
    result = await services.tools.call("web_search", {"query": "anything"})
    assert (result.ok, result.data["provider"]) == (True, "SearXNG")
