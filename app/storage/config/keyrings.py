"""Which keyring backends are good enough to hold a key: those of the systems themselves."""

from __future__ import annotations

from typing import Protocol


class Keyring(Protocol):
    """What we use of a keyring backend."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


GOOD = frozenset({
    ("keyring.backends.Windows", "WinVaultKeyring"),
    ("keyring.backends.macOS", "Keyring"),
    ("keyring.backends.SecretService", "Keyring"),
    ("keyring.backends.libsecret", "Keyring"),
    ("keyring.backends.kwallet", "DBusKeyring"),
    ("keyring.backends.kwallet", "DBusKeyringKWallet4"),
})  # fmt: skip
"""Files in plain text or with a home-made cipher (keyrings.alt), chains and whatever an environment
variable names are not among them."""


def find_keyring() -> Keyring | None:
    """The best one that works here. Slow, and may hang on a broken bus: call it in a thread with a time limit."""
    from keyring.backend import get_all_keyring

    good = [backend for backend in get_all_keyring() if (type(backend).__module__, type(backend).__name__) in GOOD]
    return max(good, key=lambda backend: float(backend.priority), default=None)
