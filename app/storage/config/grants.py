"""Permanent grants in a signed file: an edited file is ignored.

The key of the signature is in the system's keyring, or, without one, in a file only the person can read. It is
fetched when there is something to check or write, never at a start without grants: a keyring may ask to be unlocked.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets as random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from ..folder.errors import KeyUnreadable
from ..folder.files import put_aside, write_atomically
from ..folder.json_file import UnreadableJson, read_object
from .key_file import KeyFile
from .secrets import SecretStore

_NAME, _ORIGIN = "grants", "signature"
State = Literal["good", "edited", "locked"]
"""`locked`: the keyring that holds the key does not answer, so nothing can be believed for now."""


class GrantFile:
    """`key_file` is used where there is no keyring; it needs no consent, for it opens nothing."""

    def __init__(self, path: Path, key_file: Path, secrets: SecretStore) -> None:
        self._path, self._secrets = path, secrets
        self._key_file = KeyFile(key_file)

    async def load(self) -> tuple[list[dict[str, Any]], State]:
        """The rows, if they are as they were written. An edited file is set aside."""
        body = await asyncio.to_thread(self._read)
        if body is None:
            return [], "good"
        rows, place = body.get("grants"), body.get("key")
        key = await self._key(str(place))
        if not key:
            return [], "locked" if place == "keyring" else self._distrust()
        if not isinstance(rows, list) or not hmac.compare_digest(_signature(rows, key), str(body.get("signature"))):
            return [], self._distrust()
        return [row for row in rows if isinstance(row, dict)], "good"

    async def save(self, rows: Sequence[dict[str, Any]]) -> None:
        """Raises DiskFull or FolderUnusable; the file is then as it was."""
        if not rows:
            await asyncio.to_thread(self._path.unlink, missing_ok=True)
            return
        place = "keyring" if await self._secrets.kind() == "keyring" else "file"
        key = await self._key(place) or await self._new_key(place)
        body = {"version": 1, "key": place, "grants": list(rows), "signature": _signature(rows, key)}
        text = json.dumps(body, ensure_ascii=False, indent=1).encode()
        await asyncio.to_thread(write_atomically, self._path, text)

    def _read(self) -> dict[str, Any] | None:
        """None if there is none; {} for one that cannot be read."""
        try:
            return {} if self._path.is_symlink() else read_object(self._path)
        except FileNotFoundError:
            return None
        except (OSError, UnreadableJson):
            return {}

    def _distrust(self) -> State:
        put_aside(self._path)
        return "edited"

    async def _key(self, place: str) -> str:
        if place == "keyring":
            try:
                secret = await self._secrets.get(_NAME, _ORIGIN)
            except KeyUnreadable:
                return ""
            return secret.reveal() if secret is not None else ""
        return await asyncio.to_thread(self._key_file.get, _NAME) or ""

    async def _new_key(self, place: str) -> str:
        key = random.token_hex(32)
        if place == "keyring":
            await self._secrets.set(_NAME, _ORIGIN, key)
        else:
            await asyncio.to_thread(self._key_file.set, _NAME, key)
        return key


def _signature(rows: Sequence[Any], key: str) -> str:
    text = json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
