"""Streams with holes: some events of a good stream are made unreadable. What must be noticed is known beforehand.

    for stream in holed(streams, 1_000, seed=1):
        stream.data          the bytes, noise between the events
        stream.has_hole      whether an independent reading finds an event that is not UTF-8 and JSON

The reading here shares no code with the program: the lines of the format, then `json.loads`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NOISE = [b": ping\n\n", b"retry: 100\n\n", b"id: 7\n\n", b"event: ping\n\n", b"data:\n\n", b"data: \n\n", b":\n"]
EMPTY = [b'data: {"choices":[]}\n\n', b"data: null\n\n", b"data: 42\n\n", b'data: {"choices":null}\n\n']


@dataclass(frozen=True)
class Holed:
    data: bytes
    has_hole: bool
    how: str


def holed(streams: Sequence[bytes], count: int, seed: int) -> Iterator[Holed]:
    """The same ones for the same seed; about one in five has no hole, only noise."""
    chance = random.Random(seed)
    for _ in range(count):
        events = chance.choice(streams).replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n\n")
        how = []
        if chance.random() < 0.8:
            for _ in range(chance.choice([1, 1, 1, 2, 3, 5])):
                # Never the end mark: a stream without it says by itself that it is not whole.
                at = chance.randrange(max(1, len(events) - 1))
                harm = chance.choice(HARMS)
                events[at] = harm(events[at], chance)
                how.append(harm.__name__)
        noisy = [event + b"\n\n" + chance.choice(NOISE + EMPTY + [b""] * 20) for event in events]
        data = b"".join(noisy)
        yield Holed(data, has_hole(data), " ".join(how))


def has_hole(data: bytes) -> bool:
    """Before the end mark, is there an event whose data is not UTF-8 and JSON, or one that lost its field?"""
    lines: list[bytes] = []
    for line in [*data.removeprefix(b"\xef\xbb\xbf").splitlines(), b""]:
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line:
            whole, lines = b"\n".join(lines), []
            if whole.strip() == b"[DONE]":
                return False
            if whole.strip() and not _is_json(whole):
                return True
        elif b'"choices"' in line and line.partition(b":")[0] not in (b"", b"id", b"retry", b"event"):
            return True
    return False


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.decode())
    except (ValueError, RecursionError):
        return False
    return True


# ---------------------------------------------------------------- kinds of harm to one event


def cut_short(event: bytes, chance: random.Random) -> bytes:
    return event[: chance.randrange(min(len(event), 7), len(event))] if len(event) > 7 else event


def beheaded(event: bytes, chance: random.Random) -> bytes:
    return b"data: " + event[chance.randrange(6, max(7, len(event))) :]


def one_byte_changed(event: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(event)) if event else 0
    return event[:at] + bytes([chance.randrange(256)]) + event[at + 1 :]


def bytes_taken_out(event: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(event)) if event else 0
    return event[:at] + event[at + chance.randint(1, 12) :]


def bytes_put_in(event: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(6, max(7, len(event)))
    junk = [
        b"\xff",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\x00",
        b'"',
        b"}",
        b"\\",
        b"\\x",
        b"[" * 5000,
        b"\n",
        b"\r",
        b"\n\n",
    ]
    return event[:at] + chance.choice(junk) + event[at:]


def other_words(_event: bytes, chance: random.Random) -> bytes:
    said = [b"upstream connect error", b"{", b"undefined", b"<html>", b"9" * 5000, b"\xff\xfe", b'{"choices":[']
    return b"data: " + chance.choice(said)


def joined_to_itself(event: bytes, _chance: random.Random) -> bytes:
    return event + event.removeprefix(b"data:")


HARMS = [cut_short, beheaded, one_byte_changed, bytes_taken_out, bytes_put_in, other_words, joined_to_itself]
