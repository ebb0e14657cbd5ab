"""What was understood of a question: the values of its slots, and where each of them comes from.

The offline rules report it with every answer and every plan (`SlotsUnderstood`), a run passes it on (`Understood`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .event_fields import check_fields

SlotSource = Literal["said", "remembered", "assumed", "unknown"]
"""`said`: by this question; `remembered`: by an earlier one; `assumed`: a default; `unknown`: it has no value yet."""


@dataclass(frozen=True, slots=True)
class UnderstoodSlot:
    id: str
    label: str
    """What it is called in the language of the conversation."""
    value: Any = None
    shown: str = ""
    """The value in words; of an unknown one what was written, if something was."""
    source: SlotSource = "said"
    turn: int = 0
    """The question of the session that said it, counted from 1; 0: none did."""
    kind: str = ""
    """How it is edited: the kind of its reader, else "number", "flag", "list" or "text"."""
    choices: tuple[Any, ...] = ()
    """Pairs of a value and its label, where only these are possible."""
    needed: bool = False
    """Without it the question cannot be answered."""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> UnderstoodSlot:
        """Raises TypeError for a field of another kind; unknown fields are skipped."""
        fields = {name: values[name] for name in cls.__dataclass_fields__ if name in values}
        check_fields(cls, fields)
        choices = fields.get("choices", ())
        if not isinstance(choices, list | tuple) or not all(isinstance(one, list | tuple) for one in choices):
            raise TypeError(f"UnderstoodSlot.choices cannot be {choices!r}"[:200])
        return cls(**{**fields, "choices": tuple(tuple(one) for one in choices)})
