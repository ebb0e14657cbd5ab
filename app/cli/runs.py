"""`triptych runs`: stored runs, shown and played again without a network."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict
from datetime import datetime
from typing import Any

from app.core.comparison import Move
from app.services.all import Services

from .compare import numbers
from .output import json_line, json_page, say, table

LONGEST_MOVE = 200


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("runs", help="stored runs")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|replay|compare")
    listing = actions.add_parser("list")
    listing.add_argument("--session", dest="run_session", default=None, metavar="ID")
    listing.set_defaults(handler=list_runs)
    showing = actions.add_parser("show", help="the events of a run")
    showing.add_argument("id", metavar="ID")
    showing.set_defaults(handler=show_run, speed=0.0)
    replaying = actions.add_parser("replay", help="the events of a run, in time")
    replaying.add_argument("id", metavar="ID")
    replaying.add_argument("--speed", type=float, default=1.0, metavar="N", help="N times as fast")
    replaying.set_defaults(handler=show_run)
    comparing = actions.add_parser("compare", help="two runs side by side, the first difference marked")
    comparing.add_argument("left", metavar="ID")
    comparing.add_argument("right", metavar="ID")
    comparing.add_argument("--json", action="store_true")
    comparing.set_defaults(handler=compare_runs)


async def list_runs(args: argparse.Namespace, services: Services) -> int:
    await services.open()
    rows = await services.runs.rows(args.run_session)
    table(("run", "agent", "mode", "model", "state", "steps", "started"), [
        (
            row.id, row.agent, row.mode, row.model, row.state, row.steps,
            datetime.fromtimestamp(row.started).astimezone().strftime("%Y-%m-%d %H:%M"),
        )
        for row in rows
    ])  # fmt: skip
    return 0


async def show_run(args: argparse.Namespace, services: Services) -> int:
    await services.open()
    before = 0.0
    for stamped in await services.runs.events(args.id):
        if args.speed > 0:
            await asyncio.sleep(max(0.0, stamped.t - before) / args.speed)
            before = stamped.t
        json_line(stamped.to_json())
    return 0


async def compare_runs(args: argparse.Namespace, services: Services) -> int:
    await services.open()
    found = await services.runs.compare(args.left, args.right)
    if args.json:
        json_page(asdict(found))
        return 0
    table(("run", "mode", "outcome", "steps", "tools", "tokens", "seconds"), [
        (id, one.mode, *numbers(one)) for id, one in ((args.left, found.left), (args.right, found.right))
    ])  # fmt: skip
    say()
    for n, (left, right) in enumerate(found.rows):
        if left == right:
            say(f"  {_told(left)}")
            continue
        mark = ">" if n == found.first_difference else " "
        say(f"{mark}<{_told(left)}")
        say(f"{mark}>{_told(right)}")
    say(
        "the runs did the same"
        if found.first_difference is None
        else f"first difference: move {found.first_difference + 1}"
    )
    return 0


def _told(move: Move | None) -> str:
    if move is None:
        return "–"
    text = " ".join(move.text.split())
    return f"{move.kind}: {text if len(text) <= LONGEST_MOVE else text[:LONGEST_MOVE] + '…'}"
