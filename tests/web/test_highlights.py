"""Highlights of every form: read, kept once each, found by words; and what is none, in a sentence."""

# ruff: noqa: E501 - what services and files write stands as they write it

from __future__ import annotations

import json
from pathlib import Path

import pytest
from werkzeug import Request, Response

from app.core.errors import ToolError
from app.web.highlights.read import read
from app.web.highlights.readwise import export
from tests.web.conftest import Rig, guarded

CSV = (
    "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n"
    '"The Way is long,\nand quiet.",The Way of Zen,Alan Watts,B1,nice,yellow,"zen, calm",location,12,2024-05-01 10:00:00+00:00,\n'
)
MARKDOWN = """# The Way of Zen

![rw-book-cover](https://x/y.jpg)

## Metadata
- Author: [[Alan Watts]]
- Full Title: The Way of Zen
- Category: #books

## Highlights
- The Way is long, and quiet. ([Location 12](https://readwise.io/to_kindle?x=1))
    - Note: nice
    - Tags: [[zen]] [[calm]]
- Another one
> A quote
> of two lines
"""
BOOK = {
    "user_book_id": 1, "title": "The Way of Zen", "readable_title": "The Way of Zen", "author": "Alan Watts",
    "source": "kindle", "category": "books", "book_tags": [{"id": 1, "name": "zen"}],
    "highlights": [
        {"id": 9, "text": "The Way is long, and quiet.", "location": 12, "location_type": "location", "note": "nice",
         "color": "yellow", "highlighted_at": "2024-05-01T10:00:00Z", "url": None, "tags": [{"id": 2, "name": "calm"}]},
        {"id": 10, "text": "gone", "is_deleted": True},
    ],
}  # fmt: skip
CLIPPINGS = (
    "\ufeffThe Way of Zen (Alan Watts)\r\n- Your Highlight on Location 12-13 | Added on Wednesday, May 1, 2024\r\n\r\n"
    "The Way is long, and quiet.\r\n==========\r\n"
)


def test_files_of_every_form_give_the_same_highlight() -> None:
    forms = {
        "csv": CSV,
        "md": MARKDOWN,
        "json": json.dumps({"count": 1, "nextPageCursor": None, "results": [BOOK]}),
        "txt": CLIPPINGS,
    }
    for form, text in forms.items():
        first, *more = read(text, form)
        assert ("".join(first.text.split()), first.title, first.author) == (
            "TheWayislong,andquiet.", "The Way of Zen", "Alan Watts",
        ), form  # fmt: skip
        assert first.note == ("nice" if form != "txt" else "")
        assert len(more) == (2 if form == "md" else 0), form
    assert read(MARKDOWN, "md")[2].text == "A quote\nof two lines"
    assert len({read(text, form)[0].id for form, text in forms.items()}) == 1


def test_what_is_no_file_of_highlights_is_said_with_its_line() -> None:
    for form, text, word in (
        ("csv", "a,b\n1,2\n", "line 1"), ("json", '{"a":\n 1,}', "line 2"), ("json", "[" * 100_000, ""),
        ("json", "[]", "no highlight"), ("md", "just prose", "no highlight"), ("txt", "x", "no highlight"), ("csv", "", "line 1"),
    ):  # fmt: skip
        with pytest.raises(ToolError, match=word or ".") as caught:
            read(text, form)
        assert caught.value.tool_code == "FORMAT"


async def test_what_was_imported_is_found_by_words_and_stays_when_it_comes_again(rig: Rig, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no highlights"):
        await rig.call("search_readwise_highlights", query="zen")
    file = tmp_path / "readwise.csv"
    file.write_bytes(CSV.encode("utf-16"))
    counts = [(await rig.call("import_highlights", source="csv", path=str(file))).data for _ in range(2)]
    assert counts == [{"added": 1, "updated": 0, "skipped": 0}, {"added": 0, "updated": 0, "skipped": 1}]
    result = await rig.call("search_readwise_highlights", query="the quiet way", tag="calm", since="2024-01-01")
    (found,) = result.data["highlights"]
    assert (found["title"], found["location"], found["source"][:2]) == ("The Way of Zen", "12", "s-")
    assert (await rig.call("search_readwise_highlights", query="motorcycle")).data["highlights"] == []
    for path in (str(tmp_path / "none.csv"), str(tmp_path), "\x00"):
        with pytest.raises(ToolError):
            await rig.call("import_highlights", source="csv", path=path)


async def test_readwise_gives_page_after_page_and_its_refusals_are_named(rig: Rig) -> None:
    seen: list[Request] = []
    pauses: list[float] = []

    def answer(request: Request) -> Response:
        seen.append(request)
        if len(seen) == 1:
            return Response("", status=429, headers={"Retry-After": "1"})
        first = "pageCursor" not in request.args
        body = {"count": 2, "nextPageCursor": "c2" if first else None, "results": [BOOK]}
        return Response(json.dumps(body), content_type="application/json")

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    rig.server.expect_request("/api/v2/export/").respond_with_handler(answer)
    found = await export(guarded(rig.server), rig.at(""), "t-1", sleep=sleep)
    assert (len(found), pauses, len(seen)) == (2, [1.0], 3)
    assert {request.headers["Authorization"] for request in seen} == {"Token t-1"}
    for status, code in ((401, "AUTH"), (500, "UPSTREAM")):
        rig.server.clear()
        rig.server.expect_request("/api/v2/export/").respond_with_data("{}", status=status)
        with pytest.raises(ToolError) as caught:
            await export(guarded(rig.server), rig.at(""), "t-1", sleep=sleep)
        assert caught.value.tool_code == code

    async def nothing() -> tuple[str, str]:
        return "", ""

    rig.resources["readwise"] = nothing
    with pytest.raises(ToolError, match="no Readwise token"):
        await rig.call("import_highlights", source="api")
