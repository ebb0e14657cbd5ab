"""Files of highlights: Readwise's csv, Markdown and JSON, Kindle's clippings, and lists others write."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_

MOST = 100_000


@dataclass(frozen=True, slots=True)
class Highlight:
    text: str
    title: str = ""
    author: str = ""
    note: str = ""
    location: str = ""
    highlighted_at: str = ""
    url: str = ""
    tags: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        words = "".join(self.text.split()) + "\n" + self.title.casefold().strip()
        return "h-" + hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def read(text: str, form: str) -> list[Highlight]:
    """`form` is csv, md, json or txt. Raises ToolError FORMAT with the line."""
    readers = {"csv": _csv, "md": _markdown, "json": _json, "txt": _clippings}
    highlights = [one for one in readers[form](text.removeprefix("\ufeff")) if one.text.strip()][:MOST]
    if not highlights:
        raise ToolError(
            "FORMAT",
            N_("no highlight was found in the file"),
            hint=N_("csv, md and json of Readwise, or My Clippings.txt"),
        )
    return highlights


# ---------------------------------------------------------------- csv

_COLUMNS = {
    "text": ("highlight", "text", "quote", "content", "高亮", "划线", "标注", "原文"),
    "title": ("book title", "title", "book", "article title", "书名", "标题"),
    "author": ("book author", "author", "作者"),
    "note": ("note", "notes", "annotation", "笔记", "想法"),
    "location": ("location", "page", "位置", "页码"),
    "highlighted_at": ("highlighted at", "date", "created at", "created_at", "highlighted_at", "时间", "日期"),
    "url": ("url", "source url", "source_url", "link", "链接"),
    "tags": ("tags", "标签"),
}


def _csv(text: str) -> Iterator[Highlight]:
    import csv

    csv.field_size_limit(2_000_000)
    rows = csv.reader(io.StringIO(text))
    try:
        head = [name.strip().casefold() for name in next(rows, [])]
        places = {
            name: next((head.index(one) for one in names if one in head), None) for name, names in _COLUMNS.items()
        }
        if places["text"] is None:
            message = N_("line 1 names no column “Highlight” or “text”")
            raise ToolError("FORMAT", message)
        for row in rows:
            values = {name: row[at].strip() if at is not None and at < len(row) else "" for name, at in places.items()}
            tags = [tag.strip() for tag in re.split(r"[,;，；]", values.pop("tags")) if tag.strip()]
            yield Highlight(**values, tags=tags)
    except csv.Error as error:
        raise ToolError(
            "FORMAT", N_("line {line} cannot be read: {why}"), values={"line": rows.line_num, "why": str(error)[:120]}
        ) from None


# ---------------------------------------------------------------- json


def _json(text: str) -> Iterator[Highlight]:
    try:
        body = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        why = str(error)[:120]
        raise ToolError("FORMAT", N_("line {line} cannot be read: {why}"), values={"line": line, "why": why}) from None
    except RecursionError:
        raise ToolError("FORMAT", N_("the file is nested too deeply")) from None
    yield from of_books(body)


def of_books(body: Any) -> Iterator[Highlight]:
    """Readwise's export: books with their highlights; or a plain list of highlights."""
    listed = body.get("results") or body.get("highlights") or body.get("books") if isinstance(body, Mapping) else body
    for item in listed if isinstance(listed, list) else []:
        if not isinstance(item, Mapping):
            continue
        inner = item.get("highlights")
        if isinstance(inner, list):
            for one in inner:
                if isinstance(one, Mapping) and not one.get("is_deleted"):
                    yield _of_item(one, item)
        else:
            yield _of_item(item, {})


def _of_item(one: Mapping[str, Any], book: Mapping[str, Any]) -> Highlight:
    def get(*names: str) -> str:
        for source in (one, book):
            for name in names:
                value = source.get(name)
                if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
                    return str(value).strip()
        return ""

    tags = [*_names(one.get("tags")), *_names(book.get("book_tags"))]
    return Highlight(
        str(one.get("text") or one.get("highlight") or one.get("quote") or ""),
        get("title", "readable_title", "book_title", "book"),
        get("author", "book_author"), str(one.get("note") or ""), get("location", "page"),
        get("highlighted_at", "created_at", "date"), str(one.get("url") or book.get("source_url") or ""), tags,
    )  # fmt: skip


def _names(tags: Any) -> list[str]:
    if not isinstance(tags, list):
        return []
    return [str(tag.get("name") if isinstance(tag, Mapping) else tag) for tag in tags[:50] if tag]


# ---------------------------------------------------------------- Markdown and clippings

_PLACE = re.compile(r"[ ]?\(\[(Location|Page|View Highlight|位置)[^\]\n]{0,40}\]\(([^()\s]{1,500})\)\)")


def _markdown(text: str) -> Iterator[Highlight]:
    """Readwise: a title, metadata, then bullets with notes below them. Block quotes count as highlights too."""
    title = author = ""
    open_: dict[str, Any] = {}
    in_quote = False
    for line in text.splitlines():
        bare = line.strip()
        begins = re.match(r"(?:[-*+] |> ?)(.+)", line)
        if line.startswith("# "):
            if open_:
                yield Highlight(**open_)
            title, author, open_ = line[2:].strip(), "", {}
        elif found := re.match(r"- (?:Author|作者)[:：] ?(.+)", bare):
            author = found.group(1).strip("[] ")
        elif re.match(r"- (?:Full Title|Category|URL|Document Tags|Source|Summary)[:：]", line):
            pass
        elif open_ and (found := re.match(r"(?:- )?(?:\*\*)?(?:Note|笔记)(?:\*\*)?[:：] ?(.+)", bare)):
            open_["note"] = found.group(1)
        elif open_ and (found := re.match(r"(?:- )?(?:\*\*)?(?:Tags|标签)(?:\*\*)?[:：] ?(.+)", bare)):
            open_["tags"] = [tag.strip("[]#, ") for tag in re.split(r"[ ,]+", found.group(1)) if tag.strip("[]#, ")]
        elif begins and in_quote and line.startswith(">"):
            open_["text"] += "\n" + begins.group(1)
        elif begins:
            if open_:
                yield Highlight(**open_)
            place = _PLACE.search(begins.group(1))
            words = begins.group(1)[: place.start()] if place else begins.group(1)
            where = place.group(0).strip(" ()").partition("]")[0].strip("[") if place else ""
            open_ = {
                "text": words.strip(), "title": title, "author": author, "location": where,
                "url": place.group(2) if place else "",
            }  # fmt: skip
        in_quote = line.startswith(">") and bool(open_)
    if open_:
        yield Highlight(**open_)


def _clippings(text: str) -> Iterator[Highlight]:
    for block in text.split("=========="):
        lines = [line.strip("\ufeff ") for line in block.strip().splitlines()]
        if len(lines) < 3:
            continue
        match = re.match(r"(.*?)(?: ?\(([^()]{1,200})\))?$", lines[0])
        facts = lines[1].lstrip("- ")
        place = re.search(r"(?:Location|page|位置|第) ?#?([\d-]{1,15})", facts)
        yield Highlight(
            "\n".join(lines[2:]).strip(),
            (match.group(1) if match else lines[0]).strip(), (match.group(2) or "") if match else "",
            location=place.group(1) if place else "", highlighted_at=facts.rpartition("|")[2].strip(),
        )  # fmt: skip
