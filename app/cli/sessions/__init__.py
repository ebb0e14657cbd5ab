"""`triptych sessions`: stored conversations."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import Any

from app.core.run.events import Notice
from app.core.run.messages import Call, Fact, Message, PlanPart, Text
from app.core.session.search import Ranges
from app.core.session.summary import SessionRow
from app.core.text.i18n import _, ngettext
from app.core.text.moments import MINUTE, time_text
from app.services.data.backups import BackupService
from app.services.data.search import SessionSearchService
from app.services.data.sessions import SessionService
from app.services.lifecycle import Lifecycle

from ..console.output import json_page, notice_line, say, table, tell
from ..console.reading import open_to_read
from . import backups, transfer


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("sessions", help=_("stored conversations"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help=_("the newest first"))
    listing.add_argument("query", nargs="?", default="", help=_("only those whose title or preview holds these words"))
    listing.add_argument("--archived", action="store_true", help=_("those in the archive, too"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_sessions)
    searching = actions.add_parser("search", help=_("in titles, messages and tool results"))
    searching.add_argument("text", metavar="TEXT", help=_('words that must all be found; "a phrase" in double quotes'))
    searching.add_argument("--agent", dest="of_agent", default=None, metavar="ID", help=_("only those of this agent"))
    searching.add_argument("--mode", default=None, metavar="MODE", help=_("only those in this mode"))
    searching.add_argument("--since", type=_day, default=None, metavar="YYYY-MM-DD", help=_("from this day on"))
    searching.add_argument("--until", type=_day, default=None, metavar="YYYY-MM-DD", help=_("before this day"))
    searching.add_argument("--limit", type=_count, default=20, metavar="N", help=_("at most so many (20)"))
    searching.add_argument("--json", action="store_true", help=_("as JSON"))
    searching.set_defaults(handler=search_sessions)
    showing = actions.add_parser("show", help=_("the messages of one"))
    showing.add_argument("id", metavar="ID")
    showing.add_argument("--json", action="store_true", help=_("as JSON"))
    showing.set_defaults(handler=show_session)
    renaming = actions.add_parser("rename", help=_("give one another title"))
    renaming.add_argument("id", metavar="ID")
    renaming.add_argument("title", metavar="TITLE")
    renaming.set_defaults(handler=rename_session)
    deleting = actions.add_parser("delete", help=_("into the bin"))
    deleting.add_argument("id", metavar="ID")
    deleting.add_argument("--for-good", action="store_true", help=_("erase it: nothing brings it back but a backup"))
    deleting.add_argument("--backups-too", action="store_true", help=_("and replace all backups by a new one"))
    deleting.set_defaults(handler=delete_session)
    transfer.add_actions(actions)
    backups.add_actions(actions)


async def list_sessions(args: argparse.Namespace, *, sessions: SessionService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    rows = await sessions.rows(args.query, archived=args.archived)
    if args.json:
        json_page([{name: getattr(row, name) for name in row.__slots__} for row in rows])
    else:
        table((_("session"), _("agent"), _("last change"), _("folder"), _("title")), [
            (row.id, row.agent, _moment(row.updated), _place(row), row.title or row.preview) for row in rows
        ])  # fmt: skip
    return 0


def _place(row: SessionRow) -> str:
    return " ".join(part for part in (row.folder, _("(archive)") if row.archived else "") if part)


async def search_sessions(args: argparse.Namespace, *, search: SessionSearchService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    hits = await search.search(
        args.text, agent=args.of_agent, mode=args.mode, since=args.since, until=args.until, limit=args.limit
    )
    if args.json:
        json_page([asdict(hit) for hit in hits])
    for hit in [] if args.json else hits:
        say(f"{hit.session}  {_moment(hit.created)}  {hit.kind}  {hit.title}")
        say(f"    {_marked(hit.snippet, hit.ranges)}")
    return 0


def _marked(text: str, ranges: Ranges) -> str:
    for start, end in reversed(ranges):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(_("{text} is no number of results").format(text=repr(text)))
    return int(text)


def _day(text: str) -> float:
    try:
        return datetime.strptime(text, "%Y-%m-%d").astimezone().timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(_("{text} is no day like 2026-11-20").format(text=repr(text))) from None


async def show_session(args: argparse.Namespace, *, sessions: SessionService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    row = await sessions.row(args.id)
    messages = await sessions.messages(args.id)
    if args.json:
        json_page({"session": row.id, "title": row.title, "messages": [message.to_json() for message in messages]})
        return 0
    say(f"# {row.title}")
    for message in messages:
        say(f"\n## {message.role} · {_moment(message.created)} · {message.state}")
        _show_parts(message)
    return 0


def _show_parts(message: Message) -> None:
    for part in message.parts:
        match part:
            case Text(text):
                say(text)
            case Call(call, _started, result):
                summary = result.summary if result else _("no result")
                say(f"[{call.name}: {summary}]")
            case PlanPart(plan):
                say("\n".join(f"{step.step}. {step.description} – {step.status}" for step in plan.steps))
            case Fact(Notice(code) as notice):
                say(f"[{code}: {notice_line(notice)}]")
            case _:
                pass


async def rename_session(args: argparse.Namespace, *, sessions: SessionService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    await sessions.row(args.id)
    await sessions.rename(args.id, args.title)
    return 0


async def delete_session(
    args: argparse.Namespace, *, sessions: SessionService, backups: BackupService, lifecycle: Lifecycle
) -> int:
    await lifecycle.open()
    await sessions.row(args.id)
    if not args.for_good:
        await sessions.bin.trash(args.id)
        return 0
    await sessions.bin.purge(args.id)
    if args.backups_too:
        await backups.start_anew()
    elif older := backups.rows():
        words = ngettext(
            "{n} backup may still hold it; --backups-too would have replaced it",
            "{n} backups may still hold it; --backups-too would have replaced them",
            len(older),
        )
        tell("  " + words.format(n=len(older)))
    return 0


def _moment(seconds: float) -> str:
    return time_text(seconds, MINUTE)
