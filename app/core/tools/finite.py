"""Numbers that JSON does not have: NaN and the infinities, also a decimal that is too large (`1e999`).

They are refused wherever arguments or results are read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from ..text.i18n import N_, Marked

NOT_FINITE = N_("a number that is not finite (NaN, Infinity, or too large)")


def loads(text: str, *, object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """As `json.loads`, and ValueError for such a number."""
    return json.loads(text, parse_constant=refuse, parse_float=finite_float, object_pairs_hook=object_pairs_hook)


def refuse(word: str) -> Any:
    raise ValueError(Marked(N_("{word} is no number that JSON can hold"), word=word[:40]))


def finite_float(word: str) -> float:
    return value if math.isfinite(value := float(word)) else refuse(word)


def is_finite(value: Any) -> bool:
    """Raises TypeError or RecursionError for what is no JSON at all."""
    try:
        json.dumps(value, allow_nan=False, default=str)
    except ValueError as error:
        if "ircular" in str(error):
            raise
        return False
    return True
