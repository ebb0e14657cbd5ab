"""The list of sessions for the first paint, read before anything else is loaded.

Creates and repairs nothing, and never delays the start: `Database.open` reports problems a moment later. Imports
apsw and little else.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from app.core.session.summary import SessionRow

from ..db.connection import FAULTS, connect_for_reading
from .session_rows import read_first_rows


def open_for_start(path: Path) -> apsw.Connection | None:
    """A reading connection, or None if there is no database to read yet."""
    try:
        if path.stat().st_size == 0:
            return None
        return connect_for_reading(path)
    except (OSError, *FAULTS):
        return None


COUNT, MOST = 200, 1000
"""More than the highest screen shows; each costs the first paint its reading, arranging and measuring."""


def rows_for_start(path: Path) -> tuple[SessionRow, ...]:
    """The newest sessions and those in folders; () if there is nothing that can be read. The rest follows."""
    connection = open_for_start(path)
    if connection is None:
        return ()
    try:
        try:
            return tuple(read_first_rows(connection.cursor(), COUNT, MOST))
        except UnicodeDecodeError:
            from ..folder.lenient_text import ForgivingCursor

            return tuple(read_first_rows(ForgivingCursor(connection), COUNT, MOST))
    except FAULTS:
        return ()
    finally:
        connection.close()
