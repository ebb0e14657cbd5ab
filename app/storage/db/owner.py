"""Which process is writing an answer, by a lease it renews.

`triptych run` may write beside an open window, so a new process does not end answers in progress. It ends them when
their process is gone: at once on the same machine, else when the lease has expired.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import apsw

from ..folder.processes import born, host
from .columns import moment, number, text

RENEW_EVERY = 5.0
LEASE = 20.0


@dataclass(frozen=True, slots=True)
class Owner:
    """This process as the rows name it."""

    host: str = field(default_factory=host)
    pid: int = field(default_factory=os.getpid)
    born: str = field(default_factory=lambda: born(os.getpid()) or "")
    nonce: str = field(default_factory=lambda: secrets.token_hex(4))

    @property
    def id(self) -> str:
        return f"{self.pid}-{self.nonce}"


def renew(cursor: apsw.Cursor, owner: Owner) -> None:
    cursor.execute(
        "INSERT INTO owner (id, host, pid, born, lease) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET lease = excluded.lease",
        (owner.id, owner.host, owner.pid, owner.born, time.time() + LEASE),
    )


def leave(cursor: apsw.Cursor, owner: Owner) -> None:
    """This process has no answer in progress any more."""
    cursor.execute("DELETE FROM owner WHERE id = ?", (owner.id,))


def forget_all_but(cursor: apsw.Cursor, spared: Collection[str]) -> None:
    for (id,) in cursor.execute("SELECT id FROM owner").fetchall():
        if id not in spared:
            cursor.execute("DELETE FROM owner WHERE id = ?", (id,))


def living(cursor: apsw.Cursor) -> set[str]:
    """The owners whose rows must be left alone."""
    rows: list[Any] = cursor.execute("SELECT id, host, pid, born, lease FROM owner").fetchall()
    here, now = host(), time.time()
    return {
        id
        for id, its_host, pid, its_birth, lease in rows
        if _lives(text(its_host), number(pid), text(its_birth), moment(lease), here=here, now=now)
    }


def _lives(its_host: str, pid: int, its_birth: str, lease: float, *, here: str, now: float) -> bool:
    # A lease further ahead than one can be given out was written before the clock was set back.
    leased = now < lease <= now + 2 * LEASE
    if its_host != here:
        same_machine = its_host.partition("/")[0] == here.partition("/")[0]
        return leased and not same_machine
    birth = born(pid)
    if birth is None:
        return False
    if birth and its_birth:
        # Certain either way, so a clock that jumped or a laptop that slept does not matter.
        return birth == its_birth
    return leased
