"""Tables of a file too large for the memory: its rows lie in a file of their own, found again by where they begin."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from typing import IO, Any

from ..document import Body
from ..json_stream import EACH, JsonStream, Path
from ..strict_json import ImportRefused
from .tables import Group, KeyOf

MOST_ROWS = 5_000_000


class SpooledTables:
    """`file` is written and read; whoever opened it closes it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._names: dict[Path, dict[str, None]] = {}
        self._values: dict[Path, int] = {}
        self._rows: dict[Path, array[int]] = {}
        self._count = 0

    @classmethod
    def read(cls, stream: JsonStream, file: IO[bytes], places: frozenset[str]) -> SpooledTables:
        """Raises ImportRefused."""
        tables = cls(file)

        def enters(path: Path, opened: str) -> bool:
            is_entered = not path or (len(path) == 1 and (opened == "[" or path[0] in places))
            is_entered = is_entered or (len(path) == 2 and opened == "[" and path[0] in places)
            if is_entered:
                tables._note(path)
            return is_entered

        for path, value in stream.walk(enters):
            if path[-1:] == (EACH,):
                if isinstance(value, dict):
                    tables.keep_row(value, *path[:-1])
            else:
                tables._note(path)
                tables._values[path] = tables._put(value)
        return tables

    def keep_row(self, row: Body, *path: str) -> None:
        """Raises ImportRefused."""
        if path not in self._rows:
            self._note(path)
            self._rows[path] = array("Q")
        self._rows[path].append(self._put(row))

    def names(self, *path: str) -> list[str]:
        return list(self._names.get(path, ()))

    def value(self, *path: str) -> Any:
        return self._at(self._values[path]) if path in self._values else None

    def rows(self, *path: str) -> Iterator[Body]:
        for place in self._rows.get(path, ()):
            yield self._at(place)

    def grouped(self, key_of: KeyOf, *path: str) -> tuple[list[str], Group]:
        groups: dict[str, array[int]] = {}
        for place in self._rows.get(path, ()):
            groups.setdefault(key_of(self._at(place)), array("Q")).append(place)

        def group(key: str) -> list[Body]:
            return [self._at(place) for place in groups.get(key, ())]

        return list(groups), group

    def _note(self, path: Path) -> None:
        if path:
            self._names.setdefault(path[:-1], {})[path[-1]] = None

    def _put(self, value: Any) -> int:
        self._count += 1
        if self._count > MOST_ROWS:
            raise ImportRefused("the JSON has too many pieces", reason="JSON_PIECES")
        place = self._file.seek(0, 2)
        self._file.write(json.dumps(value).encode() + b"\n")
        return place

    def _at(self, place: int) -> Any:
        self._file.seek(place)
        return json.loads(self._file.readline())
