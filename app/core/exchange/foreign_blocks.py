"""Content lists as the APIs of models have them: texts, pictures, files, in a list of typed blocks."""

from __future__ import annotations

from typing import Any

from app.core.run.messages import Attachment, Part, Reasoning, Text

from .document import Body
from .foreign_parts import ImportContext, body_of, text_of, texts, written_blocks

_TEXTS = frozenset(("text", "input_text", "output_text", "refusal", "summary_text", "voice_note", "knowledge"))
_NOTHING = frozenset(("token_budget", "flag", "redacted_thinking", "signature"))
"""Blocks that say nothing a person wrote or read."""


def blocks_of(content: Any) -> list[Body]:
    """A content as a list of blocks; a text is one, also if it is such a list written as JSON."""
    if isinstance(content, str):
        return written_blocks(content) or ([{"type": "text", "text": content}] if content else [])
    if isinstance(content, dict):
        return [content]
    if not isinstance(content, list):
        return []
    return [{"type": "text", "text": one} if isinstance(one, str) else one for one in content if _is_block(one)]


def _is_block(one: Any) -> bool:
    return isinstance(one, str | dict)


def block_parts(block: Body, step: int, reading: ImportContext) -> list[Part]:
    """What a block shows; what it cannot show is remarked."""
    kind = text_of(block.get("type"))
    if kind in _TEXTS or (not kind and "text" in block):
        return _text(block, step)
    if kind in ("thinking", "reasoning"):
        thought = text_of(block.get("thinking")) or text_of(block.get("text"))
        return [Reasoning(thought, step)] if thought and step else texts(thought, step)
    if kind in ("image_url", "input_image"):
        address = block.get("image_url")
        return [_at(reading.inline_picture(text_of(address) or text_of(body_of(address).get("url"))), step)]
    if kind == "image":
        return [_at(_image(block, reading), step)]
    if kind in ("input_audio", "audio", "video", "video_url"):
        reading.remarks.add("sounds")
    elif kind in ("file", "input_file", "document"):
        return [_file(block, reading)]
    elif kind not in _NOTHING:
        reading.unknown(kind)
    return []


def _text(block: Body, step: int) -> list[Part]:
    written = block.get("text") if "text" in block else block.get("refusal")
    text = text_of(written) or text_of(body_of(written).get("value"))
    named = [text_of(block.get(name)) for name in ("title", "url")]
    return texts("\n".join(piece for piece in (*named, text) if piece), step)


def text_of_blocks(content: Any, reading: ImportContext) -> tuple[str, list[Part]]:
    """The text of a result, and its pictures."""
    parts = [part for block in blocks_of(content) for part in block_parts(block, 0, reading)]
    text = "\n".join(part.text for part in parts if isinstance(part, Text | Reasoning))
    return text, [part for part in parts if isinstance(part, Attachment)]


def _at(part: Part, step: int) -> Part:
    return Text(part.text, step) if isinstance(part, Text) else part


def _image(block: Body, reading: ImportContext) -> Part:
    source = body_of(block.get("source"))
    data = text_of(source.get("data")) or text_of(block.get("data"))
    if data:
        kind = text_of(source.get("media_type")) or text_of(block.get("mimeType")) or "image/png"
        return reading.base64_picture(kind, data)
    return reading.inline_picture(text_of(source.get("url")) or text_of(block.get("image")))


def _file(block: Body, reading: ImportContext) -> Part:
    inner = body_of(block.get("file")) or block
    names = (text_of(inner.get(key)) for key in ("filename", "title", "name", "file_id"))
    source = body_of(inner.get("source"))
    text = text_of(source.get("data")) if source.get("type") == "text" else ""
    name = next((name for name in names if name), "file")
    if text:
        return Attachment("", name[:120], "text/plain", text)
    return reading.file("", name, is_picture=False)
