"""Errors as HTTP: a status, and `{error: {code, message, hint}}` – below `/v1` in the form of the OpenAI protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from app.core.errors import BadInput, ModelError, NotConfigured, Refused, TriptychError, UnknownName
from app.core.run.event_values import ErrorInfo
from app.services.runs.active_runs import AlreadyRunning

OPENAI_PATHS = "/v1/"


class ApiError(TriptychError):
    """A request that cannot be answered. `param` names the field of the body it is about."""

    def __init__(self, status: int, code: str, message: str, *, hint: str = "", param: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status, self.error_code, self.param = status, code, param


def bad_request(message: str, param: str = "") -> ApiError:
    return ApiError(400, "BAD_REQUEST", message, param=param)


_MODEL_STATUS = {"RATE_LIMIT": 429, "QUOTA": 429, "CONTEXT_OVERFLOW": 400, "QUESTION_TOO_LONG": 400, "TIMEOUT": 504}


def as_api_error(error: TriptychError) -> ApiError:
    """The status says who can mend it: 4xx the caller, 5xx the person whose program this is or its provider."""
    match error:
        case ApiError():
            return error
        case AlreadyRunning():
            return ApiError(409, "BUSY", error.message, hint="send queue: true to wait for its turn")
        case UnknownName():
            return ApiError(404, error.code, error.message, hint=error.hint)
        case BadInput():
            return ApiError(400, error.code, error.message, hint=error.hint)
        case Refused():
            return ApiError(403, error.code, error.message, hint=error.hint)
        case NotConfigured():
            return ApiError(503, error.code, error.message, hint=error.hint)
        case ModelError():
            return ApiError(_MODEL_STATUS.get(error.code, 502), error.code, error.message, hint=error.hint)
        case _:
            return ApiError(500, error.code, error.message, hint=error.hint)


def status_of(error: ErrorInfo, reason: str) -> int:
    """Of a run that ended in an error before anything was sent."""
    return _MODEL_STATUS.get(error.code, 502) if reason == "api" else 504 if reason == "timeout" else 500


def error_body(error: ApiError) -> dict[str, Any]:
    body = {"code": error.error_code, "message": error.message}
    return {"error": {**body, "hint": error.hint} if error.hint else body}


def openai_error_body(error: ApiError) -> dict[str, Any]:
    kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
    kind = kinds.get(error.status, "invalid_request_error" if error.status < 500 else "server_error")
    text = " – ".join(filter(None, (error.message, error.hint)))
    return {"error": {"message": text, "type": kind, "param": error.param or None, "code": error.error_code.lower()}}


def error_response(error: ApiError, path: str, headers: Mapping[str, str] | None = None) -> Response:
    body = openai_error_body(error) if path.startswith(OPENAI_PATHS) else error_body(error)
    return json_response(body, error.status, headers)


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Chinese stays readable; what is no JSON by itself – a date – is written as text."""
    data = json.dumps(body, ensure_ascii=False, default=str).encode()
    return Response(data, status, dict(headers or {}), "application/json")
