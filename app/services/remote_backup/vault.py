"""What leaves the computer is encrypted in the age format; only the passphrase opens it, here or with the age tool.

A key of X25519 is made once for a place and lies there under the passphrase (`key.age`); everything else is encrypted
to that key. A piece is named by a keyed hash of its content: the same content is kept once, and its name tells nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import zlib
from typing import TYPE_CHECKING

from app.core.errors import BadInput, DataDamaged
from app.core.exchange.storage_place import StoragePlace

if TYPE_CHECKING:
    from pyrage.x25519 import Identity

KEY = "key.age"
SHORTEST_PASSPHRASE = 8
LARGEST_PIECE = 16_000_000


class Vault:
    def __init__(self, identity: Identity) -> None:
        self._identity, self._recipient = identity, identity.to_public()
        self._naming = hashlib.sha256(b"names of pieces" + str(identity).encode()).digest()

    @classmethod
    def opened(cls, key: bytes, passphrase: str) -> Vault:
        """Takes a second, on purpose. Raises BadInput."""
        from pyrage import DecryptError
        from pyrage import passphrase as with_passphrase
        from pyrage.x25519 import Identity

        try:
            return cls(Identity.from_str(with_passphrase.decrypt(key, passphrase).decode()))
        except (DecryptError, ValueError) as error:
            raise BadInput("the passphrase does not open these backups", reason="PASSPHRASE_WRONG") from error

    @staticmethod
    def new_key(passphrase: str) -> bytes:
        """Raises BadInput."""
        from pyrage import passphrase as with_passphrase
        from pyrage.x25519 import Identity

        if len(passphrase) < SHORTEST_PASSPHRASE:
            message = f"the passphrase has fewer than {SHORTEST_PASSPHRASE} characters"
            raise BadInput(message, reason="PASSPHRASE_SHORT", least=SHORTEST_PASSPHRASE)
        key: bytes = with_passphrase.encrypt(str(Identity.generate()).encode(), passphrase)
        return key

    def name_of(self, content: bytes) -> str:
        return hmac.new(self._naming, content, hashlib.sha256).hexdigest()[:48]

    def sealed(self, content: bytes) -> bytes:
        from pyrage import encrypt

        data: bytes = encrypt(zlib.compress(content, 3), [self._recipient])
        return data

    def unsealed(self, data: bytes) -> bytes:
        """Raises DataDamaged."""
        from pyrage import DecryptError, decrypt

        try:
            packed = decrypt(data, [self._identity])
            unpacking = zlib.decompressobj()
            content = unpacking.decompress(packed, LARGEST_PIECE)
            if unpacking.unconsumed_tail:
                raise _damaged()
        except (DecryptError, zlib.error) as error:
            raise _damaged() from error
        return content


def _damaged() -> DataDamaged:
    return DataDamaged("a piece of the backup is not what was stored", reason="BACKUP_PIECE")


async def open_vault(place: StoragePlace, passphrase: str, *, make: bool) -> Vault:
    """`make`: where there is no key yet. Raises BadInput, PlaceFault."""
    key = await place.get(KEY)
    if key is None and make:
        # Two computers may begin at the same moment: whose key came first is used by both.
        await place.put(KEY, await asyncio.to_thread(Vault.new_key, passphrase), new=True)
        key = await place.get(KEY)
    if key is None:
        raise BadInput("there is no backup at this place", reason="NO_BACKUP_HERE")
    return await asyncio.to_thread(Vault.opened, key, passphrase)
