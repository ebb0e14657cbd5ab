"""Files that came with conversations, by their hash, on the disk and without a name until they are wanted."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import IO


class KeptFiles(MutableMapping[str, bytes]):
    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[str, tuple[int, int]] = {}

    def close(self) -> None:
        self._file.close()

    def size(self, ref: str) -> int:
        return self._places[ref][1]

    def __setitem__(self, ref: str, data: bytes) -> None:
        if ref in self._places:
            return
        place = self._file.seek(0, 2)
        self._file.write(data)
        self._places[ref] = (place, len(data))

    def __getitem__(self, ref: str) -> bytes:
        place, size = self._places[ref]
        self._file.seek(place)
        return self._file.read(size)

    def __delitem__(self, ref: str) -> None:
        del self._places[ref]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
