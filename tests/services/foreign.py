"""Samples of what other programs export, with the names of fields their files have."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any


def node(id: str, parent: str | None, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    """One of ChatGPT's; a text alone is a content of texts."""
    body = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    author = {"role": role, "name": fields.pop("author", None), "metadata": {}}
    message = {
        "id": id, "author": author, "create_time": fields.pop("time", 1_730_000_000.5), "update_time": None,
        "content": body, "status": "finished_successfully", "end_turn": None, "weight": 1.0,
        "metadata": fields.pop("metadata", {}), "recipient": fields.pop("recipient", "all"), "channel": None,
    }  # fmt: skip
    return {"id": id, "parent": parent, "children": [], "message": {**message, **fields}}


def chatgpt(*line: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A conversation whose messages follow each other in this order, under an empty root."""
    root: dict[str, Any] = {"id": "client-created-root", "parent": None, "children": [], "message": None}
    chained = [{**one, "parent": one["parent"] or before["id"]} for before, one in zip([root, *line], line)]  # noqa: B905
    return {
        "title": "Tea", "create_time": 1_730_000_000.0, "update_time": 1_730_000_900.0, "conversation_id": "g1",
        "mapping": {one["id"]: one for one in [root, *chained]}, "moderation_results": [],
        "current_node": line[-1]["id"] if line else "client-created-root", "default_model_slug": "gpt-4o",
    } | fields  # fmt: skip


def pointer(id: str, scheme: str = "file-service", **metadata: Any) -> dict[str, Any]:
    return {
        "content_type": "image_asset_pointer", "asset_pointer": f"{scheme}://{id}", "size_bytes": 90, "width": 20,
        "height": 10, "fovea": None, "metadata": metadata or None,
    }  # fmt: skip


def deepseek(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    root: dict[str, Any] = {"id": "root", "parent": None, "children": ["1"], "message": None}
    nodes = [
        {"id": str(n), "parent": str(n - 1) if n > 1 else "root", "children": [], "message": message}
        for n, message in enumerate(messages, 1)
    ]
    return {
        "id": "d1", "title": "茶", "inserted_at": "2025-03-30T04:49:36.505000+08:00",
        "updated_at": "2025-03-30T04:50:29.156000+08:00", "mapping": {one["id"]: one for one in [root, *nodes]},
    } | fields  # fmt: skip


def fragments(*pairs: tuple[str, Any], **fields: Any) -> dict[str, Any]:
    """A message of DeepSeek: its kind and text, or its kind and further fields."""
    listed = [
        {"type": kind, **(value if isinstance(value, dict) else {"content": value})} for kind, value in pairs
    ]  # fmt: skip
    return {
        "files": [], "model": "deepseek-chat", "inserted_at": "2025-03-30T04:49:37.018000+08:00", "fragments": listed
    } | fields  # fmt: skip


def zipped(conversations: Any, files: dict[str, bytes] | None = None, *, name: str = "conversations.json") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json.dumps(conversations))
        for path, data in (files or {}).items():
            archive.writestr(path, data)
    return out.getvalue()
