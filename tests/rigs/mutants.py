"""Good streams, damaged at random: bytes changed, put in, taken out, doubled, or joined with another stream."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

INSERTS = [
    b"null", b"[]", b"{}", b'"', b"\\", b"\n\n", b"\r", b"\x00", b"\xff\xfe", b"data: [DONE]\n\n", b"9" * 5000,
    b"NaN", b"-1", b"\\ud800", b"<think>", b"</think>\n", b"event: error\n", b"error: {}\n", b"[" * 3000, b": x\n",
]  # fmt: skip


def mutants(streams: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """The same ones for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        data = bytearray(chance.choice(streams))
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(data) + 1)
            kind = chance.randrange(5)
            if kind == 0 and data:
                data[at % len(data)] = chance.randrange(256)
            elif kind == 1:
                data[at:at] = chance.choice(INSERTS)
            elif kind == 2:
                del data[at : at + chance.randint(1, 40)]
            elif kind == 3:
                data[at:at] = data[at : at + chance.randint(1, 200)]
            else:
                other = chance.choice(streams)
                data[at:] = other[chance.randrange(len(other) + 1) :]
        yield bytes(data)
