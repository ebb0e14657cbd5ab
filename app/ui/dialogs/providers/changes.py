"""The changes to the provider that a form shows: stored as they are, with what they took the place of, for Undo."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6

from app.core.errors import TriptychError
from app.ui.dialogs.providers.form import ProviderForm
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.dialogs.settings.history import History

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry, ProviderService


@dataclass(frozen=True)
class _State:
    entry: ProviderEntry | None
    """None: there was none."""
    key: str | None = field(repr=False)
    """That was replaced; None: none was."""


class ProviderChanges:
    def __init__(self, form: ProviderForm, providers: ProviderService, secrets: SecretKeeper) -> None:
        self._form, self._providers, self._secrets = form, providers, secrets
        self._history: History[_State] = History()
        self._wants_all = False
        self._old_key: str | None = None
        """To be stored again."""

    @property
    def is_any(self) -> bool:
        """There is something to store."""
        return self._form.is_dirty or self._wants_all or self._old_key is not None

    @property
    def can_undo(self) -> bool:
        return self._history.last is not None

    def clear(self) -> None:
        """Another provider is shown."""
        self._history.clear()
        self._wants_all, self._old_key = False, None

    def want_all(self) -> None:
        """A new one is stored as it is shown, though nothing of it was changed."""
        self._wants_all = True

    def store(self) -> Coroutine[Any, Any, bool]:
        """What the form shows now; False if nobody said where its key may be kept.

        Raises BadInput and what the disk raises.
        """
        entry, typed = self._form.entry(), self._form.key.key()
        assert entry is not None, "one is shown"
        key = typed if typed is not None else self._old_key
        self._wants_all, self._old_key = False, None
        return self._store(entry, typed, key)

    async def _store(self, entry: ProviderEntry, typed: str | None, key: str | None) -> bool:
        stored = self._stored(entry.id)
        before = _State(_plain(stored), await self._key_before(entry.id) if key is not None and stored else None)
        if not await self._secrets.do(partial(self._providers.save_provider, entry, key)):
            return False
        now = self._stored(entry.id)
        shown = self._form.entry() if shiboken6.isValid(self._form) else None
        if now is not None and shown is not None and shown.id == entry.id:
            self._form.follow(entry, typed, now)
            self._history.store(before, _State(_plain(now), key))
        return True

    def take_back(self) -> bool:
        """The form shows what was there before the last change, to be stored; False if there was no provider."""
        before = self._history.last
        if before is None or before.entry is None:
            return False
        self._old_key = before.key
        self._form.show_changed(before.entry)
        return True

    def _stored(self, id: str) -> ProviderEntry | None:
        return next((entry for entry in self._providers.providers() if entry.id == id), None)

    async def _key_before(self, id: str) -> str | None:
        try:
            return await self._providers.key(id)
        except TriptychError:
            return None  # it cannot be read: Undo leaves the new one


def _plain(entry: ProviderEntry | None) -> ProviderEntry | None:
    """Whether it has a key stands in the state."""
    return replace(entry, has_key=False) if entry is not None else None
