"""An answer of a server as our envelope: text, structure, and what cannot be shown as words that say so.

Links are text, nothing is fetched. What comes back was written by others: it taints the run (`Tool.outside`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from app.core.text.i18n import _
from app.core.tools.card import Card
from app.core.tools.tool import ToolResult

from .texts import for_model

MOST_PARTS: Final = 200
MOST_TEXT: Final = 4_000_000
"""Characters of all texts together."""
ERROR_TEXT: Final = 2_000


def envelope(server: str, raw: Mapping[str, Any], display: Card | None = None) -> ToolResult:
    """`raw` is the result of `tools/call`; `display` goes with a success. Never raises, whatever it holds."""
    if raw.get("resultType") == "input_required" or "inputRequests" in raw:
        return ToolResult.failure(
            "NEEDS_INPUT",
            _('the server "{name}" wants to ask the person something; that is not supported').format(
                name=for_model(server, 80)
            ),
            hint=_("give everything it needs as arguments"),
        )
    text = _text(raw.get("content"))
    structured = raw.get("structuredContent")
    if raw.get("isError") is True:
        text_or_json = text or (json.dumps(structured, ensure_ascii=False) if structured is not None else "")
        return ToolResult.failure(
            "MCP_TOOL", text_or_json[:ERROR_TEXT] or _("the server's tool failed and gave no reason")
        )
    data: Any = text
    if structured is not None:
        data = _together(text, structured)
    return ToolResult.success(data, display=display, source=[f"mcp:{server}"])


def _together(text: str, structured: Any) -> Any:
    """Servers repeat their structure as text, for clients that know only text – or wrap their text in a structure."""
    if not text or _same_json(text, structured):
        return structured
    if isinstance(structured, dict) and list(structured.values()) == [text]:
        return text
    return {"text": text, "structured": structured}


def _text(content: Any) -> str:
    if not isinstance(content, list):
        return "" if content is None else f"[content that is no list: {type(content).__name__}]"
    pieces: list[str] = []
    room = MOST_TEXT
    for part in content[:MOST_PARTS]:
        piece = _piece(part)
        if len(piece) > room:
            piece = piece[:room] + "\n[cut here]"
        pieces.append(piece)
        room -= len(piece)
        if room <= 0:
            break
    if len(content) > len(pieces):
        pieces.append(f"[{len(content) - len(pieces)} further parts left out]")
    return "\n\n".join(piece for piece in pieces if piece)


def _piece(part: Any) -> str:
    if not isinstance(part, dict):
        return f"[a part that is no content: {type(part).__name__}]"
    match part.get("type"):
        case "text":
            text = part.get("text")
            return text if isinstance(text, str) else "[a text without text]"
        case "image" | "audio" as kind:
            return f"[{kind}: {_word(part.get('mimeType'))}, {_size(part.get('data'))}, not shown]"
        case "resource_link":
            return f"[link: {_word(part.get('name'))} {_word(part.get('uri'), 2_000)}]"
        case "resource":
            return _resource(part.get("resource"))
        case other:
            return f"[content of an unknown kind: {_word(other)}]"


def _resource(resource: Any) -> str:
    if not isinstance(resource, dict):
        return "[a resource without content]"
    uri = _word(resource.get("uri"), 2_000)
    if isinstance(resource.get("text"), str):
        return f"[resource {uri}]\n{resource['text']}"
    return f"[resource {uri}: {_word(resource.get('mimeType'))}, {_size(resource.get('blob'))}, not shown]"


def _word(value: Any, limit: int = 200) -> str:
    return for_model(value, limit) if isinstance(value, str) and value else "?"


def _size(data: Any) -> str:
    """Of base64, by its length: decoding it would tell no more."""
    return f"{len(data) * 3 // 4:,} bytes" if isinstance(data, str) else "no data"


def _same_json(text: str, structured: Any) -> bool:
    try:
        return bool(json.loads(text) == structured)
    except (ValueError, RecursionError):
        return False
