"""The description of the API for programs (OpenAPI 3.1), served at `/openapi.json`."""

from __future__ import annotations

from typing import Any

from app.core.system.version import version

_TEXT: dict[str, Any] = {"type": "string"}
_FLAG: dict[str, Any] = {"type": "boolean"}
_WHOLE: dict[str, Any] = {"type": "integer"}
_OBJECT: dict[str, Any] = {"type": "object"}

_QUERY = {
    "message": _TEXT,
    "session_id": {**_TEXT, "description": "go on with this conversation; else a new one"},
    "agent": {**_TEXT, "description": "else the default one"},
    "mode": {**_TEXT, "description": "auto, direct, react, plan"},
    "model": {**_TEXT, "description": "provider/model"},
    "settings": {**_OBJECT, "description": "profile fields for this run"},
    "approve": {"enum": ["ask", "all", "none"]},
    "plan_only": _FLAG,
    "queue": {**_FLAG, "description": "wait while the session is busy, in place of 409 BUSY"},
    "message_id": {
        **_TEXT,
        "description": "twice in a session is one question; without it, so is an equal text with `queue` within 15 s",
    },
}
_APPROVE = {"id": _TEXT, "choice": {"enum": ["once", "run", "always", "deny"]}, "args": _OBJECT, "reason": _TEXT}
_PLAN = {"goal": _TEXT, "steps": {"type": "array", "items": _OBJECT}, "keep": _FLAG}
_CONTROL = {"order": _TEXT, "step": _WHOLE, "value": {}, "text": _TEXT, "limit": {"type": "number"}}

_BODIES: dict[str, tuple[str, dict[str, Any], list[str], str]] = {
    "/api/chat": ("The answer as frames thinking, token, then done or error", _QUERY, ["message"], "text/event-stream"),
    "/api/query/stream": ("Every event of the run", _QUERY, ["message"], "text/event-stream"),
    "/api/runs/{id}/cancel": ("Stop a run", {}, [], "application/json"),
    "/api/runs/{id}/approve": ("Answer an approval", _APPROVE, ["id", "choice"], "application/json"),
    "/api/runs/{id}/answer": ("Answer a question", {"id": _TEXT, "text": _TEXT}, ["id", "text"], "application/json"),
    "/api/runs/{id}/plan": ("Submit the plan", _PLAN, [], "application/json"),
    "/api/runs/{id}/control": ("Steer a run or its plan", _CONTROL, ["order"], "application/json"),
    "/v1/chat/completions": (
        "Chat completions; model is agent:mode",
        {"model": _TEXT, "messages": {"type": "array", "items": _OBJECT}, "stream": _FLAG, "tools": {"type": "array"}},
        ["model", "messages"],
        "application/json",
    ),
    "/v1/responses": (
        "Responses; model is agent:mode",
        {"model": _TEXT, "input": {}, "instructions": _TEXT, "stream": _FLAG, "previous_response_id": _TEXT},
        ["model", "input"],
        "application/json",
    ),
    "/v1/embeddings": ("Vectors of texts", {"model": _TEXT, "input": {}}, ["input"], "application/json"),
}
_READS = {
    "/api/agents": ("Agents", "application/json"),
    "/api/tools": ("Tools; ?agent=ID", "application/json"),
    "/api/sessions": ("Sessions; ?q=words&limit=n", "application/json"),
    "/api/sessions/{id}": ("A session with its messages", "application/json"),
    "/api/sessions/{id}/events": ("Events of every run of a session, with Last-Event-ID", "text/event-stream"),
    "/api/health": ("Version, and how many runs are at work", "application/json"),
    "/api/metrics": ("Figures for Prometheus", "text/plain"),
    "/v1/models": ("Agents as models", "application/json"),
}


def description() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for path, (summary, fields, required, kind) in _BODIES.items():
        schema = {"type": "object", "properties": fields, "required": required}
        body = {"required": bool(required), "content": {"application/json": {"schema": schema}}}
        paths[path] = {"post": {**_operation(path, summary, kind), "requestBody": body}}
    for path, (summary, kind) in _READS.items():
        paths[path] = {"get": _operation(path, summary, kind)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Triptych", "version": version()},
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    }


def _operation(path: str, summary: str, kind: str) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {"200": {"description": "OK", "content": {kind: {}}}, "default": {"description": "error"}},
    }
    if "{id}" in path:
        operation["parameters"] = [{"name": "id", "in": "path", "required": True, "schema": _TEXT}]
    return operation
