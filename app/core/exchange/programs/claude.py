"""`conversations.json` of Claude: a list of messages, each with blocks of content.

Calls of tools and their results are blocks of one answer; older exports give them no id, so that a result
belongs to the call before it. Files of a person are named only: the export does not hold them.
"""

from __future__ import annotations

from pathlib import PurePath

from app.core.run.messages import Attachment, Part, Reasoning

from ..document import Body, SessionDocument
from ..foreign_blocks import block_parts, blocks_of, text_of_blocks
from ..foreign_parts import ImportContext, MessageBuilder, as_text, dicts, document, moment, sources, text_of, texts
from .versions import MessageNode, read_versions

_PICTURES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".svg"))


def is_claude(item: Body) -> bool:
    return "chat_messages" in item


def read_claude(item: Body, reading: ImportContext) -> SessionDocument:
    def read(message: Body, step: int, line: MessageBuilder) -> None:
        _read(message, step, line, reading)

    nodes = _nodes(dicts(item.get("chat_messages")))
    messages = read_versions(nodes, text_of(item.get("current_leaf_message_uuid")), read, reading.remarks)
    created, updated = moment(item.get("created_at")), moment(item.get("updated_at"))
    return document(item.get("uuid"), item.get("name"), created, updated, messages)


def _nodes(messages: list[Body]) -> dict[str, MessageNode]:
    """Tied as they say; where one says nothing of whom it answers, each follows the one before it."""
    ids = [text_of(message.get("uuid")) for message in messages]
    parents = [text_of(message.get("parent_message_uuid")) for message in messages]
    is_tree = len(set(ids)) == len(ids) and "" not in ids and all(parents) and not set(ids).isdisjoint(parents)
    if is_tree or len(messages) == 1:
        all_ids = set(ids)
        return {
            id: MessageNode(parent if parent in all_ids else "", one)
            for id, parent, one in zip(ids, parents, messages, strict=True)
        }
    return {str(n): MessageNode(str(n - 1) if n else "", one) for n, one in enumerate(messages)}


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    created, sender = moment(message.get("created_at")), message.get("sender")
    if sender not in ("human", "assistant"):
        reading.unknown(sender)
        return
    role, step = ("user", 0) if sender == "human" else ("assistant", step)
    blocks = blocks_of(message.get("content"))
    cited: list[Body] = []
    shows_text = any(block.get("type") == "text" for block in blocks)
    for block in blocks:
        kind = block.get("type")
        if kind == "tool_use" and step:
            name = text_of(block.get("name"))
            line.call(step, text_of(block.get("id")), name, block.get("input"), created)
        elif kind == "tool_result" and step:
            content = block.get("content")
            text, pictures = text_of_blocks(content, reading)
            text = text or as_text(block.get("structured_content"))
            id, name = text_of(block.get("tool_use_id")), text_of(block.get("name"))
            is_error = block.get("is_error") is True
            line.result(id, name, text, ok=not is_error, pictures=pictures, created=created)
        elif kind == "thinking" and step:
            thought = text_of(block.get("thinking"))
            summaries = [text_of(one.get("summary")) for one in dicts(block.get("summaries"))]
            if whole := thought or "\n".join(one for one in summaries if one):
                line.add(role, [Reasoning(whole, step)], created)
        else:
            line.add(role, block_parts(block, step, reading), created)
            cited += dicts(block.get("citations"))
    if not shows_text:
        line.add(role, texts(text_of(message.get("text")), step), created)
    line.add(role, texts(sources(cited, reading), step), created)
    line.add(role, _files(message, reading), created)


def _files(message: Body, reading: ImportContext) -> list[Part]:
    parts: list[Part] = [
        Attachment("", text_of(file.get("file_name")) or "file", "", text_of(file.get("extracted_content")))
        for file in dicts(message.get("attachments"))
    ]
    for file in dicts(message.get("files")):
        name = text_of(file.get("file_name")) or "file"
        is_picture = file.get("file_kind") == "image" or PurePath(name).suffix.lower() in _PICTURES
        parts.append(reading.file(text_of(file.get("file_uuid")), name, is_picture=is_picture))
    return parts
