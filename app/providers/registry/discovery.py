"""Which model servers run on this computer: Ollama, LM Studio, llama.cpp, vLLM on their usual ports.

Plain asyncio, so that a look around does not load the HTTP library; all ports at once, within a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from app.providers.http.response_kind import read_json
from app.providers.registry.model_list import read_model_list
from app.providers.registry.presets import PRESETS

_MAX_BYTES: Final = 1024 * 1024
_OWNERS: Final = {"library": "ollama", "llamacpp": "llamacpp", "vllm": "vllm", "organization_owner": "lmstudio"}
"""What the servers write as owner of their models; several share the favourite ports of developers."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    preset: str
    base_url: str
    models: tuple[str, ...]


async def discover(ports: Iterable[tuple[str, int]] | None = None, *, seconds: float = 0.8) -> tuple[FoundServer, ...]:
    """The servers that answered in time, in the order of the catalogue; never raises."""
    places = list(ports) if ports is not None else list(_usual_ports())
    servers = await asyncio.gather(*(_look(preset, port, seconds) for preset, port in places))
    return tuple(server for server in servers if server is not None)


def _usual_ports() -> Iterable[tuple[str, int]]:
    for row in PRESETS:
        if row.local and (port := urlsplit(row.base_url).port):
            yield row.id, port


async def _look(preset: str, port: int, seconds: float) -> FoundServer | None:
    try:
        async with asyncio.timeout(seconds):
            document = await _get_models(port)
    except (OSError, asyncio.IncompleteReadError, ValueError):
        return None
    models = read_model_list(document)
    if models is None:
        return None
    return FoundServer(_owner(document) or preset, f"http://127.0.0.1:{port}/v1", models)


async def _get_models(port: int) -> Any:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET /v1/models HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\n\r\n".encode())
        await writer.drain()
        answer = bytearray()
        while len(answer) < _MAX_BYTES and (piece := await reader.read(65536)):
            answer += piece
    finally:
        writer.close()
    head, _, body = bytes(answer).partition(b"\r\n\r\n")
    return read_json(body) if b" 200 " in head[:20] and body[:1] in (b"{", b"[") else None


def _owner(document: Any) -> str:
    data = document.get("data") if isinstance(document, dict) else None
    first = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
    return _OWNERS.get(str(first.get("owned_by", "")), "")
