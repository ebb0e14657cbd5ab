"""`triptych sessions backup`, `restore` and `verify`: copies, the bin, and whether all is whole."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.text.moments import MINUTE, time_text
from app.services.container import Services
from app.services.data.backups import Backup

from .output import json_page, say, table, tell
from .reading import open_to_read


def add_actions(actions: Any) -> None:
    backing: argparse.ArgumentParser = actions.add_parser("backup", help="make a copy of everything, or list them")
    backing.add_argument("--list", action="store_true", help="the copies there are, newest first")
    backing.add_argument("--json", action="store_true", help="with --list")
    backing.set_defaults(handler=backup)
    restoring: argparse.ArgumentParser = actions.add_parser("restore", help="out of the bin, or from a backup")
    what = restoring.add_mutually_exclusive_group(required=True)
    what.add_argument("id", nargs="?", metavar="ID", help="a session that is in the bin")
    what.add_argument("--backup", metavar="NAME|latest", help="take everything back from this copy")
    restoring.set_defaults(handler=restore)
    verifying: argparse.ArgumentParser = actions.add_parser("verify", help="check every row and say what was found")
    verifying.set_defaults(handler=verify)


async def backup(args: argparse.Namespace, services: Services) -> int:
    if not args.list:
        say(str((await services.backups.make()).path))
        return 0
    rows = services.backups.rows()
    if args.json:
        json_page([{"name": row.name, "path": str(row.path), "made": row.made, "size": row.size} for row in rows])
    else:
        table(("copy", "made", "bytes"), [(row.name, _when(row), row.size) for row in rows])
    return 0


async def restore(args: argparse.Namespace, services: Services) -> int:
    if args.backup is None:
        await services.open()
        await services.sessions.restore(args.id)
        return 0
    done = await services.backups.restore(args.backup)
    say(f"restored {done.backup.name}, made {_when(done.backup)}")
    if done.before is not None:
        say(f"what was there before is in {done.before.path}")
    if done.damaged is not None:
        say(f"the database that was there is {done.damaged}")
        salvaged = done.salvaged
        say(f"read out of it: {salvaged.messages} messages, {salvaged.sessions} of the sessions were not in the copy")
    await services.open()
    return 0


async def verify(args: argparse.Namespace, services: Services) -> int:
    await open_to_read(services)
    problems = await services.verify()
    for problem in problems:
        say(problem)
    say(f"{len(problems)} problems" if problems else "no problems")
    if problems and (copy := await services.backups.newest_good()) is not None:
        tell(f"  the newest sound copy is {copy.path}: `triptych sessions restore --backup latest`")
    return 6 if problems else 0


def _when(row: Backup) -> str:
    return time_text(row.made, MINUTE) or "at an unknown time"
