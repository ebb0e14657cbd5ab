"""`triptych backup`: encrypted backups at a place of one's own, and what of them comes back."""

from __future__ import annotations

import argparse
import os
from typing import Any

from app.core.text.i18n import _, ngettext
from app.core.text.moments import MINUTE, time_text
from app.core.wording.backups import items_text
from app.services.lifecycle import Lifecycle
from app.services.remote_backup.service import BackupProgress, RemoteBackupService
from app.services.remote_backup.settings import BackupPlace

from .console.output import say, table, tell

PASSWORD, PASSPHRASE = "TRIPTYCH_BACKUP_PASSWORD", "TRIPTYCH_BACKUP_PASSPHRASE"
_SHOWN = 20


def add(commands: Any) -> None:
    words = _("encrypted backups in a folder, on a WebDAV server or in an S3-compatible store of your own")
    parser: argparse.ArgumentParser = commands.add_parser("backup", help=words)
    actions = parser.add_subparsers(dest="action", required=True, metavar="place|now|list|preview|restore|forget")
    placing = actions.add_parser("place", help=_("where they go; asks for the password and the passphrase"))
    placing.add_argument("kind", choices=("folder", "webdav", "s3"))
    placing.add_argument("address", metavar="ADDRESS", help=_("a folder, or https://…"))
    placing.add_argument("--user", default="", help=_("name at the server, or id of the key"))
    placing.add_argument("--bucket", default="", help=_("bucket of the store, with a folder in it if you like"))
    placing.add_argument("--region", default="", help=_("region of the store"))
    placing.add_argument("--keep", type=int, default=30, metavar="N", help=_("versions of this computer that are kept"))
    every = _("hours after which one is made while the program is open, 0 = only when asked to")
    placing.add_argument("--every", type=int, default=24, metavar="HOURS", help=every)
    placing.add_argument("--name", default="", help=_("how this computer is called in the list"))
    placing.set_defaults(handler=set_place)
    simple: tuple[tuple[str, str, Any], ...] = (
        ("now", _("make one; what did not change is not sent again"), back_up),
        ("list", _("the versions there, newest first"), list_versions),
        ("forget", _("the place and its secrets; what is there stays"), forget),
    )
    for name, words, handler in simple:
        actions.add_parser(name, help=words).set_defaults(handler=handler)
    for name, words, looking in (
        ("preview", _("what would come back"), preview),
        ("restore", _("add what is not here; nothing that is here is changed"), restore),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("version", metavar="VERSION|latest", help=_("see `backup list`"))
        action.set_defaults(handler=looking)


async def set_place(args: argparse.Namespace, *, remote_backups: RemoteBackupService) -> int:
    place = BackupPlace(
        args.kind, args.address, args.user, args.bucket, args.region, args.keep, args.every, name=args.name
    )
    password = None if args.kind == "folder" else _secret(PASSWORD, _("Password or secret key: "))
    saved = await remote_backups.settings.save(place, password, _secret(PASSPHRASE, _("Passphrase of the backups: ")))
    versions = await remote_backups.versions()
    say(_("Backups of {name} go to {address}.").format(name=saved.name, address=saved.address))
    tell(ngettext("{n} version is there.", "{n} versions are there.", len(versions)).format(n=len(versions)))
    tell(_("Without the passphrase nobody can read them again, you neither: keep it somewhere else, too."))
    return 0


async def back_up(_args: argparse.Namespace, *, remote_backups: RemoteBackupService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    progress = BackupProgress()
    version = await remote_backups.back_up(progress)
    words = ngettext("{n} session, {sent} bytes sent", "{n} sessions, {sent} bytes sent", len(version.sessions))
    say(words.format(n=len(version.sessions), sent=progress.sent))
    return 0


async def list_versions(_args: argparse.Namespace, *, remote_backups: RemoteBackupService) -> int:
    rows = await remote_backups.versions()
    own = place.computer if (place := remote_backups.settings.place()) is not None else ""
    shown = [(row.name, _("this one") if row.computer == own else row.computer) for row in rows]
    table((_("version"), _("computer")), shown)
    return 0


async def preview(args: argparse.Namespace, *, remote_backups: RemoteBackupService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    preview = await remote_backups.preview(args.version)
    moment = time_text(preview.version.made, MINUTE)
    say(
        _("{computer}, {time}, {n} sessions").format(
            computer=preview.version.name, time=moment, n=len(preview.version.sessions)
        )
    )
    for words, listed in ((_("not here"), preview.new), (_("here in another state"), preview.changed)):
        say(f"{words}: {len(listed)}")
        for one in listed[:_SHOWN]:
            say(f"  {one.id}  {one.title}")
    say(_("the same here: {n}").format(n=preview.same))
    for words, items in ((_("not here"), preview.new_items), (_("here in another state"), preview.changed_items)):
        if listed_items := items_text(one.kind for one in items):
            say(f"{words}: {listed_items}")
    return 0


async def restore(args: argparse.Namespace, *, remote_backups: RemoteBackupService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    report = await remote_backups.restore(args.version)
    for one in report.sessions:
        say(f"{one.id}  {one.title}")
    count = len(report.sessions)
    tell(ngettext("{n} session was added.", "{n} sessions were added.", count).format(n=count))
    if items := items_text(one.kind for one in report.items):
        tell(_("Added as well: {items}.").format(items=items))
        tell(_("Keys, permissions and tool servers are in no backup; skills are looked at before use."))
    return 0


async def forget(_args: argparse.Namespace, *, remote_backups: RemoteBackupService) -> int:
    await remote_backups.settings.forget()
    return 0


def _secret(variable: str, question: str) -> str:
    """From the environment of a script, else asked for without being shown."""
    import getpass

    return os.environ.get(variable) or getpass.getpass(question)
