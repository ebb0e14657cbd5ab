"""JSON from outside: one value, finite numbers, no key twice, not too deep; else a sentence why not."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.core.errors import BadInput

DEEPEST = 100
MOST_LISTS, MOST_PIECES = 4_000_000, 8_000_000
"""Brackets and commas, those in texts too: fifty megabytes of conversations have a tenth of it."""
LONGEST_QUOTE = 80


class ImportRefused(BadInput):
    """Nothing was stored. `params["reason"]` and the other values are worded by the window."""


def shortened(value: Any) -> str:
    """`value` as Python writes it, for a sentence; whatever is in the file, the sentence stays one."""
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def read_json(data: bytes) -> Any:
    if not data.strip():
        raise ImportRefused("the file is empty", reason="EMPTY")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:64]:
        raise ImportRefused("the file is not UTF-8 text", reason="NOT_UTF8")
    if data.count(b"[") + data.count(b"{") > MOST_LISTS or data.count(b",") > MOST_PIECES:
        # Refused before it is read: a file of nothing but brackets would hold everything up for a minute.
        raise ImportRefused("the JSON has too many pieces", reason="JSON_PIECES")
    with no_collector():
        value = _read(data)
        refuse_depth(value)
    return value


@contextmanager
def no_collector() -> Iterator[None]:
    """JSON has no circles: the search for them would only stop every thread, again and again, while it grows."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def strict_decoder() -> json.JSONDecoder:
    """For values that stand one after the other in a longer text."""
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def refuse_pieces(text: str) -> None:
    """Raises ImportRefused for a text of little else than brackets and commas."""
    if text.count("[") + text.count("{") > MOST_LISTS or text.count(",") > MOST_PIECES:
        raise ImportRefused("the JSON has too many pieces", reason="JSON_PIECES")


def _read(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise ImportRefused("the file is not UTF-8 text", reason="NOT_UTF8") from error
    except RecursionError as error:
        raise ImportRefused("the JSON is nested too deeply", reason="JSON_DEPTH") from error
    except json.JSONDecodeError as error:
        message = f"the file is not JSON: {error.msg} in line {error.lineno}"
        raise ImportRefused(message, reason="NOT_JSON", line=error.lineno) from error
    except ValueError as error:
        # An integer of more digits than Python turns into a number.
        raise ImportRefused(f"the file is not usable JSON: {error}", reason="JSON_NUMBER") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise ImportRefused("the JSON has a key twice in one object", reason="JSON_TWICE")
    return body


def _constant(name: str) -> Any:
    raise ImportRefused(f"the JSON has a number that is none: {name}", reason="JSON_NUMBER")


def refuse_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    raise ImportRefused("the JSON is nested too deeply", reason="JSON_DEPTH")
