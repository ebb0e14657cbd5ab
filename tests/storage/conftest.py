"""A data folder, a database and its stores, as the program makes them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.folder.paths import DataFolder
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.create()
    return folder


@pytest.fixture
async def db(folder: DataFolder) -> AsyncIterator[Database]:
    db = Database(folder.database)
    yield db
    await db.close()


@pytest.fixture
async def runs(db: Database) -> AsyncIterator[RunStore]:
    runs = RunStore(db)
    yield runs
    await runs.close()


@pytest.fixture
async def sessions(db: Database) -> SessionStore:
    """With one session, `s1`."""
    sessions = SessionStore(db)
    await sessions.create(SessionRow("s1", "", "assistant", "", "", 1.0, 1.0))
    return sessions
