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
from app.core.text.moments import MINUTE, time_text
from app.services.container import Services

from . import backups, transfer
from .output import json_page, say, table, tell
from .reading import open_to_read


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("sessions", help="stored conversations")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="the newest first")
    listing.add_argument("query", nargs="?", default="", help="only those whose title or preview holds these words")
    listing.add_argument("--archived", action="store_true", help="those in the archive, too")
    listing.add_argument("--json", action="store_true", help="as JSON")
    listing.set_defaults(handler=list_sessions)
    searching = actions.add_parser("search", help="in titles, messages and tool results")
    searching.add_argument("text", metavar="TEXT", help='words that must all be found; "a phrase" in double quotes')
    searching.add_argument("--agent", dest="of_agent", default=None, metavar="ID", help="only those of this agent")
    searching.add_argument("--mode", default=None, metavar="MODE", help="only those in this mode")
    searching.add_argument("--since", type=_day, default=None, metavar="YYYY-MM-DD", help="from this day on")
    searching.add_argument("--until", type=_day, default=None, metavar="YYYY-MM-DD", help="before this day")
    searching.add_argument("--limit", type=_count, default=20, metavar="N", help="at most so many (20)")
    searching.add_argument("--json", action="store_true", help="as JSON")
    searching.set_defaults(handler=search_sessions)
    showing = actions.add_parser("show", help="the messages of one")
    showing.add_argument("id", metavar="ID")
    showing.add_argument("--json", action="store_true", help="as JSON")
    showing.set_defaults(handler=show_session)
    renaming = actions.add_parser("rename", help="give one another title")
    renaming.add_argument("id", metavar="ID")
    renaming.add_argument("title", metavar="TITLE")
    renaming.set_defaults(handler=rename_session)
    deleting = actions.add_parser("delete", help="into the bin")
    deleting.add_argument("id", metavar="ID")
    deleting.add_argument("--for-good", action="store_true", help="erase it: nothing brings it back but a backup")
    deleting.add_argument("--backups-too", action="store_true", help="and replace all backups by a new one")
    deleting.set_defaults(handler=delete_session)
    transfer.add_actions(actions)
    backups.add_actions(actions)


async def list_sessions(args: argparse.Namespace, services: Services) -> int:
    await open_to_read(services)
    rows = await services.sessions.rows(args.query, archived=args.archived)
    if args.json:
        json_page([{name: getattr(row, name) for name in row.__slots__} for row in rows])
    else:
        table(("session", "agent", "changed", "folder", "title"), [
            (row.id, row.agent, _moment(row.updated), _place(row), row.title or row.preview) for row in rows
        ])  # fmt: skip
    return 0


def _place(row: SessionRow) -> str:
    return " ".join(part for part in (row.folder, "(archive)" if row.archived else "") if part)


async def search_sessions(args: argparse.Namespace, services: Services) -> int:
    await open_to_read(services)
    hits = await services.search.search(
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
        raise argparse.ArgumentTypeError(f"{text!r} is no number of results")
    return int(text)


def _day(text: str) -> float:
    try:
        return datetime.strptime(text, "%Y-%m-%d").astimezone().timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day like 2026-11-20") from None


async def show_session(args: argparse.Namespace, services: Services) -> int:
    await open_to_read(services)
    row = await services.sessions.row(args.id)
    messages = await services.sessions.messages(args.id)
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
                say(f"[{call.name}: {result.summary if result else 'no result'}]")
            case PlanPart(plan):
                say("\n".join(f"{step.step}. {step.description} – {step.status}" for step in plan.steps))
            case Fact(Notice(code, text)):
                say(f"[{code}: {text}]")
            case _:
                pass


async def rename_session(args: argparse.Namespace, services: Services) -> int:
    await services.open()
    await services.sessions.row(args.id)
    await services.sessions.rename(args.id, args.title)
    return 0


async def delete_session(args: argparse.Namespace, services: Services) -> int:
    await services.open()
    await services.sessions.row(args.id)
    if not args.for_good:
        await services.sessions.trash(args.id)
        return 0
    await services.sessions.purge(args.id)
    if args.backups_too:
        await services.backups.start_anew()
    elif older := services.backups.rows():
        tell(f"  {len(older)} backups may still hold it; --backups-too would have replaced them")
    return 0


def _moment(seconds: float) -> str:
    return time_text(seconds, MINUTE)
