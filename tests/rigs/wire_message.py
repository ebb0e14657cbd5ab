"""Two messages of a request, by different clients: what must be the same whoever wrote it down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def text_of(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content or ""


def told(message: Mapping[str, Any]) -> dict[str, Any]:
    calls = [
        (call.get("id"), call["function"]["name"], json.loads(call["function"]["arguments"] or "{}"))
        for call in message.get("tool_calls") or ()
    ]
    role = "system" if message["role"] == "developer" else message["role"]
    return {
        "role": role,
        "text": text_of(message.get("content")).strip(),
        "calls": calls,
        "of": message.get("tool_call_id"),
    }
