"""Errors of the disk, by who can fix them. `DataDamaged` is in core."""

from __future__ import annotations

from app.core.errors import BadInput, ForThePerson

FREE_SOME = "free some space on that disk and try again; what was there is as it was"


class DiskFull(ForThePerson):
    """Nothing was written; earlier content is unchanged."""

    code = "DISK_FULL"


class FolderUnusable(ForThePerson):
    """The data folder cannot be written, or is gone."""

    code = "FOLDER_UNUSABLE"


class StorageBusy(ForThePerson):
    """Another process held the database for longer than we wait; trying again may work."""

    code = "STORAGE_BUSY"


class SettingsConflict(ForThePerson):
    """Another program changed the file since it was read; `params["path"]` names it."""

    code = "SETTINGS_CONFLICT"


class SettingsLocked(ForThePerson):
    """The file must not be written: made by a newer version, a link, read-only. The change holds in memory only."""

    code = "SETTINGS_LOCKED"


class KeyStorageMissing(ForThePerson):
    """No keyring answers, and the person has not chosen another place for keys."""

    code = "KEY_STORAGE_MISSING"


class KeyUnreadable(KeyStorageMissing):
    """A key is stored and cannot be read now; nothing is asked without it. `params["reason"]` says why."""

    code = "KEY_UNREADABLE"
    exit_code = 3


class Stale(BadInput):
    """The change was based on an older version than the stored one."""

    code = "STALE"


class IdTaken(BadInput):
    """Something with this id is stored already; nothing was overwritten."""

    code = "ID_TAKEN"
