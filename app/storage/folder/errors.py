"""What can go wrong with the disk and who can mend it. `DataDamaged` itself stands in core."""

from __future__ import annotations

from app.core.errors import BadInput, ForThePerson

FREE_SOME = "free some space on that disk and try again; what was there is as it was"


class DiskFull(ForThePerson):
    """Nothing was written; what was there before is untouched."""

    code = "DISK_FULL"


class FolderUnusable(ForThePerson):
    """The data folder cannot be written, or is gone."""

    code = "FOLDER_UNUSABLE"


class StorageBusy(ForThePerson):
    """Another process held the database for longer than we wait; trying again may work."""

    code = "STORAGE_BUSY"


class SettingsConflict(ForThePerson):
    """The file was changed by somebody else since it was read; `params["path"]` names it."""

    code = "SETTINGS_CONFLICT"


class SettingsLocked(ForThePerson):
    """The file must not be written: made by a newer version, a link, read-only. The change holds in memory only."""

    code = "SETTINGS_LOCKED"


class KeyStorageMissing(ForThePerson):
    """No keyring answers, and the person has not yet said where a key may be kept instead."""

    code = "KEY_STORAGE_MISSING"


class KeyUnreadable(KeyStorageMissing):
    """A key is stored and cannot be read now; nothing is asked without it. `params["reason"]` says why."""

    code = "KEY_UNREADABLE"
    exit_code = 3


class Stale(BadInput):
    """The change was made on an older version than the one that is stored now."""

    code = "STALE"


class IdTaken(BadInput):
    """Something with this id is stored already; nothing was overwritten."""

    code = "ID_TAKEN"
