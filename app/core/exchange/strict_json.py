"""JSON from outside: one value, finite numbers, no key twice, not too deep; else a sentence why not."""

from __future__ import annotations

import json
from typing import Any

from app.core.errors import BadInput

DEEPEST = 100
LONGEST_QUOTE = 80


class ImportRefused(BadInput):
    """Nothing of it was stored."""


def shortened(value: Any) -> str:
    """`value` as Python writes it, for a sentence; whatever is in the file, the sentence stays one."""
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def read_json(data: bytes) -> Any:
    if not data.strip():
        raise ImportRefused("the file is empty")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:64]:
        raise ImportRefused("the file is not UTF-8 text")
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise ImportRefused("the file is not UTF-8 text") from error
    except RecursionError as error:
        raise ImportRefused("the JSON is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ImportRefused(f"the file is not JSON: {error.msg} in line {error.lineno}") from error
    except ValueError as error:
        # An integer of more digits than Python turns into a number.
        raise ImportRefused(f"the file is not usable JSON: {error}") from error
    _refuse_depth(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise ImportRefused("the JSON has a key twice in one object")
    return body


def _constant(name: str) -> Any:
    raise ImportRefused(f"the JSON has a number that is none: {name}")


def _refuse_depth(value: Any) -> None:
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
    raise ImportRefused("the JSON is nested too deeply")
