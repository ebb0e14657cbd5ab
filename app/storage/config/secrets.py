"""API keys: in the system's keyring, or – only if the person says so – in a file or in this process alone.

A key is bound to the origin it is for: another address never gets it. Nothing here writes a key
to a log, an error or a repr. A keyring that hangs, is locked or absent must not hang the program:
`keyring_timeout.py` waits for it.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

from app.core.errors import BadInput

from ..folder.errors import KeyStorageMissing, KeyUnreadable
from .key_file import KeyFile
from .keyring_timeout import Patience
from .keyrings import Keyring, find_keyring

Kind = Literal["keyring", "file", "session", "none"]

SERVICE = "Triptych"
PROBE_SECONDS = 2.5
"""To find out whether a keyring answers: the start must not wait longer."""
READ_SECONDS = 2.5
"""To read one key, the search for the keyring included: a question that waits for it must end with a sentence."""
WRITE_SECONDS = 30.0
"""To keep one key: the person has just typed it, and the system may ask them to unlock the keyring."""
_UNLOCK = "unlock the keyring and try again, or enter the key again in the window: for one session, or in a file"
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


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """Where keys are and could be."""

    kind: Kind
    """Where a new one would be kept."""
    in_file: int
    """How many the file holds."""
    keyring: Literal["there", "absent", "silent"]


class SecretStore:
    def __init__(
        self,
        file: Path,
        *,
        in_file: bool = False,
        file_first: bool = False,
        find: Callable[[], Keyring | None] | None = None,
    ) -> None:
        """`in_file`: the person agreed to a file where there is no keyring; `file_first`: even where there is one."""
        self._file = KeyFile(file)
        self._chosen: Literal["", "file", "session"] = "file" if file_first else ""
        self._without_keyring: Kind = "file" if in_file else "none"
        self._find = find or find_keyring
        self._patience = Patience()
        self._keyring: Keyring | None = None
        self._searching: asyncio.Task[None] | None = None
        self._memory: dict[str, Secret] = {}

    async def kind(self) -> Kind:
        """Where a key would be kept. "none": the person has to choose between file and session first."""
        if self._chosen:
            return self._chosen
        try:
            keyring = await self._look_for_keyring(PROBE_SECONDS)
        except KeyStorageMissing:
            keyring = None
        return "keyring" if keyring is not None else self._without_keyring

    async def places(self) -> KeyPlaces:
        keyring: Literal["there", "absent", "silent"] = "silent"
        with suppress(KeyStorageMissing):
            keyring = "absent" if await self._look_for_keyring(PROBE_SECONDS) is None else "there"
        return KeyPlaces(await self.kind(), len(await asyncio.to_thread(self._file.names)), keyring)

    def choose(self, kind: Literal["file", "session"]) -> None:
        """What the person wants where no keyring answers, or instead of one."""
        self._chosen = kind

    async def get(self, provider: str, origin: str) -> Secret | None:
        """None if there is none. A key in the file is used whatever keyring there is.

        Raises KeyUnreadable within `READ_SECONDS`; what comes later is there the next time.
        """
        name = _name(provider, origin)
        if name in self._memory:
            return self._memory[name]
        value = await asyncio.to_thread(self._file.get, name)
        if value is None:
            try:
                value = await self._from_keyring(name, READ_SECONDS)
            except KeyStorageMissing as error:
                raise _unreadable(error) from None
        if not value:
            return None
        return self._memory.setdefault(name, Secret(value))

    async def set(self, provider: str, origin: str, value: str) -> Kind:
        """Returns where it was kept, and nowhere else. Raises KeyStorageMissing, BadInput; "" deletes."""
        name, key = _name(provider, origin), checked_key(value)
        if not key:
            await self.delete(provider, origin)
            return await self.kind()
        kind = await self.kind()
        if kind == "none":
            raise KeyStorageMissing("no keyring answers", hint="keep the key for this session only, or in a file")
        if kind == "keyring":
            await self._into_keyring(name, key)
        if kind == "file":
            await asyncio.to_thread(self._file.set, name, key)
            with suppress(KeyStorageMissing):
                await self._out_of_keyring(name)
        else:
            await asyncio.to_thread(self._file.set, name, None)
        self._memory[name] = Secret(key)
        return kind

    async def delete(self, provider: str, origin: str) -> None:
        """From everywhere; no error if there is none. Raises KeyUnreadable if a silent keyring may hold it."""
        name = _name(provider, origin)
        was_in_file = await asyncio.to_thread(self._file.get, name) is not None
        await asyncio.to_thread(self._file.set, name, None)
        is_kept_elsewhere = was_in_file or (name in self._memory and self._chosen == "session")
        self._memory.pop(name, None)
        try:
            await self._out_of_keyring(name)
        except KeyStorageMissing as error:
            if not is_kept_elsewhere:
                raise _unreadable(error) from None

    async def move(self, to: Literal["keyring", "file"], known: Iterable[tuple[str, str]]) -> int:
        """All keys to the other place, each gone from the old one once it is in the new; returns how many.

        `known` names them (provider, origin): a keyring does not list what it holds. Raises what the places raise;
        then some keys are here and some there, all can be read, and another call continues.
        """
        listed = await asyncio.to_thread(self._file.names)
        if to == "keyring":
            for name in listed:
                value = await asyncio.to_thread(self._file.get, name)
                if value is not None:
                    await self._into_keyring(name, value)
                    await asyncio.to_thread(self._file.set, name, None)
            self._chosen = ""
            return len(listed)
        moved = 0
        for provider, origin in known:
            name = _name(provider, origin)
            value = await self._from_keyring(name, WRITE_SECONDS)
            if value is None:
                continue
            if name not in listed:
                await asyncio.to_thread(self._file.set, name, value)
            await self._out_of_keyring(name)
            moved += 1
        self._chosen = "file"
        return moved

    # ------------------------------------------------------------ the keyring

    async def _look_for_keyring(self, seconds: float) -> Keyring | None:
        """None if there is none; it is looked for again the next time. Raises KeyStorageMissing where it is silent."""
        if self._keyring is not None:
            return self._keyring
        if self._searching is None or self._searching.done():
            self._searching = asyncio.create_task(self._search(seconds), name="look for a keyring")
            self._searching.add_done_callback(_is_heard)
        await asyncio.shield(self._searching)
        return self._keyring

    async def _search(self, seconds: float) -> None:
        try:
            self._found(await self._patience.call(self._find, seconds, late=self._found))
        except KeyStorageMissing as error:
            if error.params.get("reason") == "KEYRING_SILENT":
                raise
            self._found(None)  # no bus, no service: there is none

    def _found(self, keyring: Keyring | None) -> None:
        self._keyring = keyring

    async def _from_keyring(self, name: str, seconds: float) -> str | None:
        """Raises KeyStorageMissing after so many seconds, the search included."""
        began = time.monotonic()
        keyring = await self._look_for_keyring(min(seconds, PROBE_SECONDS))
        if keyring is None:
            return None

        def remember(value: str | None) -> None:
            if value:
                self._memory.setdefault(name, Secret(value))

        remaining = seconds - (time.monotonic() - began)
        return await self._patience.call(lambda: keyring.get_password(SERVICE, name), remaining, late=remember)

    async def _into_keyring(self, name: str, key: str) -> None:
        """Raises KeyStorageMissing unless it can be read again afterwards."""
        keyring = await self._look_for_keyring(PROBE_SECONDS)
        if keyring is None:
            raise KeyStorageMissing("no keyring answers", hint="keep the key for this session only, or in a file")
        await self._patience.call(lambda: keyring.set_password(SERVICE, name, key), WRITE_SECONDS)
        if await self._patience.call(lambda: keyring.get_password(SERVICE, name), READ_SECONDS) != key:
            raise KeyStorageMissing("the keyring did not keep the key", reason="KEYRING_REFUSED")

    async def _out_of_keyring(self, name: str) -> None:
        if await self._from_keyring(name, READ_SECONDS) is not None and (keyring := self._keyring) is not None:
            await self._patience.call(lambda: keyring.delete_password(SERVICE, name), READ_SECONDS)


def _unreadable(error: KeyStorageMissing) -> KeyUnreadable:
    return KeyUnreadable(error.message, hint=_UNLOCK, **error.params)


def _is_heard(search: asyncio.Task[None]) -> None:
    """Whoever waited may have been cancelled meanwhile."""
    if not search.cancelled():
        search.exception()


def _name(provider: str, origin: str) -> str:
    return f"{provider}@{origin}"
