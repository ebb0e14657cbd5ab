"""Each search service against a server that speaks its form: what it is sent, what is read, how it says no."""

# ruff: noqa: E501 - what services and files write stands as they write it

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from werkzeug import Request, Response

from app.core.errors import ToolError
from app.core.tools.tool import ToolResult
from app.net import GuardedHttp
from app.net.pace import Pace
from app.web import Web
from app.web.highlights.readwise import export
from app.web.search import SERVICES, WebQuery
from app.web.search.server import arguments
from app.web.web import SearchChoice, ServerChoice
from tests.local_network import DIRECT
from tests.web.conftest import Rig

PAGE = "https://example.org/tea"


@dataclass(frozen=True)
class Speaks:
    """What a service answers, and what it has to be sent for it."""

    good: Any
    path: str
    header: tuple[str, str] = ("", "")
    sent: dict[str, Any] = field(default_factory=dict)
    """Of the body, or of the address."""
    empty: Any = None
    refusals: tuple[tuple[int, Any, str, str], ...] = ()
    """Status, body, the code it becomes and a word of the sentence."""


SPEAKERS = {
    "bocha": Speaks(
        {"code": 200, "log_id": "x", "msg": None, "data": {"_type": "SearchResponse", "webPages": {"value": [
            {"id": "1", "name": "茶 <b>tea</b>", "url": PAGE, "snippet": "short", "summary": "Tea of the hills",
             "siteName": "E", "datePublished": "2025-02-23T08:18:30+08:00"}]}}},
        "/v1/web-search", ("Authorization", "Bearer k-1"), {"query": "tea", "freshness": "oneWeek", "summary": True, "count": 5},
        {"code": 200, "data": {"webPages": {"value": []}}},
        ((401, {"code": "401", "message": "Invalid API KEY", "log_id": "x"}, "AUTH", "Invalid API KEY"),
         (403, {"code": "403", "message": "You do not have enough money", "log_id": "x"}, "QUOTA", "money"),
         (200, {"code": "429", "message": "You have reached the request limit"}, "RATE_LIMITED", "limit")),
    ),
    "tavily": Speaks(
        {"query": "tea", "answer": None, "images": [], "response_time": 1.2, "request_id": "x", "results": [
            {"title": "tea", "url": PAGE, "content": "Tea of the hills", "score": 0.9, "raw_content": None,
             "published_date": "2025-02-23"}]},
        "/search", ("Authorization", "Bearer k-1"), {"query": "tea", "max_results": 5, "time_range": "week"},
        {"results": []},
        ((401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}, "AUTH", "Unauthorized"),
         (429, {"detail": {"error": "Your request has been blocked due to excessive requests."}}, "RATE_LIMITED", "excessive"),
         (432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}, "QUOTA", "plan")),
    ),
    "brave": Speaks(
        {"type": "search", "query": {"original": "tea"}, "web": {"type": "search", "results": [
            {"title": "<strong>tea</strong>", "url": PAGE, "description": "Tea of the <strong>hills</strong>",
             "age": "February 23, 2025", "page_age": "2025-02-23T00:00:00", "extra_snippets": ["It is bitter."]}]}},
        "/res/v1/web/search", ("X-Subscription-Token", "k-1"), {"q": "tea", "count": "5", "freshness": "pw"},
        {"type": "search", "query": {"original": "tea"}},
        ((422, {"type": "ErrorResponse", "error": {"id": "x", "status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID",
                "detail": "The provided subscription token is invalid."}}, "AUTH", "token is invalid"),
         (429, {"type": "ErrorResponse", "error": {"id": "x", "status": 429, "code": "RATE_LIMITED",
                "detail": "Request rate limit exceeded for plan."}}, "RATE_LIMITED", "rate limit")),
    ),
    "exa": Speaks(
        {"requestId": "x", "resolvedSearchType": "neural", "costDollars": {"total": 0.005}, "results": [
            {"id": PAGE, "title": "tea", "url": PAGE, "publishedDate": "2025-02-23T00:00:00.000Z", "author": "A",
             "highlights": ["Tea of the hills"]}]},
        "/search", ("x-api-key", "k-1"), {"query": "tea", "numResults": 5, "contents": {"highlights": True}},
        {"results": []},
        ((401, {"requestId": "x", "error": "Invalid API key", "tag": "INVALID_API_KEY"}, "AUTH", "Invalid API key"),
         (402, {"requestId": "x", "error": "No more credits", "tag": "NO_MORE_CREDITS"}, "QUOTA", "credits"),
         (429, {"error": "You've exceeded your Exa rate limit"}, "RATE_LIMITED", "rate limit")),
    ),
    "serpapi": Speaks(
        {"search_metadata": {"id": "x", "status": "Success"}, "search_parameters": {"q": "tea"}, "organic_results": [
            {"position": 1, "title": "tea", "link": PAGE, "displayed_link": "example.org", "snippet": "Tea of the hills",
             "date": "Feb 23, 2025", "source": "E"}]},
        "/search.json", ("", ""), {"engine": "google", "q": "tea", "num": "5", "tbs": "qdr:w", "api_key": "k-1"},
        {"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results for this query."},
        ((401, {"error": "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"}, "AUTH", "Invalid"),
         (429, {"error": "Your account has run out of searches."}, "QUOTA", "run out")),
    ),
    "searxng": Speaks(
        {"query": "tea", "number_of_results": 1, "answers": [], "unresponsive_engines": [["google", "CAPTCHA"]], "results": [
            {"url": PAGE, "title": "tea", "content": "Tea of the hills", "engine": "bing", "engines": ["bing"],
             "score": 1.0, "category": "general", "publishedDate": "2025-02-23T00:00:00"}]},
        "/search", ("", ""), {"q": "tea", "format": "json", "time_range": "week"},
        {"query": "tea", "results": [], "unresponsive_engines": []},
        ((401, "<html>Unauthorized</html>", "AUTH", "401"), (403, "<html>Forbidden</html>", "REFUSED", "json among search.formats"), (429, "Too Many Requests", "RATE_LIMITED", "429")),
    ),
}  # fmt: skip


def test_there_is_a_speaker_for_every_service() -> None:
    assert set(SPEAKERS) == set(SERVICES)


def chosen(rig: Rig, id: str, prefix: str = "") -> SearchChoice:
    """Each under a name of its own: one that asks for a pause is left alone for a while."""
    name = f"{prefix.strip('/') or 'search'}.example"
    return SearchChoice(SERVICES[id], rig.at(prefix, "localhost" if id == "searxng" and not prefix else name), "k-1")


@pytest.mark.parametrize("id", SPEAKERS)
async def test_a_service_is_asked_and_read_in_its_own_form(rig: Rig, id: str) -> None:
    speaker, seen = SPEAKERS[id], list[Request]()

    def answer(request: Request) -> Response:
        request.get_data()
        seen.append(request)
        return Response(json.dumps(speaker.good), content_type="application/json")

    rig.server.expect_request(speaker.path).respond_with_handler(answer)
    rig.chosen = [chosen(rig, id)]
    result = await rig.call("web_search", query="tea", count=5, freshness="week")
    sent = seen[0].get_json() if seen[0].data else seen[0].args.to_dict()
    assert {key: sent.get(key) for key in speaker.sent} == speaker.sent
    assert not speaker.header[0] or seen[0].headers[speaker.header[0]] == speaker.header[1]
    (hit,) = result.data["results"]
    assert hit["url"] == PAGE
    assert "tea" in hit["title"]
    assert "<" not in hit["title"] + hit["snippet"]
    assert "Tea of the hills" in hit["snippet"]
    assert "2025" in hit["date"]
    assert result.data["credit"] == SERVICES[id].credit
    assert "k-1" not in json.dumps(result.to_json())
    again = await rig.call("web_search", query="tea", count=5, freshness="week")
    assert (len(seen), again.meta["cached"]) == (1, True)
    assert (result.found, again.found) == ((PAGE,), (PAGE,)), "a page the service names is read without a question"


async def test_a_service_is_asked_at_an_address_the_person_put_in_place_of_the_usual_one(rig: Rig) -> None:
    """A gateway on this computer or in a network at work; what a page links to there stays out of reach."""
    web, wrong = Web(GuardedHttp(DIRECT, pace=Pace({}, default=0.0)), rig), []
    for id, speaker in SPEAKERS.items():
        rig.server.expect_request(f"/{id}{speaker.path}").respond_with_json(speaker.good)
        gateway = f"http://127.0.0.1:{rig.server.port}/{id}/"
        try:
            await web.ask(SearchChoice(SERVICES[id], gateway, "k-1"), WebQuery("tea", 5))
        except ToolError as error:
            wrong.append(f"{id}: {error.tool_code} {error.message}")
    rig.server.expect_request("/api/v2/export/").respond_with_json({"results": [], "nextPageCursor": None})
    assert await export(web.http, f"http://127.0.0.1:{rig.server.port}", "t-1") == []
    with pytest.raises(ToolError) as caught:
        await web.fetch(f"http://127.0.0.1:{rig.server.port}/bocha/v1/web-search")
    assert (wrong, caught.value.tool_code) == ([], "BLOCKED_ADDRESS")


async def test_what_a_service_refuses_is_said_in_its_own_words(rig: Rig) -> None:
    wrong = []
    for id, speaker in SPEAKERS.items():
        for number, (status, body, code, word) in enumerate(speaker.refusals):
            text = body if isinstance(body, str) else json.dumps(body)
            rig.server.expect_request(f"/{id}{number}{speaker.path}").respond_with_data(text, status=status)
            try:
                await rig.web.ask(chosen(rig, id, f"/{id}{number}"), WebQuery("tea", 5))
                wrong.append(f"{id} {status}: no failure")
            except ToolError as error:
                message = " ".join(error.worded("en"))
                if (
                    error.tool_code != code
                    or word not in message
                    or SERVICES[id].label not in message
                    or "k-1" in message
                ):
                    wrong.append(f"{id} {status}: {error.tool_code} {message}")
    assert not wrong


async def test_what_is_no_answer_of_a_service_is_said_and_what_holds_nothing_is_empty(rig: Rig) -> None:
    shapes = ["", "<html>", "[]", "null", '{"results": 7}', '{"data": {"webPages": 3}}', '"x"', "[" * 5_000, "\ud800"]
    wrong = []
    for id, speaker in SPEAKERS.items():
        rig.server.expect_request(f"/e-{id}{speaker.path}").respond_with_json(speaker.empty)
        if await rig.web.ask(chosen(rig, id, f"/e-{id}"), WebQuery("tea", 5)):
            wrong.append(f"{id}: hits out of nothing")
        for number, shape in enumerate(shapes):
            path = f"/s{number}-{id}"
            rig.server.expect_request(path + speaker.path).respond_with_data(shape.encode("utf-8", "replace"))
            try:
                if await rig.web.ask(chosen(rig, id, path), WebQuery("tea", 5)):
                    wrong.append(f"{id}: {shape[:20]} gave hits")
            except ToolError:
                pass
    assert not wrong


async def test_one_that_fails_is_passed_over_and_named(rig: Rig) -> None:
    rig.server.expect_request("/t/search").respond_with_json({"detail": {"error": "no such key"}}, status=401)
    rig.server.expect_request("/e/search").respond_with_json(SPEAKERS["exa"].good)
    rig.chosen = [chosen(rig, "tavily", "/t"), chosen(rig, "exa", "/e")]
    result = await rig.call("web_search", query="tea")
    assert result.data["provider"] == "Exa"
    assert result.data["remarks"] == ["Tavily does not take the key: no such key"]
    rig.chosen = [chosen(rig, "tavily", "/t")]
    with pytest.raises(ToolError, match="no such key"):
        await rig.call("web_search", query="coffee")


async def test_a_key_goes_to_its_own_address_and_along_no_redirect(rig: Rig) -> None:
    rig.server.expect_request("/search").respond_with_data(
        "", status=302, headers={"Location": "http://other.example/"}
    )
    rig.chosen = [chosen(rig, "tavily")]
    with pytest.raises(ToolError) as caught:
        await rig.call("web_search", query="tea")
    assert caught.value.tool_code == "UPSTREAM"
    assert "correct it in the settings" in caught.value.message
    assert len(rig.server.log) == 1


async def test_without_a_service_wikipedia_answers_and_one_sentence_says_what_else_would(rig: Rig) -> None:
    rig.server.expect_request("/web.wikipedia").respond_with_json(
        {"batchcomplete": True, "query": {"search": [
            {"ns": 0, "title": "Tea", "pageid": 1, "snippet": 'a <span class="searchmatch">tea</span> &amp; more',
             "timestamp": "2025-02-23T00:00:00Z"}]}}
    )  # fmt: skip
    result = await rig.call("web_search", query="tea")
    assert result.data["provider"] == "Wikipedia"
    assert result.data["results"][0]["snippet"] == "a tea & more"
    assert result.data["results"][0]["url"] == "https://en.wikipedia.org/wiki/Tea"
    (remark,) = result.data["remarks"]
    assert all(name in remark for name in ("Bocha", "Tavily", "Brave", "Exa", "SerpAPI", "SearXNG", "MCP"))


async def test_a_search_tool_of_a_server_is_asked_by_its_schema_and_read_whatever_it_returns(rig: Rig) -> None:
    schemas = [
        ({"properties": {"q": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["q"]}, {"q": "tea", "limit": 6}),
        ({"properties": {"search_term": {"type": "string"}}, "required": ["search_term"]}, {"search_term": "tea"}),
        ({"properties": {"what": {"type": "string"}}, "required": ["what"]}, {"what": "tea"}),
        ({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}, None),
        ({}, None),
    ]  # fmt: skip
    assert [arguments(schema, WebQuery("tea", 6)) for schema, _ in schemas] == [expected for _, expected in schemas]
    answers: list[Any] = [
        {"results": [{"name": "tea", "link": PAGE, "description": "Tea of the hills"}]},
        json.dumps([{"title": "tea", "url": PAGE, "snippet": "Tea of the hills"}]),
        f"Title: tea\nURL: {PAGE}\nDescription: Tea of the hills\n\nTitle: two\nURL: https://b.org/\nmore",
        {"text": f"标题：tea\n链接：{PAGE}\n摘要：Tea of the hills"},
        f"1. [tea]({PAGE}) Tea of the hills",
    ]
    for number, data in enumerate(answers):
        asked: list[dict[str, Any]] = []

        async def call(args: dict[str, Any], data: Any = data, asked: list[dict[str, Any]] = asked) -> ToolResult:
            asked.append(args)
            return ToolResult.success(data)

        rig.chosen = [ServerChoice(f"server__search{number}", schemas[0][0], call)]
        result = await rig.call("web_search", query="tea")
        assert (result.data["results"][0]["title"], result.data["results"][0]["url"]) == ("tea", PAGE), data
        assert asked == [{"q": "tea", "limit": 6}]
        assert result.found == (), "an address may be a line of some page's text: its page is asked for"
