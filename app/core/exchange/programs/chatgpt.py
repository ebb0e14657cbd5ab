"""`conversations.json` of ChatGPT: for each conversation a tree of messages, of which one line was shown last.

A message says by `content.content_type` what it is, by `recipient` whom it is for (a tool, or "all"), and a
result comes from an author of role `tool`. Pictures are named by `asset_pointer`; their files lie in the
archive beside this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from app.core.run.messages import Part, Reasoning, Text

from ..document import Body, SessionDocument
from ..foreign_parts import (
    ImportContext,
    MessageBuilder,
    as_text,
    body_of,
    decoded,
    dicts,
    document,
    moment,
    text_of,
    texts,
)
from .versions import nodes_of, read_versions

_INSTRUCTIONS = frozenset(("user_editable_context", "model_editable_context"))
_POINTER = re.compile(r"(?:file-service|sediment)://([\w.-]+)")
_MARK = re.compile("\ue200[^\ue200\ue201]*\ue201")
"""A reference to a source as these texts carry it, between characters no font has."""
_SOUNDS = ("audio_asset_pointer", "real_time_user_audio_video_asset_pointer", "video_container_asset_pointer")


def is_chatgpt(item: Body) -> bool:
    return "mapping" in item


def read_chatgpt(item: Body, reading: ImportContext) -> SessionDocument:
    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, step, line, reading)

    nodes = nodes_of(body_of(item.get("mapping")))
    messages = read_versions(nodes, text_of(item.get("current_node")), read, reading.remarks)
    created, updated = moment(item.get("create_time")), moment(item.get("update_time"))
    id = item.get("conversation_id") or item.get("id")
    return document(id, item.get("title"), created, updated, messages)


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    author = body_of(message.get("author"))
    role, content = author.get("role"), message.get("content")
    created, kind = moment(message.get("create_time")), text_of(body_of(content).get("content_type"))
    if kind in _INSTRUCTIONS:
        reading.remarks.add("instructions")
    elif role == "system":
        reading.remarks.add("system", int(bool(_plain(content).strip())))
    elif role == "tool":
        parts = list(_parts(message, step, reading))
        if hidden(message) and not parts:
            return
        text = "\n".join(part.text for part in parts if isinstance(part, Text | Reasoning))
        line.result("", text_of(author.get("name")), text, pictures=parts, created=created)
    elif hidden(message):
        reading.remarks.add("hidden", int(bool(_plain(content).strip())))
    elif role == "user":
        line.add("user", _separated(_parts(message, 0, reading)), created)
    elif role == "assistant":
        recipient = text_of(message.get("recipient")) or "all"
        if recipient != "all":
            line.call(step, text_of(message.get("id")), recipient, decoded(_plain(content)), created)
        else:
            line.add("assistant", _separated(_parts(message, step, reading)), created)
        line.by_model(text_of(body_of(message.get("metadata")).get("model_slug")))
    elif role is not None:
        reading.unknown(role)


def _separated(parts: Iterator[Part]) -> Iterator[Part]:
    """Texts that follow each other are in lines of their own."""
    before: Part | None = None
    for part in parts:
        follows = isinstance(part, Text) and isinstance(before, Text) and not before.text.endswith("\n")
        yield Text(f"\n{part.text}", part.step) if follows and isinstance(part, Text) else part
        before = part


def hidden(message: Body) -> bool:
    return body_of(message.get("metadata")).get("is_visually_hidden_from_conversation") is True


# ---------------------------------------------------------------- what a message holds


def _parts(message: Body, step: int, reading: ImportContext) -> Iterator[Part]:
    content, metadata = body_of(message.get("content")), body_of(message.get("metadata"))
    kind = text_of(content.get("content_type"))
    shown: set[str] = set()
    match kind:
        case "text" | "multimodal_text" | "":
            for part in _listed(content.get("parts")) if content else [message.get("content")]:
                yield from _part(part, step, metadata, reading, shown)
        case "code":
            yield from texts(_fenced(text_of(content.get("text")), text_of(content.get("language"))), step)
        case "thoughts":
            for thought in dicts(content.get("thoughts")):
                if whole := _joined(thought, ("summary", "content"), "\n\n"):
                    yield Reasoning(f"{whole}\n\n", step)
        case "reasoning_recap":
            if recap := as_text(content.get("content")):
                yield Reasoning(f"{recap}\n\n", step)
        case "tether_quote":
            yield from texts(_joined(content, ("title", "url", "text"), "\n"), step)
        case "tether_browsing_display":
            yield from texts(_joined(content, ("summary", "result"), "\n"), step)
        case "system_error":
            yield from texts(_joined(content, ("name", "text"), ": "), step)
        case _:
            if not (found := _plain(content)):
                reading.unknown(kind)
            yield from texts(found, step)
    yield from _attached(metadata, reading, shown)


def _part(part: Any, step: int, metadata: Body, reading: ImportContext, shown: set[str]) -> Iterator[Part]:
    if isinstance(part, str):
        yield from texts(_with_sources(part, metadata, reading), step)
        return
    piece = body_of(part)
    kind = text_of(piece.get("content_type"))
    if kind == "audio_transcription":
        yield from texts(text_of(piece.get("text")), step)
    elif kind in _SOUNDS:
        reading.remarks.add("sounds")
    elif "asset_pointer" in piece:
        id = _id_of(piece.get("asset_pointer"))
        shown.add(id)
        yield reading.picture(id, _name_of(id, metadata))
        if prompt := text_of(body_of(body_of(piece.get("metadata")).get("dalle")).get("prompt")):
            yield from texts(prompt, step)
    elif found := text_of(piece.get("text")):
        yield from texts(found, step)
    elif piece:
        reading.unknown(kind)


def _attached(metadata: Body, reading: ImportContext, shown: set[str]) -> Iterator[Part]:
    """Files beside the text, and pictures a program has drawn; one that the text shows is not shown twice."""
    for file in dicts(metadata.get("attachments")):
        id, name = text_of(file.get("id")), text_of(file.get("name"))
        if id not in shown:
            kind = text_of(file.get("mime_type")) or text_of(file.get("mimeType"))
            yield reading.file(id, name, is_picture=kind.startswith("image/"))
    for drawn in dicts(body_of(metadata.get("aggregate_result")).get("messages")):
        id = _id_of(drawn.get("image_url"))
        if drawn.get("message_type") == "image" and id not in shown:
            yield reading.picture(id, "")


def _with_sources(text: str, metadata: Body, reading: ImportContext) -> str:
    """References to sources as links where the message says what they are."""
    if "\ue200" not in text:
        return text
    for reference in dicts(metadata.get("content_references")):
        mark, link = text_of(reference.get("matched_text")), text_of(reference.get("alt"))
        if "\ue200" in mark and link:
            text = text.replace(mark, link)
    marks = _MARK.findall(text)
    reading.remarks.add("references", len(marks))
    return _MARK.sub("", text)


def _id_of(pointer: Any) -> str:
    match = _POINTER.match(text_of(pointer))
    return match.group(1) if match else ""


def _name_of(id: str, metadata: Body) -> str:
    files = (file for file in dicts(metadata.get("attachments")) if file.get("id") == id)
    return next((text_of(file.get("name")) for file in files), "")


def _plain(content: Any) -> str:
    """The texts of a content, of whatever kind."""
    if isinstance(content, str):
        return content
    body = body_of(content)
    parts = _listed(body.get("parts"))
    pieces = [*(part if isinstance(part, str) else text_of(body_of(part).get("text")) for part in parts)]
    return "\n".join(piece for piece in [*pieces, _joined(body, ("text", "result", "content"), "\n")] if piece)


def _joined(body: Body, names: tuple[str, ...], between: str) -> str:
    """The texts under these names, each once."""
    return between.join(dict.fromkeys(piece for name in names if (piece := text_of(body.get(name)))))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _fenced(text: str, language: str) -> str:
    from ..markdown import fenced

    return fenced(text, language if language.isalnum() and language != "unknown" else "") if text else ""
