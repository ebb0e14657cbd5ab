"""Addresses: of a server, or a button's that carries a whole server in itself. None is ever opened."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from .containers import servers_in
from .found import PastedServer
from .naming import name_of_url

_SCHEMES = ("vscode:", "vscode-insiders:", "cursor:", "lmstudio:", "goose:", "kiro:", "windsurf:", "trae:")
_INSTALLS = ("install-mcp", "/mcp/install", "add_mcp", "mcp-install")


def is_link(text: str) -> bool:
    return (
        bool(text) and not any(sign.isspace() for sign in text) and text.startswith(("https://", "http://", *_SCHEMES))
    )


def server_at(link: str) -> list[PastedServer]:
    """The one behind an install button, or the address itself; none for other links of an editor."""
    carried = _carried(link)
    if carried is not None:
        return carried
    return [PastedServer(name_of_url(link), {"url": link})] if link.startswith(("https://", "http://")) else []


def _carried(link: str) -> list[PastedServer] | None:
    """None if it is no install button."""
    if not (link.startswith(_SCHEMES) or any(word in link for word in _INSTALLS)):
        return None
    try:
        parts = urlsplit(link)
        fields = {key: values[0] for key, values in parse_qs(parts.query, max_num_fields=40).items()}
    except ValueError:
        return []
    if parts.scheme == "goose" and "cmd" in fields:
        rows = parse_qs(parts.query, max_num_fields=80)
        env = {row.partition("=")[0]: "" for row in rows.get("env", [])}
        return [
            PastedServer(
                fields.get("name", fields["cmd"]), {"command": fields["cmd"], "args": rows.get("arg", []), "env": env}
            )
        ]
    inner = fields.get("url", "")
    if inner.startswith(_SCHEMES):
        return _carried(inner)
    value = (
        _decoded(fields["config"]) if "config" in fields else _decoded(unquote(parts.query)) if parts.query else None
    )
    if not isinstance(value, dict):
        return []
    servers = servers_in(value)
    name = fields.get("name", "")
    return [PastedServer(name or one.name, one.raw, one.inputs, one.fault) for one in servers]


def _decoded(text: str) -> Any:
    """JSON, plain or in base64; None if it is neither."""
    for candidate in (text, _from_base64(text)):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    return None


def _from_base64(text: str) -> str:
    plain = text.replace(" ", "+").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
