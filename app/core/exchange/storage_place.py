"""A place of the person's own where files are kept: a folder, a WebDAV server, a bucket."""

from __future__ import annotations

from typing import Protocol

from ..errors import BadInput


class PlaceFault(BadInput):
    """The place cannot be reached or refuses; `params["reason"]` says which."""


class StoragePlace(Protocol):
    """Names are parts joined by `/`; all methods raise PlaceFault."""

    async def names(self, folder: str) -> list[str]:
        """Last parts of the names in the folder; none if there is no folder."""
        ...

    async def get(self, name: str) -> bytes | None:
        """None if there is none."""
        ...

    async def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        """Whole or not at all. `new`: only where there is none yet; False if there was one."""
        ...

    async def delete(self, name: str) -> None: ...

    async def close(self) -> None: ...
