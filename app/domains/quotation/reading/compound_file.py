"""One stream of a compound file, the container of `.xls`: sectors in chains, small streams in a stream of their own."""

from __future__ import annotations

import struct
from collections.abc import Sequence

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LAST_SECTOR = 0xFFFFFFFA
"""Numbers above it say: end of a chain, free, used by the table itself."""
_ENTRY = 128


def stream(data: bytes, names: Sequence[str]) -> bytes:
    """The first of these streams that is there. Raises ValueError, struct.error or IndexError on a damaged file."""
    if data[:8] != SIGNATURE:
        raise ValueError("no compound file")
    size, small_size = 1 << _number(data, 30, "<H"), 1 << _number(data, 32, "<H")
    if not (128 <= size <= 1 << 16 and 8 <= small_size <= size):
        raise ValueError("sectors of a strange size")
    big = _Sectors(data[size:] if size > 512 else data[512:], size, ())
    big.table = _sector_table(data, big)
    directory = big.chain(_number(data, 48))
    found: dict[str, tuple[int, int]] = {}
    for at in range(0, len(directory) - _ENTRY + 1, _ENTRY):
        length = _number(directory, at + 64, "<H")
        name = directory[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
        found.setdefault(name, (_number(directory, at + 116), _number(directory, at + 120)))
    wanted = next((name for name in names if name in found), None)
    if wanted is None:
        raise ValueError("no such stream")
    begin, length = found[wanted]
    if length >= _number(data, 56):
        return big.chain(begin)[:length]
    small = _Sectors(big.chain(found["Root Entry"][0]), small_size, _numbers(big.chain(_number(data, 60))))
    return small.chain(begin)[:length]


class _Sectors:
    def __init__(self, data: bytes, size: int, table: Sequence[int]) -> None:
        self._data, self._size, self.table = data, size, table

    def at(self, number: int) -> bytes:
        return self._data[number * self._size : (number + 1) * self._size]

    def chain(self, begin: int) -> bytes:
        pieces, number = [], begin
        while number < _LAST_SECTOR:
            pieces.append(self.at(number))
            if len(pieces) > len(self.table):
                raise ValueError("a chain goes round in a circle")
            number = self.table[number]
        return b"".join(pieces)


def _sector_table(data: bytes, sectors: _Sectors) -> tuple[int, ...]:
    """The number of the next sector of each sector. The first 109 sectors of the table are named in the header, the
    others in a chain of which each sector names its next one in its last number."""
    where = [number for number in _numbers(data[76:512]) if number < _LAST_SECTOR]
    number, seen = _number(data, 68), set[int]()
    while number < _LAST_SECTOR and number not in seen:
        seen.add(number)
        *more, number = _numbers(sectors.at(number))
        where += [one for one in more if one < _LAST_SECTOR]
    return _numbers(b"".join(map(sectors.at, where)))


def _number(data: bytes, at: int, form: str = "<I") -> int:
    return int(struct.unpack_from(form, data, at)[0])


def _numbers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
