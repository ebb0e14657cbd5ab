"""What was understood of a question, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from ..run.understood import UnderstoodSlot
from ..text.i18n import _


def understood_text(slots: Sequence[UnderstoodSlot]) -> str:
    """ "topic tea · days 3 · adults 2 (assumed)"; what is needed and not known is said to be missing."""
    return " · ".join(map(_slot_text, slots))


def _slot_text(slot: UnderstoodSlot) -> str:
    match slot.source:
        case "unknown" if slot.shown:
            return _("{label} “{text}” is not known").format(label=slot.label, text=slot.shown)
        case "unknown":
            return _("{label} is missing").format(label=slot.label)
        case "assumed":
            return _("{label} {value} (assumed)").format(label=slot.label, value=slot.shown)
        case "remembered":
            return _("{label} {value} (from before)").format(label=slot.label, value=slot.shown)
        case _:
            return _("{label} {value}").format(label=slot.label, value=slot.shown)
