"""`conversations.json` of Claude: a list of messages, each with blocks of content.

Calls of tools and their results are blocks of one answer; older exports give them no id, so that a result
belongs to the call before it. Files of a person are named only: the export does not hold them.
"""

from __future__ import annotations

from pathlib import PurePath

from app.core.run.messages import Attachment, Part, Reasoning

from .document import Body, SessionDocument
from .foreign_blocks import block_parts, blocks_of, text_of_blocks
from .foreign_parts import ImportContext, MessageBuilder, as_text, dicts, document, moment, text_of, texts

_PICTURES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".svg"))


def read_claude(item: Body, reading: ImportContext) -> SessionDocument:
    line = MessageBuilder()
    messages = _shown(dicts(item.get("chat_messages")), reading)
    for step, message in enumerate(messages, 1):
        _read(message, step, line, reading)
    created, updated = moment(item.get("created_at")), moment(item.get("updated_at"))
    return document(item.get("uuid"), item.get("name"), created, updated, line.messages())


def _shown(messages: list[Body], reading: ImportContext) -> list[Body]:
    """The line that ends in the last message, where each says whom it answers."""
    by_id = {text_of(message.get("uuid")): message for message in messages if text_of(message.get("uuid"))}
    if not messages or len(by_id) < len(messages) or not all("parent_message_uuid" in one for one in messages):
        return messages
    line: list[Body] = []
    id = text_of(messages[-1].get("uuid"))
    while id in by_id:
        line.append(by_id.pop(id))
        id = text_of(line[-1].get("parent_message_uuid"))
    if len(line) == 1 and by_id:
        return messages  # whom they answer leads nowhere
    reading.remarks.add("branches", len(by_id))
    return line[::-1]


def _read(message: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    created, sender = moment(message.get("created_at")), message.get("sender")
    if sender not in ("human", "assistant"):
        reading.unknown(sender)
        return
    role, step = ("user", 0) if sender == "human" else ("assistant", step)
    blocks = blocks_of(message.get("content"))
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
            reading.remarks.add("references", len(dicts(block.get("citations"))))
    if not shows_text:
        line.add(role, texts(text_of(message.get("text")), step), created)
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
