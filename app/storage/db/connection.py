"""Connections to the database, each with the settings our promises rest on.

WAL with `synchronous=FULL` keeps every acknowledged message through a power cut; memory maps,
trusted schemas and loadable code are off. Used by `database.py`, and by `start.py` before the
first paint, so this file stays light.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from app.core.errors import DataDamaged, InternalError, TriptychError

from ..folder.errors import FREE_SOME, DiskFull, FolderUnusable, IdTaken, StorageBusy

APPLICATION_ID = int.from_bytes(b"TRIP", "big")
OLDEST_SQLITE = 3_051_003
"""Older versions can corrupt a WAL database that two connections write."""
BUSY_MS = 5000

if apsw.sqlite_lib_version() and apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
    raise ImportError(f"SQLite {apsw.sqlite_lib_version()} is too old: 3.51.3 or newer is needed")

READ_WRITE = apsw.SQLITE_OPEN_READWRITE
FAULTS = (apsw.Error, UnicodeDecodeError)
"""What comes out of a damaged file: apsw decodes names and messages out of it, too, and those may be no text."""

_PRAGMAS = """
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA mmap_size = 0;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
"""


def connect(path: Path, flags: int = READ_WRITE) -> apsw.Connection:
    """Opens what is there; never makes a file. Raises apsw's errors: `translated` knows them."""
    return _prepared(apsw.Connection(str(path), flags=flags))


def _prepared(connection: apsw.Connection) -> apsw.Connection:
    try:
        connection.set_busy_timeout(BUSY_MS)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        # fetchall: apsw stops at the first statement that has a row to give.
        connection.execute(_PRAGMAS).fetchall()
    except FAULTS:
        connection.close()
        raise
    return connection


def connect_for_reading(path: Path) -> apsw.Connection:
    """A connection that changes nothing; works on a read-only disk too."""
    connection = _connect_to_what_moves(path) or _connect_to_what_stands_still(path)
    connection.execute("PRAGMA query_only = ON")
    # The last connection to close would copy the whole WAL back; that is the writer's work.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    return connection


def _connect_to_what_moves(path: Path) -> apsw.Connection | None:
    """None if the folder cannot be written, or nothing more fits into it: that shows at the first look inside."""
    try:
        connection = connect(path)
        try:
            connection.pragma("schema_version")
        except FAULTS:
            connection.close()
            raise
    except apsw.Error as error:
        if isinstance(error, apsw.CantOpenError | apsw.ReadOnlyError | apsw.PermissionsError) or _lacks_room(error):
            return None
        raise
    return connection


def _connect_to_what_stands_still(path: Path) -> apsw.Connection:
    """Without the shared memory file a reader needs, which cannot be made there; nobody else writes either."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return _prepared(apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags))


def _lacks_room(error: apsw.Error) -> bool:
    """Not a byte is left for the shared memory file: SQLite calls that an error of the disk."""
    return getattr(error, "extendedresult", 0) in _NO_ROOM


_NO_ROOM = (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP)
_TAKEN = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)


def translated(error: apsw.Error | UnicodeDecodeError, path: Path) -> TriptychError:
    """Our error for one of apsw's: none of those leaves this floor."""
    place = {"path": str(path)}
    match error:
        case UnicodeDecodeError():
            return DataDamaged(f"{path} is damaged: {error.reason}", hint="nothing was deleted", **place)
        case apsw.NotADBError():
            return DataDamaged(f"{path} is not a database", hint="nothing was changed or deleted", **place)
        case apsw.CorruptError():
            return DataDamaged(f"{path} is damaged: {error}", hint="nothing was deleted", **place)
        case apsw.Error() if isinstance(error, apsw.FullError) or _lacks_room(error):
            return DiskFull(f"no space left to write {path}", hint=FREE_SOME, **place)
        case apsw.BusyError() | apsw.LockedError():
            return StorageBusy(f"{path} is held by another process", **place)
        case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.IOError():
            return FolderUnusable(f"{path} cannot be used: {error}", **place)
        case apsw.ConstraintError() if getattr(error, "extendedresult", 0) in _TAKEN:
            return IdTaken(f"{error}")
        case _:
            return InternalError(f"{type(error).__name__}: {error}")
