"""What an error body says, in whichever of a dozen shapes: message, code, type, parameter, status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from app.providers.http.response_kind import read_json
from app.providers.scrub import scrub

_DEPTH: Final = 6
_MESSAGES: Final = ("message", "msg", "detail", "error_description", "error_msg", "status_msg", "description", "title")
_CODES: Final = ("code", "error_code", "status_code")
_FINE: Final = ("0", "200", "ok", "success")
_MAX_RAW: Final = 4_000


@dataclass(slots=True)
class Told:
    """What could be found. `words` are codes and types in lower case; `raw` is the innermost error object."""

    message: str = ""
    words: list[str] = field(default_factory=list)
    param: str = ""
    status: int = 0
    failed_text: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)


def read_error(body: object) -> Told:
    """`body`: bytes, text or parsed JSON. A web page says nothing."""
    body_error = Told()
    if isinstance(body, bytes):
        parsed = read_json(body)
        body = parsed if parsed is not None else body.decode("utf-8", "replace")
    if isinstance(body, str) and body.lstrip()[:1] == "<":
        return body_error
    _read(body, body_error, _DEPTH)
    body_error.message = scrub(" ".join(body_error.message[:_MAX_RAW].split()))
    return body_error


def is_complaint(chunk: Mapping[str, Any]) -> bool:
    """Whether an object without `error` tells of one, in the place of a piece of the answer.

    MiniMax answers with `base_resp`, Baidu with `error_msg`, DashScope with `code` and `message`, FastAPI servers with
    `detail`.
    """
    if chunk.get("object") == "error":
        return True
    if isinstance(base := chunk.get("base_resp"), Mapping):
        return base.get("status_code") not in (0, None)
    if chunk.get("choices") or not any(isinstance(chunk.get(name), str) and chunk[name] for name in _MESSAGES):
        return False
    return len(chunk) == 1 or any(_is_bad(chunk.get(name)) for name in _CODES)


def _is_bad(code: object) -> bool:
    if isinstance(code, str):
        return bool(code) and code.lower() not in _FINE
    return type(code) is int and code not in (0, 200)


def _read(value: object, told: Told, depth: int) -> None:
    if depth == 0:
        return
    if isinstance(value, str):
        inner = read_json(value.encode("utf-8", "replace")) if value[:1] in ("{", "[") else None
        if inner is not None:
            _read(inner, told, depth - 1)
        elif value.strip() and value.strip() not in told.message:
            told.message = f"{told.message}: {value.strip()}" if told.message else value.strip()
    elif isinstance(value, list):
        for item in value[:5]:
            _read(item, told, depth - 1)
    elif isinstance(value, Mapping):
        _read_object(value, told, depth)


def _read_object(value: Mapping[str, Any], told: Told, depth: int) -> None:
    told.raw = value
    for name in ("code", "type", "status", "reason"):
        _note_word(value.get(name), told)
    for name in ("status_code", "error_code"):
        _note_word(value.get(name), told)
    if isinstance(param := value.get("param"), str):
        told.param = told.param or param[:200]
    if isinstance(place := value.get("loc"), list) and place:
        told.param = told.param or str(place[-1])[:200]
    if isinstance(failed := value.get("failed_generation"), str):
        told.failed_text = failed[:20_000]
    for name in _MESSAGES:
        if value.get(name):
            _read(value[name], told, depth - 1)
            break
    for name in ("error", "errors", "innererror", "inner_error", "base_resp"):
        if value.get(name):
            outer = told.raw
            _read(value[name], told, depth - 1)
            told.raw = told.raw if name == "error" else outer
    metadata = value.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("raw"):
        raw = told.raw
        _read(metadata["raw"], told, depth - 1)
        told.raw = raw
    if isinstance(details := value.get("details"), list):
        for item in details[:10]:
            if isinstance(item, Mapping):
                _note_word(item.get("reason"), told)


def _note_word(value: object, told: Told) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, int) or (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3):
        number = int(value)
        if 300 <= number <= 599 and not told.status:
            told.status = number
        elif not 300 <= number <= 599 and abs(number) < 10**9:
            told.words.append(str(number))
    elif isinstance(value, str) and value and len(told.words) < 12:
        told.words.append(value[:80].lower())
