"""What stands around the calls of this trade: customer levels in one form, and a digest of candidates for the model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .model.levels import level_key

MATCHING = frozenset({"match_price", "match_price_batch", "run_quotation_fill", "resume_fill"})
MOST_ROWS = 10


def before_call(name: str, args: dict[str, Any]) -> dict[str, Any]:
    """`b档`, `C级`, ` c `, `Ｂ` become B, C, C, B; a name of more than one letter stays as it was written."""
    level = args.get("customer_level")
    if isinstance(level, str):
        key = level_key(level)
        args = {**args, "customer_level": key.upper() if len(key) == 1 else level.strip()}
    return args


def after_call(name: str, args: Mapping[str, Any], observation: str) -> str:
    """At most ten rows of code, name, price and score per result; the card keeps them all."""
    if name not in MATCHING:
        return observation
    head, brace, body = observation.partition("\n{")
    try:
        data = json.loads(brace.strip() + body)
    except ValueError:
        return observation
    lines = data.get("lines") if isinstance(data, dict) else None
    rows: list[str] = []
    for line in lines if isinstance(lines, list) else [data]:
        if not isinstance(line, dict) or (line.get("status") not in ("needs_selection", "unmatched") and lines):
            continue
        candidates = line.get("candidates") or []
        rows.append(
            f"{line.get('no', '')} {line.get('status', '')}, {len(candidates)}: {line.get('request', '')}".strip()
        )
        rows += [f"  {one.get('code')} | {one.get('name')} | {one.get('unit_price')}" for one in candidates[:MOST_ROWS]]
    if lines and len(rows) > MOST_ROWS:
        rows = [*rows[:MOST_ROWS], f"… {len(rows) - MOST_ROWS}"]
    rest = {key: value for key, value in data.items() if key not in ("lines", "candidates")}
    return "\n".join(filter(None, [head, json.dumps(rest, ensure_ascii=False, default=str), *rows]))
