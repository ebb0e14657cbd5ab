"""What the model reads of a long tool result: the head, a mark, the tail (README ruling 15)."""

from __future__ import annotations

from collections.abc import Sequence

HEAD_SHARE = 0.7


def cut(text: str, limit: int, *, more: str = "") -> str:
    """`text` within `limit` characters: 70 % from the front, 30 % from the end, at line borders where near.

    `more` says how to read the rest.
    """
    if len(text) <= limit:
        return text
    omitted = f"{len(text) - limit:,} characters omitted: first and last {limit:,} of {len(text):,}"
    mark = f"\n[… {omitted}{'; ' + more if more else ''} …]\n"
    room = max(limit - len(mark), 0)
    head = _end_at_line(text[: int(room * HEAD_SHARE)])
    tail = _start_at_line(text[len(text) - (room - int(room * HEAD_SHARE)) :]) if room else ""
    return f"{head}{mark}{tail}"


def shares(lengths: Sequence[int], each: int, total: int) -> list[int]:
    """The limit of every result of a batch: what short ones leave over goes to the long ones."""
    limits = [0] * len(lengths)
    waiting = sorted(range(len(lengths)), key=lambda n: lengths[n])
    left = total
    for place, n in enumerate(waiting):
        limits[n] = min(each, left // (len(waiting) - place))
        left -= min(limits[n], lengths[n])
    return limits


def _end_at_line(head: str) -> str:
    border = head.rfind("\n")
    return head[:border] if border > len(head) * 0.8 else head


def _start_at_line(tail: str) -> str:
    border = tail.find("\n")
    return tail[border + 1 :] if 0 <= border < len(tail) * 0.2 else tail
