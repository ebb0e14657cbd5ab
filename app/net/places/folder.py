"""A folder: of another disk, or one that a program of the person's carries elsewhere."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from app.core.exchange.storage_place import PlaceFault
from app.core.ids import new_id


class FolderPlace:
    def __init__(self, root: Path) -> None:
        self._root = root

    async def names(self, folder: str) -> list[str]:
        return await asyncio.to_thread(self._names, folder)

    async def get(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._get, name)

    async def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        return await asyncio.to_thread(self._put, name, data, new=new)

    async def delete(self, name: str) -> None:
        with suppress(OSError):
            await asyncio.to_thread((self._root / name).unlink)

    async def close(self) -> None:
        pass

    def _names(self, folder: str) -> list[str]:
        place = self._root / folder
        try:
            return sorted(one.name for one in place.iterdir() if not one.name.startswith(".")) if place.is_dir() else []
        except OSError as error:
            raise _fault(error) from error

    def _get(self, name: str) -> bytes | None:
        try:
            return (self._root / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _fault(error) from error

    def _put(self, name: str, data: bytes, *, new: bool) -> bool:
        target = self._root / name
        if not self._root.is_dir():
            raise PlaceFault(f"there is no folder {self._root}", reason="PLACE_FOLDER", path=str(self._root))
        beside = target.with_name(f".{new_id()}.part")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if new:
                try:
                    os.link(beside, target)
                except FileExistsError:
                    return False
                except OSError:  # a file system without links
                    if target.exists():
                        return False
                    beside.replace(target)
            else:
                beside.replace(target)
        except OSError as error:
            raise _fault(error) from error
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        return True


def _fault(error: OSError) -> PlaceFault:
    why = error.strerror or type(error).__name__
    return PlaceFault(f"the folder cannot be used: {why}", reason="PLACE_UNUSABLE", why=why)
