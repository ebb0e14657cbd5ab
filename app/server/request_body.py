"""Bodies of requests: JSON objects, whose fields are checked before anything is begun."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from starlette.requests import Request

from app.core.errors import BadInput
from app.core.exchange.strict_json import refuse_depth
from app.core.tools.finite import loads

from .errors import bad_request

_T = TypeVar("_T")
_KINDS: Mapping[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


async def read_object(request: Request) -> dict[str, Any]:
    """Raises ApiError 400 for what is no JSON object, 413 where it is too long."""
    raw = await request.body()
    try:
        body = loads(raw.decode() or "{}", object_pairs_hook=_object)
        refuse_depth(body)
        if b"\\u" in raw:
            json.dumps(body, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise bad_request("the body is no UTF-8 text") from error
    except UnicodeEncodeError as error:
        raise bad_request("the body holds what is no character") from error
    except (BadInput, ValueError, RecursionError) as error:
        raise bad_request(f"the body is no JSON: {_why(error)}") from error
    if not isinstance(body, dict):
        raise bad_request("the body is no JSON object")
    return body


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a key that stands there twice, two programs may read two values."""
    if len(body := dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return body


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def field(body: Mapping[str, Any], name: str, kind: type[_T], default: _T) -> _T:
    """A field of this kind; null counts as absent. Raises ApiError 400 naming it."""
    value = body.get(name)
    if value is None:
        return default
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise bad_request(f"{name} is not {_KINDS.get(kind, kind.__name__)}", name)
    if isinstance(value, str):
        check_text(value, name)
    return value


def required_text(body: Mapping[str, Any], name: str) -> str:
    text = field(body, name, str, "")
    if not text.strip():
        raise bad_request(f"{name} is missing", name)
    return text


def number(body: Mapping[str, Any], name: str) -> float | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise bad_request(f"{name} is not a number", name)
    return value


def check_text(text: str, name: str) -> None:
    """Half of a surrogate pair is no character: it could be stored nowhere."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise bad_request(f"{name} holds what is no character", name) from error
