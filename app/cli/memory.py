"""`triptych memory`: what agents remember – seen, searched, added, confirmed, forgotten, exported."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.memory import MemoryFact
from app.core.text.i18n import _, ngettext
from app.core.text.moments import utc_time
from app.services.lifecycle import Lifecycle
from app.services.memory.service import MemoryService
from app.services.settings.settings import SettingsService

from .console.output import json_page, say, table


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("memory", help=_("what agents remember of you"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|search|add|keep|forget|export")
    listing = actions.add_parser("list", help=_("the facts, newest first"))
    _of_agent(listing)
    listing.add_argument("--all", action="store_true", help=_("with those that no longer hold or were rejected"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_facts)
    searching = actions.add_parser("search", help=_("facts that fit a question, best first"))
    searching.add_argument("query", nargs="+", metavar="TEXT", help=_("words or a question"))
    _of_agent(searching)
    searching.add_argument("--limit", type=int, default=15, metavar="N", help=_("at most so many"))
    searching.add_argument("--json", action="store_true", help=_("as JSON"))
    searching.set_defaults(handler=search_facts)
    adding = actions.add_parser("add", help=_("remember a fact"))
    adding.add_argument("text", nargs="+", metavar="TEXT", help=_("one sentence"))
    _of_agent(adding)
    adding.set_defaults(handler=add_fact)
    keeping = actions.add_parser("keep", help=_("confirm proposed facts"))
    keeping.add_argument("ids", nargs="+", metavar="ID", help=_("see `memory list`"))
    keeping.set_defaults(handler=keep_facts)
    forgetting = actions.add_parser("forget", help=_("delete facts for good"))
    forgetting.add_argument("ids", nargs="*", metavar="ID", help=_("see `memory list`"))
    _of_agent(forgetting)
    forgetting.add_argument("--all", action="store_true", help=_("everything this agent remembers"))
    forgetting.set_defaults(handler=forget_facts)
    exporting = actions.add_parser("export", help=_("all facts as JSON"))
    _of_agent(exporting)
    exporting.set_defaults(handler=export_facts)


def _of_agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", dest="memory_agent", default="", metavar="ID", help=_("of one agent"))


async def list_facts(args: argparse.Namespace, *, memory: MemoryService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    facts = [fact for fact in await memory.facts(args.memory_agent) if args.all or _is_open(fact)]
    _show(facts, as_json=args.json)
    return 0


async def search_facts(args: argparse.Namespace, *, memory: MemoryService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    recalled = await memory.recall(args.memory_agent, " ".join(args.query), max(1, args.limit))
    _show([one.fact for one in recalled], as_json=args.json)
    return 0


async def add_fact(
    args: argparse.Namespace, *, memory: MemoryService, settings: SettingsService, lifecycle: Lifecycle
) -> int:
    await lifecycle.open()
    agent = settings.profile(args.memory_agent or settings.preferences.default_agent or "assistant").id
    fact = await memory.add(agent, " ".join(args.text))
    say(fact.id if fact is not None else _("this is remembered already"))
    return 0


async def keep_facts(args: argparse.Namespace, *, memory: MemoryService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    await memory.keep(*args.ids)
    return 0


async def forget_facts(
    args: argparse.Namespace, *, memory: MemoryService, settings: SettingsService, lifecycle: Lifecycle
) -> int:
    await lifecycle.open()
    if (args.all and not args.memory_agent) or not (args.all or args.ids):
        say(_("name facts, or an agent with --agent ID --all"))
        return 2
    agent = settings.profile(args.memory_agent).id if args.all else ""
    ids = list(dict.fromkeys(args.ids))
    await memory.forget(*ids)
    count = len(ids) + (await memory.forget_all(agent) if agent else 0)
    say(ngettext("forgot one fact", "forgot {n} facts", count).format(n=count))
    return 0


async def export_facts(args: argparse.Namespace, *, memory: MemoryService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    say(await memory.export(args.memory_agent))
    return 0


def _is_open(fact: MemoryFact) -> bool:
    return fact.valid_to is None and fact.state != "rejected"


def _show(facts: list[MemoryFact], *, as_json: bool) -> None:
    if as_json:
        json_page(
            [
                {"id": f.id, "agent": f.agent, "date": _day(f), "text": f.text, "kind": f.kind, "state": _state(f)}
                for f in facts
            ]
        )
        return
    states = {"kept": "", "proposed": _("waits for you"), "rejected": _("rejected"), "replaced": _("no longer holds")}
    rows = [(f.id, f.agent, _day(f), states[_state(f)], f.text) for f in facts]
    table((_("id"), _("agent"), _("date"), _("state"), _("fact")), rows)


def _state(fact: MemoryFact) -> str:
    return "replaced" if fact.valid_to is not None else fact.state


def _day(fact: MemoryFact) -> str:
    return utc_time(fact.valid_from).date().isoformat()
