"""The steps that bring a database to the newest schema; each runs once, in order, all or nothing.

To add one: write `m00N_what_it_does(cursor)`, append it to MIGRATIONS, and put a database of the
version before it into tests/data/databases/. A step that is released is never changed again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

from app.core.errors import DataNewer

from . import row_checksums
from . import search_index as search_rows
from .backup import back_up
from .connection import APPLICATION_ID
from .schema import FACTS, FIRST_SCHEMA, MODEL_CALLS, NOTES_AND_RATINGS, ROW_CHECKSUMS

Migration = Callable[[apsw.Cursor], None]


def m001_first_schema(cursor: apsw.Cursor) -> None:
    cursor.execute(FIRST_SCHEMA).fetchall()


def m002_full_text_search(cursor: apsw.Cursor) -> None:
    search_rows.create(cursor)


def m003_notes_and_ratings(cursor: apsw.Cursor) -> None:
    cursor.execute(NOTES_AND_RATINGS).fetchall()


def m004_model_calls(cursor: apsw.Cursor) -> None:
    cursor.execute(MODEL_CALLS).fetchall()


def m005_checksums_of_rows(cursor: apsw.Cursor) -> None:
    cursor.execute(ROW_CHECKSUMS).fetchall()


def m006_facts(cursor: apsw.Cursor) -> None:
    cursor.execute(FACTS).fetchall()
    search_rows.create_facts(cursor)


MIGRATIONS: tuple[Migration, ...] = (
    m001_first_schema,
    m002_full_text_search,
    m003_notes_and_ratings,
    m004_model_calls,
    m005_checksums_of_rows,
    m006_facts,
)


def version_of(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def refuse_newer(connection: apsw.Connection, path: Path, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    if (version := version_of(connection)) > len(migrations):
        raise DataNewer(
            f"{path} was made by a newer version of Triptych",
            hint="start that version; this one changes nothing",
            path=str(path),
            version=version,
            known=len(migrations),
        )


def migrate(
    connection: apsw.Connection, path: Path, backups: Path | None, migrations: tuple[Migration, ...] = MIGRATIONS
) -> None:
    """A database with data in it (`backups` given) is copied before the first step."""
    refuse_newer(connection, path, migrations)
    if version_of(connection) >= len(migrations):
        return
    if backups is not None:
        back_up(connection, backups, f"before-v{len(migrations)}")
    for number, step in enumerate(migrations, 1):
        _take(connection, number, step, is_newest=number == len(migrations))


def _take(connection: apsw.Connection, number: int, step: Migration, *, is_newest: bool) -> None:
    cursor = connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")
    try:
        # Read inside the transaction: another process may have taken this step while we waited.
        if version_of(connection) < number:
            step(cursor)
            if is_newest:
                # With the columns of today, whatever the steps have changed.
                row_checksums.write_all(cursor)
            cursor.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            cursor.execute(f"PRAGMA user_version = {number}")
        cursor.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            cursor.execute("ROLLBACK")
        raise
