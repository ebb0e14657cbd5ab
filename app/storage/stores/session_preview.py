"""What a window shows before anything else is loaded: the list of sessions, read at once.

Makes nothing, mends nothing, and never stands in the way of the start: whatever is wrong is
found and told by `Database.open` a moment later. Imports apsw and little else.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from app.core.session.summary import SessionRow

from ..db.connection import FAULTS, connect_for_reading
from .session_rows import read_rows


def open_for_start(path: Path) -> apsw.Connection | None:
    """A reading connection, or None if there is no database to read yet."""
    try:
        if path.stat().st_size == 0:
            return None
        return connect_for_reading(path)
    except (OSError, *FAULTS):
        return None


def rows_for_start(path: Path, limit: int = 1000) -> tuple[SessionRow, ...]:
    """The newest sessions; () if there is nothing that can be read."""
    connection = open_for_start(path)
    if connection is None:
        return ()
    try:
        try:
            return tuple(read_rows(connection.cursor(), limit=limit))
        except UnicodeDecodeError:
            from ..folder.lenient_text import ForgivingCursor

            return tuple(read_rows(ForgivingCursor(connection), limit=limit))
    except FAULTS:
        return ()
    finally:
        connection.close()
