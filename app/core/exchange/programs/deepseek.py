"""`conversations.json` of DeepSeek: a tree as ChatGPT's, whose messages are lists of fragments.

A fragment is a REQUEST of the person, or a THINK, RESPONSE, SEARCH … of the model. Exports of 2025's first
half have `content` and `reasoning_content` instead and do not say who speaks: the levels of the tree do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.core.run.messages import Attachment, Part, Reasoning

from ..document import Body, SessionDocument
from ..foreign_parts import (
    ImportContext,
    MessageBuilder,
    as_text,
    body_of,
    dicts,
    document,
    moment,
    text_of,
    texts,
)
from .versions import nodes_of, read_versions


def is_deepseek(item: Body) -> bool:
    """Whether the messages of this tree are those of DeepSeek, which have no author."""
    mapping = item.get("mapping")
    nodes = mapping.values() if isinstance(mapping, dict) else ()
    messages = [node["message"] for node in nodes if isinstance(node, dict) and isinstance(node.get("message"), dict)]
    return any("fragments" in one for one in messages) or (
        {"mapping", "inserted_at"} <= item.keys() and not any("author" in one for one in messages)
    )


def read_deepseek(item: Body, reading: ImportContext) -> SessionDocument:
    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, step, line, reading)
        line.by_model(text_of(message.get("model")))

    last = item.get("current_message_id")
    last_id = "" if last is None else str(last)[:100]
    nodes = nodes_of(body_of(item.get("mapping")))
    messages = read_versions(nodes, last_id, read, reading.remarks)
    created, updated = moment(item.get("inserted_at")), moment(item.get("updated_at"))
    return document(item.get("id"), item.get("title"), created, updated, messages)


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    created = moment(message.get("inserted_at"))
    fragments = dicts(message.get("fragments"))
    is_question = _is_question(message, fragments, step)
    files = [*_files(message.get("files"), reading)]
    if is_question:
        lines = [
            part for one in fragments if one.get("type") != "FILE" for part in texts(text_of(one.get("content")), 0)
        ]
        files += [*_files([one for one in fragments if one.get("type") == "FILE"], reading)]
        line.add("user", [*lines, *([] if fragments else texts(text_of(message.get("content")), 0)), *files], created)
        return
    line.add("assistant", files, created)
    if not fragments:
        fragments = [
            {"type": "THINK", "content": message.get("reasoning_content")},
            {"type": "SEARCH", "results": message.get("search_results")},
            {"type": "RESPONSE", "content": message.get("content")},
        ]
    for fragment in fragments:
        _fragment(fragment, step, created, line, reading)


def _is_question(message: Body, fragments: list[Body], step: int) -> bool:
    if isinstance(role := message.get("role"), str):
        return role.lower() == "user"
    if fragments:
        return any(one.get("type") in ("REQUEST", "FILE") for one in fragments)
    return step % 2 == 1


def _fragment(fragment: Body, step: int, created: float, line: MessageBuilder, reading: ImportContext) -> None:
    kind, content = text_of(fragment.get("type")), text_of(fragment.get("content"))
    parts: list[Part] = []
    if kind == "THINK":
        parts = [Reasoning(content, step)] if content else []
    elif kind in ("RESPONSE", "REQUEST", "TEMPLATE_RESPONSE"):
        parts = texts(content, step)
    elif kind == "TIP":
        reading.remarks.add("hidden")  # the page's own words under an answer
    elif found := [*_sources(fragment)] or as_text(fragment.get("result")) or content:
        # SEARCH, READ_LINK and whatever tools there are: what was asked, and what came of it.
        search = {name: fragment[name] for name in ("query", "queries", "url") if fragment.get(name)}
        line.call(step, "", kind.lower() or "tool", search, created)
        line.result("", kind.lower() or "tool", found if isinstance(found, str) else "\n\n".join(found))
    elif kind not in ("", "SEARCH"):
        reading.unknown(kind)
    line.add("assistant", parts, created)


def _sources(fragment: Body) -> Iterator[str]:
    for result in dicts(fragment.get("results")):
        pieces = (text_of(result.get(name)) for name in ("title", "url", "snippet"))
        if whole := "\n".join(piece for piece in pieces if piece):
            yield whole


def _files(value: Any, reading: ImportContext) -> Iterator[Attachment]:
    for file in dicts(value):
        name = next((text_of(file.get(key)) for key in ("file_name", "name", "content") if text_of(file.get(key))), "")
        attachment = reading.file(text_of(file.get("id")), name, is_picture=False)
        yield Attachment(attachment.ref, attachment.name, attachment.mime, text_of(file.get("extracted_content")))
