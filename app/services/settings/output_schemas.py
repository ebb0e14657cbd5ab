"""Is this text a JSON schema an agent's answer can be checked against?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from app.core.schema.check import outside
from app.core.schema.form import misformed
from app.core.schema.work import TooMuchWork
from app.core.text.i18n import current_language, worded_in

LARGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """`code`: json, object, null, schema, outside (it refers to another document, which is not fetched)."""

    code: str
    line: int = 0
    detail: str = ""


def schema_fault(text: str) -> SchemaFault | None:
    try:
        schema = json.loads(text)
    except json.JSONDecodeError as error:
        return SchemaFault("json", error.lineno)
    except (ValueError, RecursionError):
        return SchemaFault("json", 1)
    if not isinstance(schema, dict):
        return SchemaFault("object")
    if len(text) > LARGEST:
        return SchemaFault("schema", detail=f"> {LARGEST:,}")
    try:
        if _has_null(schema):
            return SchemaFault("null")  # a profile is a TOML file, and TOML knows no null
        return _judged(schema)
    except RecursionError:
        return SchemaFault("schema", detail="{ { { …")


def _judged(schema: dict[str, Any]) -> SchemaFault | None:
    try:
        fault = misformed(schema)
        if fault is not None:
            place = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.path)
            return SchemaFault("schema", detail=f"{place}: {worded_in(current_language(), fault.message)}"[:200])
        target = outside(schema)
    except TooMuchWork:
        return SchemaFault("schema", detail=f"> {LARGEST:,}")
    return SchemaFault("outside", detail=target) if target else None


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    return any(map(_has_null, value)) if isinstance(value, list) else value is None
