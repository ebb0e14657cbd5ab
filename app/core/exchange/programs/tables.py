"""A file of one program as the tables it holds, whether it was read as one value or lies in pieces on the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ..document import Body
from ..foreign_parts import body_of, dicts, text_of

Group = Callable[[str], list[Body]]
KeyOf = Callable[[Body], str]


class DatabaseTables(Protocol):
    """A path names a value by the keys that lead to it."""

    def names(self, *path: str) -> list[str]:
        """The keys of the object there; none if there is no object."""
        ...

    def value(self, *path: str) -> Any:
        """None if there is nothing, or a table."""
        ...

    def rows(self, *path: str) -> Iterator[Body]:
        """The objects of the list there, in the order of the file."""
        ...

    def grouped(self, key_of: KeyOf, *path: str) -> tuple[list[str], Group]:
        """The keys of the rows there in the order of the file, and the rows of each."""
        ...


class WholeTables:
    def __init__(self, body: Body) -> None:
        self._body = body

    def names(self, *path: str) -> list[str]:
        return list(body_of(self.value(*path)))

    def value(self, *path: str) -> Any:
        here: Any = self._body
        for name in path:
            here = body_of(here).get(name)
        return here

    def rows(self, *path: str) -> Iterator[Body]:
        yield from dicts(self.value(*path))

    def grouped(self, key_of: KeyOf, *path: str) -> tuple[list[str], Group]:
        groups: dict[str, list[Body]] = {}
        for row in self.rows(*path):
            groups.setdefault(key_of(row), []).append(row)

        def group(key: str) -> list[Body]:
            return groups.get(key, [])

        return list(groups), group


def by_field(name: str) -> KeyOf:
    def key_of(row: Body) -> str:
        return text_of(row.get(name))

    return key_of
