"""`GET /v1/models`: every agent in every mode, and the model for vectors where one is set."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.core.run.mode import mode_ids

from ..access import client_of
from ..errors import json_response
from ..parts import ServerParts
from .answering import Answering


async def models(request: Request, parts: ServerParts) -> Response:
    client = client_of(request)
    ids = [one.id for one in parts.settings.profiles() if client.may_use(one.id)]
    listed = [_model(name) for id in ids for name in (id, *(f"{id}:{mode}" for mode in mode_ids()))]
    if parts.embeddings.embedding:
        listed.append(_model(parts.embeddings.embedding))
    return json_response({"object": "list", "data": listed})


async def model(request: Request, parts: ServerParts, answering: Answering) -> Response:
    name = request.path_params["name"]
    if name != parts.embeddings.embedding:
        answering.agent_of(name, client_of(request))
    return json_response(_model(name))


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "triptych"}
