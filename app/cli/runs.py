"""`triptych runs`: stored runs, shown and played again without a network."""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sys
from dataclasses import asdict
from typing import Any, Literal

from app.core.run.analysis.comparison import Move
from app.core.run.events import LoopStart
from app.core.run.view import RunView
from app.core.text.i18n import _, language_of, using_language
from app.core.text.moments import MINUTE, time_text
from app.services.lifecycle import Lifecycle
from app.services.runs.asking import RunQuestions
from app.services.runs.chat import ChatService
from app.services.runs.run_options import RunOptions
from app.services.runs.runs import RunService
from app.services.settings.settings import SettingsService
from app.services.tools.grants import GrantService
from app.services.tools.service import ToolService

from .compare import numbers
from .console.output import json_line, json_page, say, table
from .console.reading import open_to_read
from .console.steps import StepLines
from .console.terminal import Terminal
from .run import follow

LONGEST_MOVE = 200


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("runs", help=_("stored runs"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|replay|again|compare")
    listing = actions.add_parser("list", help=_("the newest first"))
    listing.add_argument(
        "--session", dest="run_session", default=None, metavar="ID", help=_("only those of this session")
    )
    listing.set_defaults(handler=list_runs)
    showing = actions.add_parser("show", help=_("the events of a run"))
    showing.add_argument("id", metavar="ID")
    showing.set_defaults(handler=show_run, speed=0.0)
    replaying = actions.add_parser("replay", help=_("the events of a run, in time"))
    replaying.add_argument("id", metavar="ID")
    replaying.add_argument("--speed", type=_faster, default=1.0, metavar="N", help=_("N times as fast"))
    replaying.set_defaults(handler=show_run)
    for command in (showing, replaying):
        command.add_argument("--json", action="store_true", help=_("one JSON object per line, as in a pipe"))
    again = actions.add_parser("again", help=_("once more from a step on; what came before is kept, not run again"))
    again.add_argument("id", metavar="ID")
    where = again.add_mutually_exclusive_group(required=True)
    where.add_argument("--from-step", type=_from_one, default=0, metavar="K", help=_("a request to the model"))
    where.add_argument("--from-plan-step", type=_from_one, default=0, metavar="K", help=_("a step of the plan"))
    again.add_argument("--mode", default="", metavar="auto|direct|react|plan", help=_("else the one it ran in"))
    again.add_argument("--model", default="", metavar="REF", help=_("else the one it ran with"))
    again.add_argument("--approve", choices=("ask", "all", "none"), help=_("ask on a terminal, else none"))
    again.add_argument("--events", action="store_true", help=_("one JSON object per line"))
    again.set_defaults(handler=run_again)
    comparing = actions.add_parser("compare", help=_("two runs side by side, the first difference marked"))
    comparing.add_argument("left", metavar="ID")
    comparing.add_argument("right", metavar="ID")
    comparing.add_argument("--json", action="store_true", help=_("as JSON"))
    comparing.set_defaults(handler=compare_runs)


async def list_runs(args: argparse.Namespace, *, runs: RunService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    rows = await runs.rows(args.run_session)
    table((_("run"), _("agent"), _("mode"), _("model"), _("state"), _("steps"), _("started")), [
        (
            row.id, row.agent, row.mode, row.model, row.state, row.steps,
            time_text(row.started, MINUTE),
        )
        for row in rows
    ])  # fmt: skip
    return 0


async def show_run(
    args: argparse.Namespace, *, runs: RunService, settings: SettingsService, lifecycle: Lifecycle
) -> int:
    """On a terminal as it was told while it ran, in its language; else one JSON object per line."""
    await open_to_read(lifecycle)
    is_told = sys.stdout.isatty() and not args.json
    before, view, events = 0.0, RunView(), await runs.events(args.id)
    query = next((one.event.query for one in events if isinstance(one.event, LoopStart)), "")
    with using_language(os.environ.get("TRIPTYCH_LANG") or language_of(query)):
        lines = StepLines({profile.id: profile.title for profile in settings.profiles()}) if is_told else None
        for stamped in events:
            if args.speed > 0:
                await asyncio.sleep(max(0.0, stamped.t - before) / args.speed)
                before = stamped.t
            if lines is not None:
                lines.show(view, view.apply(stamped.event, stamped.t))
            else:
                json_line(stamped.to_json())
    return 0


async def run_again(
    args: argparse.Namespace,
    *,
    chat: ChatService,
    settings: SettingsService,
    lifecycle: Lifecycle,
    tools: ToolService,
    grants: GrantService,
) -> int:
    await lifecycle.open()
    on_terminal = sys.stdin.isatty()
    approve: Literal["ask", "all", "none"] = args.approve or ("ask" if on_terminal else "none")
    is_interactive = on_terminal and approve == "ask" and not args.events
    handle = await chat.repeats.run_again(
        args.id,
        from_step=args.from_step,
        from_plan_step=args.from_plan_step,
        options=RunOptions(mode=args.mode, model=args.model, approve=approve, interactive=is_interactive),
    )
    names = {profile.id: profile.title for profile in settings.profiles()}
    narration = None if args.events else StepLines(names)
    asking = RunQuestions(handle, Terminal(), grants, tools.rule_subject) if is_interactive else None
    return await follow(handle, chat, narration, asking)


def _faster(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < math.inf:
        raise argparse.ArgumentTypeError(_("{text} is no speed: a number above 0").format(text=repr(text)))
    return speed


def _from_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(_("{text} is no step: they count from 1").format(text=repr(text)))
    return int(text)


async def compare_runs(args: argparse.Namespace, *, runs: RunService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    comparison = await runs.compare(args.left, args.right)
    if args.json:
        json_page(asdict(comparison))
        return 0
    table((_("run"), _("mode"), _("outcome"), _("steps"), _("tools"), _("Tokens").lower(), _("seconds")), [
        (id, one.mode, *numbers(one)) for id, one in ((args.left, comparison.left), (args.right, comparison.right))
    ])  # fmt: skip
    say()
    for n, (left, right) in enumerate(comparison.rows):
        if left == right:
            say(f"  {_told(left)}")
            continue
        mark = ">" if n == comparison.first_difference else " "
        say(f"{mark}<{_told(left)}")
        say(f"{mark}>{_told(right)}")
    say(
        _("the runs did the same")
        if comparison.first_difference is None
        else _("first difference: move {n}").format(n=comparison.first_difference + 1)
    )
    return 0


def _told(move: Move | None) -> str:
    if move is None:
        return "–"
    text = " ".join(move.text.split())
    return f"{move.kind}: {text if len(text) <= LONGEST_MOVE else text[:LONGEST_MOVE] + '…'}"
