"""`triptych compare`: the same question in several modes, side by side."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from app.core.run.analysis.comparison import RunSummary
from app.core.text.i18n import _
from app.services.lifecycle import Lifecycle
from app.services.runs.compare import CompareService, Tried
from app.services.runs.run_options import RunOptions

from .console.output import json_page, say, table, tell
from .console.typed import by_commas, from_stdin
from .run import LONGEST_QUESTION


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("compare", help=_("one question in several modes"))
    parser.add_argument("text", metavar="TEXT", help=_("the question; - reads it from standard input"))
    parser.add_argument("--modes", default="direct,react,plan", metavar="MODE,MODE…", help=_("which, in which order"))
    parser.add_argument("--agent", metavar="ID", dest="run_agent", default="", help=_("who answers"))
    parser.add_argument("--model", default="", metavar="REF", help=_("provider/model, offline/rules or script/FILE"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    parser.set_defaults(handler=compare)


async def compare(args: argparse.Namespace, *, compare: CompareService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    text = from_stdin(LONGEST_QUESTION) if args.text == "-" else args.text
    modes = by_commas(args.modes)
    options = RunOptions(model=args.model, approve="none", interactive=False)
    tried = await compare.in_modes(text, modes, agent=args.run_agent, options=options)
    if args.json:
        json_page([asdict(one) for one in tried])
    else:
        _show(tried)
    return 0 if all(one.summary is not None and one.summary.is_success for one in tried) else 1


def _show(tried: list[Tried]) -> None:
    table((_("mode"), _("outcome"), _("steps"), _("tools"), _("Tokens").lower(), _("seconds"), _("run")), [
        (one.summary.mode, *numbers(one.summary), one.run) if one.summary else (one.mode, one.error, "", "", "", "", "")
        for one in tried
    ])  # fmt: skip
    for one in tried:
        if one.summary is not None and one.summary.fallback:
            words = _("{mode}: {code}, another mode took over; these are not its figures")
            tell(words.format(mode=one.mode, code=one.summary.fallback))
    for one in tried:
        if one.summary is not None:
            say(f"\n## {one.mode}\n\n{one.summary.answer}")


def numbers(summary: RunSummary) -> tuple[object, ...]:
    used = summary.usage
    tokens = f"{used.input}+{used.output}" + ("" if used.exact else " " + _("(estimated)"))
    return summary.outcome, summary.steps, len(summary.tools), tokens, f"{summary.seconds:.1f}"
