"""An address typed in place of a public service: reached wherever it is, and trusted for that service only."""

from __future__ import annotations

import ipaddress
import json
import re
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from app.core.errors import ToolError
from app.core.http import pause_asked, seconds_named
from app.net import GuardedHttp
from app.net.pace import Pace
from app.web import Web
from app.web.catalogues import PUBLIC_SERVICES
from tests.local_network import DIRECT, LocalAddresses

from .conftest import Rig
from .test_pages import ATOM, OPENALEX

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("wikipedia_search", {"query": "tea"}),
    ("wikipedia_page", {"title": "Tea"}),
    ("scholar_search", {"query": "tea", "provider": "arxiv"}),
    ("scholar_search", {"query": "tea", "provider": "crossref"}),
    ("scholar_search", {"query": "tea", "provider": "openalex"}),
)
ARTICLE = {
    "pageid": 1,
    "ns": 0,
    "title": "Tea",
    "extract": "Tea is a drink.",
    "fullurl": "https://en.wikipedia.org/wiki/Tea",
}


def _wikipedia(request: Request) -> Response:
    found = {"search": [{"title": "Tea", "snippet": "a drink"}]} if request.args.get("list") else {"pages": [ARTICLE]}
    return Response(json.dumps({"query": found}), content_type="application/json")


def _serve(server: HTTPServer) -> None:
    server.expect_request("/web.wikipedia").respond_with_handler(_wikipedia)
    server.expect_request("/web.arxiv").respond_with_data(ATOM, content_type="application/atom+xml")
    crossref = {"message": {"items": [{"title": ["Tea"], "DOI": "10.1/x", "URL": "https://doi.org/10.1/x"}]}}
    server.expect_request("/web.crossref").respond_with_json(crossref)
    server.expect_request("/web.openalex").respond_with_json(OPENALEX)


@pytest.fixture
def strict(rig: Rig) -> Rig:
    """With the rules of the program, which permit nothing of this computer."""
    addresses = {one.id: f"http://127.0.0.1:{rig.server.port}/{one.id}" for one in PUBLIC_SERVICES}
    rig.web = Web(GuardedHttp(DIRECT, pace=Pace({}, default=0.0)), rig, addresses=addresses)
    rig.resources["web"] = rig.web
    return rig


async def _code(rig: Rig, name: str, **args: Any) -> str:
    try:
        await rig.call(name, **args)
    except ToolError as error:
        return error.tool_code
    return "ok"


async def test_each_catalogue_is_asked_at_an_address_of_the_persons_own_network(strict: Rig) -> None:
    _serve(strict.server)
    told = [(await _code(strict, name, **args), name, args) for name, args in CALLS]
    assert [case for case in told if case[0] != "ok"] == []
    counted = [(await strict.call(name, **args)).summary.splitlines()[0] for name, args in CALLS]
    assert [line for line in counted if re.search(r"\b1 \w+s\b", line)] == [], "one is no plural"
    own = strict.web.addresses["web.arxiv"]
    assert await _code(strict, "fetch_page", url=own) == "BLOCKED_ADDRESS", "trusted for this service, not for pages"


async def test_such_an_address_sends_on_within_itself_and_nowhere_else_of_the_network(strict: Rig) -> None:
    with HTTPServer(host="127.0.0.1") as other:
        other.expect_request("/secret").respond_with_json(OPENALEX)
        places = {
            "/moved": "ok",
            f"http://127.0.0.1:{other.port}/secret": "BLOCKED_ADDRESS",
            "http://localhost/secret": "PRIVATE_ADDRESS",
            "file:///etc/passwd": "BLOCKED_SCHEME",
        }
        for place, expected in places.items():
            strict.server.clear()
            sent_on = Response(status=302, headers={"Location": place})
            strict.server.expect_request("/web.openalex").respond_with_response(sent_on)
            strict.server.expect_request("/moved").respond_with_json(OPENALEX)
            told = await _code(strict, "scholar_search", query=f"tea {place}", provider="openalex")
            assert (told, place) == (expected, place)
        assert other.log == []


async def test_what_such_an_address_answered_is_not_given_to_who_may_not_go_there(server: HTTPServer) -> None:
    elsewhere = ipaddress.ip_address("127.0.0.9")
    http = GuardedHttp(DIRECT, rules=LocalAddresses((server.port,), here=elsewhere), pace=Pace({}, default=0.0))
    server.expect_request("/").respond_with_data("private")
    url = f"http://127.0.0.1:{server.port}/"
    assert (await http.get(url, own_address=True)).body == b"private"
    with pytest.raises(ToolError):
        await http.get(url)


async def test_the_seconds_a_service_names_are_in_the_sentence(rig: Rig) -> None:
    assert [seconds_named(text) for text in ("30", "1.5", "", "soon", "-3", "nan")] == [
        30.0,
        1.5,
        None,
        None,
        None,
        None,
    ]
    assert (seconds_named("Wed, 21 Oct 2199 07:28:00 GMT") or 0) > 1e9
    assert "30 秒" in pause_asked("Exa", "30", "limit").worded("zh_CN")[0]
    rig.server.expect_request("/web.openalex").respond_with_data("", status=429, headers={"Retry-After": "47"})
    for _again in range(2):
        with pytest.raises(ToolError) as caught:
            await rig.call("scholar_search", query="tea", provider="openalex")
        sentence = " ".join(caught.value.worded("en"))
        assert any(f"{seconds} s" in sentence for seconds in (46, 47)), sentence
        assert "asks for a pause" in sentence or "asked for a pause" in sentence
