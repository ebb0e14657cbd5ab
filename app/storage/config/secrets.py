"""API keys: in the system's keyring, or – only if the person says so – in a file or in this process alone.

A key is bound to the origin it is for: another address never gets it. Nothing here writes a key
to a log, an error or a repr. A keyring that hangs, is locked or absent must not hang the program:
`patience.py` waits for it.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NoReturn

from app.core.errors import BadInput

from ..folder.errors import KeyStorageMissing
from .key_file import KeyFile
from .keyring_timeout import Patience
from .keyrings import Keyring, find_keyring

Kind = Literal["keyring", "file", "session", "none"]

SERVICE = "Triptych"
PROBE_SECONDS = 2.5
"""To find out whether a keyring answers: the start must not wait longer."""
CALL_SECONDS = 30.0
"""To read or write one key: the system may ask the person to unlock."""
LONGEST_KEY = 1200
"""Characters; the Windows Credential Locker takes 1,280."""


class Secret:
    """A key as a value: shown as dots, compared in constant time, never pickled."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Only where the request is made."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(••••)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    __hash__ = None  # type: ignore[assignment]  # a set of secrets is a mistake

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


def checked_key(value: str) -> str:
    """The key without white space around it. Raises BadInput that names the place, never the key."""
    key = value.strip()
    for place, sign in enumerate(key, 1):
        if not "!" <= sign <= "~":
            raise BadInput(
                f"character {place} of the key cannot be part of a key",
                hint="copy it again; it may have picked up a space, a dash or a character of another alphabet",
                reason="KEY_CHARACTER",
                place=place,
            )
    if len(key) > LONGEST_KEY:
        raise BadInput(
            f"a key of {len(key)} characters is too long",
            hint=f"at most {LONGEST_KEY}",
            reason="KEY_LONG",
            most=LONGEST_KEY,
        )
    return key


class SecretStore:
    """`file` says where keys lie if the person agreed to that (`in_file`)."""

    def __init__(self, file: Path, *, in_file: bool = False, find: Callable[[], Keyring | None] | None = None) -> None:
        self._file = KeyFile(file)
        self._without_keyring: Kind = "file" if in_file else "none"
        self._find = find or find_keyring
        self._patience = Patience()
        self._keyring: Keyring | None = None
        self._searched: asyncio.Task[None] | None = None
        self._memory: dict[str, Secret] = {}

    async def kind(self) -> Kind:
        """Where a key would be kept. "none": the person has to choose between file and session first."""
        if self._searched is None:
            self._searched = asyncio.create_task(self._search(), name="look for a keyring")
        await asyncio.shield(self._searched)
        return "keyring" if self._keyring is not None else self._without_keyring

    def choose(self, kind: Literal["file", "session"]) -> None:
        """What the person wants where there is no keyring."""
        self._without_keyring = kind

    async def get(self, provider: str, origin: str) -> Secret | None:
        """A keyring that fails is a key that is not there: the person is asked for it again."""
        name = _name(provider, origin)
        if name in self._memory:
            return self._memory[name]
        kind, value = await self.kind(), None
        if (keyring := self._keyring) is not None:
            try:
                value = await self._patience.call(lambda: keyring.get_password(SERVICE, name), CALL_SECONDS)
            except KeyStorageMissing:
                return None
        elif kind == "file":
            value = await asyncio.to_thread(self._file.get, name)
        secret = Secret(value) if value else None
        if secret is not None:
            self._memory[name] = secret
        return secret

    async def set(self, provider: str, origin: str, value: str) -> Kind:
        """Returns where it was kept. Raises KeyStorageMissing, BadInput; "" deletes."""
        name, key = _name(provider, origin), checked_key(value)
        if not key:
            await self.delete(provider, origin)
            return await self.kind()
        kind = await self.kind()
        if kind == "none":
            raise KeyStorageMissing("no keyring answers", hint="keep the key for this session only, or in a file")
        if (keyring := self._keyring) is not None:
            await self._patience.call(lambda: keyring.set_password(SERVICE, name, key), CALL_SECONDS)
        elif kind == "file":
            await asyncio.to_thread(self._file.set, name, key)
        self._memory[name] = Secret(key)
        return kind

    async def delete(self, provider: str, origin: str) -> None:
        """From everywhere; no error if there is none."""
        name = _name(provider, origin)
        self._memory.pop(name, None)
        await self.kind()
        await asyncio.to_thread(self._file.set, name, None)
        if (keyring := self._keyring) is None:
            return
        if await self._patience.call(lambda: keyring.get_password(SERVICE, name), CALL_SECONDS) is not None:
            await self._patience.call(lambda: keyring.delete_password(SERVICE, name), CALL_SECONDS)

    async def _search(self) -> None:
        try:
            self._keyring = await self._patience.call(self._find, PROBE_SECONDS)
        except KeyStorageMissing:
            self._keyring = None


def _name(provider: str, origin: str) -> str:
    return f"{provider}@{origin}"
