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
    room = limit - len(_mark(limit, limit, len(text), more)) - len(f"{len(text):,}")
    if room <= 0:
        return _mark(0, 0, len(text), "").strip()[:limit]
    front = int(room * HEAD_SHARE)
    head, tail = _end_at_line(text[:front]), _start_at_line(text[len(text) - (room - front) :])
    return f"{head}{_mark(len(head), len(tail), len(text), more)}{tail}"


def _mark(head: int, tail: int, whole: int, more: str) -> str:
    """Counts what is really missing: the mark takes room too, and so do line borders."""
    note = f"first {head:,} and last {tail:,} of {whole:,} characters; {max(whole - head - tail, 0):,} omitted"
    return f"\n[… {note}{'; ' + more if more else ''} …]\n"


def shares(lengths: Sequence[int], each: int, total: int) -> list[int]:
    """The limit of every result of a batch: what short ones leave over goes to the long ones."""
    limits = [0] * len(lengths)
    waiting = sorted(range(len(lengths)), key=lambda n: lengths[n])
    remaining = total
    for place, n in enumerate(waiting):
        limits[n] = min(each, remaining // (len(waiting) - place))
        remaining -= min(limits[n], lengths[n])
    return limits


def _end_at_line(head: str) -> str:
    border = head.rfind("\n")
    return head[:border] if border > len(head) * 0.8 else head


def _start_at_line(tail: str) -> str:
    border = tail.find("\n")
    return tail[border + 1 :] if 0 <= border < len(tail) * 0.2 else tail
