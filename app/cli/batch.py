"""`triptych batch`: the questions of a file, their answers into another one."""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.core.run.price import money_text
from app.core.text.i18n import _
from app.services.batch.answers import BatchAnswer
from app.services.batch.questions import read_questions
from app.services.batch.service import BatchOptions, BatchService, BatchSpending
from app.services.lifecycle import Lifecycle

from .console.output import tell
from .run import override

_STOPPED = 4


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("batch", help=_("the questions of a file"))
    parser.add_argument("file", metavar="FILE.jsonl", help=_("one question per line: a text, or an object with query"))
    parser.add_argument(
        "--out", metavar="FILE.jsonl|postgresql://…", required=True,
        help=_("where the answers go: a file, one per line, or a table of a PostgreSQL server"),
    )  # fmt: skip
    parser.add_argument(
        "--batch",
        metavar="NAME",
        default="",
        help=_("what answers on a server belong to; else the file"),
    )
    parser.add_argument("--concurrency", type=int, default=4, metavar="N", help=_("questions at the same time"))
    parser.add_argument("--resume", action="store_true", help=_("go on behind the answers that are there"))
    parser.add_argument("--retries", type=int, default=1, metavar="N", help=_("ask again where a service failed"))
    parser.add_argument("--agent", metavar="ID", dest="run_agent", default="", help=_("who answers"))
    parser.add_argument("--mode", default="", metavar="auto|direct|react|plan", help=_("else the agent's own"))
    parser.add_argument("--model", default="", metavar="REF", help=_("provider/model, offline/rules or script/FILE"))
    parser.add_argument(
        "--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE",
        help=_("a setting of the agent for these runs"),
    )  # fmt: skip
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help=_("stop when so many are used"))
    parser.add_argument("--max-money", type=float, default=0.0, metavar="X", help=_("stop when so much is spent"))
    parser.add_argument("--max-seconds", type=float, default=0.0, metavar="S", help=_("begin no question after that"))
    parser.set_defaults(handler=batch)


async def batch(args: argparse.Namespace, *, batches: BatchService, lifecycle: Lifecycle) -> int:
    questions = await asyncio.to_thread(read_questions, Path(args.file))
    options = BatchOptions(
        args.run_agent, args.mode, args.model, dict(map(override, args.overrides)), args.concurrency, args.retries,
        args.max_tokens, args.max_money, args.max_seconds,
    )  # fmt: skip
    await lifecycle.open()
    await batches.check(questions, options)
    out = batches.store_of(args.out, args.batch or Path(args.file).stem)
    there = await out.open(resumes=args.resume)
    marks = {one.id: one.mark for one in questions}
    answers = {id: one for id, one in there.items() if one.ok and marks.get(id) == one.mark}
    spent = BatchSpending()
    for one in answers.values():
        spent.add(one)
    remaining = [one for one in questions if one.id not in answers]
    if answers:
        tell(_("{n} of {all} are answered already").format(n=len(answers), all=len(questions)))
    try:
        async for answer in batches.run(remaining, options, spent):
            await out.add(answer)
            answers[answer.id] = answer
            _show_progress(answer, len(answers), len(questions))
    finally:
        await out.close()
        _show_table(answers.values())
    if len(answers) < len(questions):
        tell(_("the budget is used up; go on with --resume"))
        return _STOPPED
    return 0 if all(one.ok for one in answers.values()) else 1


def _show_progress(answer: BatchAnswer, done: int, count: int) -> None:
    sign = "✓" if answer.ok else "✗"
    why = "" if answer.error is None else f" · {answer.error.get('code', '')}"
    tell(f"{sign} {done}/{count} · {answer.id} · {answer.seconds:.1f} s{why}")


def _show_table(answers: Iterable[BatchAnswer]) -> None:
    """What it cost, by agent, mode and model; on stderr, as all that is for people."""
    groups: dict[tuple[str, str, str], list[BatchAnswer]] = defaultdict(list)
    for one in answers:
        groups[one.agent, one.mode, one.model].append(one)
    if not groups:
        return
    tell("")
    for (agent, mode, model), group in sorted(groups.items()):
        money = BatchSpending()
        for one in group:
            money.add(one)
        seconds = [one.seconds for one in group]
        words = _("{agent} · {mode} · {model}: {ok} of {n} answered, {tokens} tokens, {seconds} s each (median)")
        text = words.format(
            agent=agent, mode=mode, model=model, ok=sum(one.ok for one in group), n=len(group),
            tokens=f"{money.tokens:,}", seconds=f"{statistics.median(seconds):.1f}",
        )  # fmt: skip
        tell(text + (f", {money_text(money.money)}" if money.money else ""))
    sys.stderr.flush()
