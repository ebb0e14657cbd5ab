"""`triptych batch`: the questions of a file, their answers into another one."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.core.text.i18n import _
from app.services.batch.answers import BatchAnswer
from app.services.batch.budget import BatchBudget, BatchOptions
from app.services.batch.costs import FIRST_NUMBER, cost_rows, costs_csv, heads
from app.services.batch.questions import BatchQuestion, read_questions
from app.services.batch.service import BatchService
from app.services.lifecycle import Lifecycle

from .console.output import table, tell
from .run import override

_STOPPED = 4
_SHOWN = 10
"""Ids of questions that were not asked."""


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
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help=_("what all of them may use together"))
    parser.add_argument(
        "--max-money", type=float, default=0.0, metavar="X", help=_("the same in money, by your prices")
    )
    parser.add_argument("--max-seconds", type=float, default=0.0, metavar="S", help=_("begin no question after that"))
    parser.add_argument("--approve", choices=("all", "none"), default="none", help=_("all: nobody is asked"))
    parser.add_argument("--costs", default="", metavar="FILE.csv", help=_("the table of costs also as a file"))
    parser.set_defaults(handler=batch)


async def batch(args: argparse.Namespace, *, batches: BatchService, lifecycle: Lifecycle) -> int:
    questions = await asyncio.to_thread(read_questions, Path(args.file))
    options = BatchOptions(
        args.run_agent, args.mode, args.model, dict(map(override, args.overrides)), args.concurrency, args.retries,
        args.max_tokens, args.max_money, args.max_seconds, args.approve,
    )  # fmt: skip
    await lifecycle.open()
    await batches.check(questions, options)
    out = batches.store_of(args.out, args.batch or Path(args.file).stem)
    answers = await out.open(resumes=args.resume)
    budget = BatchBudget(options)
    remaining = _remaining(questions, answers, budget)
    done = len(questions) - len(remaining)
    if done:
        tell(_("{n} of {all} are answered already").format(n=done, all=len(questions)))
    answered: set[str] = set()
    try:
        async for answer in batches.run(remaining, options, budget):
            whole = answer.after(answers.get(answer.id))
            await out.add(whole)
            answers[answer.id] = whole
            answered.add(answer.id)
            done += 1
            _show_progress(answer, done, len(questions))
    finally:
        await out.close()
        asked = {one.id for one in questions}
        await _show_costs([one for one in answers.values() if one.id in asked], args.costs)
    if skipped := [one for one in remaining if one.id not in answered]:
        _say_skipped(skipped, options, budget)
        return _STOPPED
    return 0 if all(one.ok for one in answers.values() if one.id in asked) else 1


def _remaining(
    questions: Sequence[BatchQuestion], answers: Mapping[str, BatchAnswer], budget: BatchBudget
) -> list[BatchQuestion]:
    """What has no good answer yet. What all the answers there have cost belongs to the budget."""
    by_id = {one.id: one for one in questions}
    for answer in answers.values():
        question = by_id.get(answer.id)
        budget.count(question or BatchQuestion(answer.id, answer.query, answer.agent), answer)
    return [
        one for one in questions if (there := answers.get(one.id)) is None or not there.ok or there.mark != one.mark
    ]


def _show_progress(answer: BatchAnswer, done: int, count: int) -> None:
    sign = "✓" if answer.ok else "✗"
    why = "" if answer.ok else f" · {answer.stop_reason if answer.error is None else answer.error.get('code', '')}"
    tell(f"{sign} {done}/{count} · {answer.id} · {answer.seconds:.1f} s{why}")


async def _show_costs(answers: Sequence[BatchAnswer], file: str) -> None:
    if not answers:
        return
    rows = cost_rows(answers)
    table(heads(), [row.cells() for row in rows], numbers_from=FIRST_NUMBER)
    if file:
        await asyncio.to_thread(Path(file).write_text, costs_csv(rows), "utf-8-sig", newline="")


def _say_skipped(skipped: Sequence[BatchQuestion], options: BatchOptions, budget: BatchBudget) -> None:
    """Which questions were not asked, and why."""
    ids = ", ".join(one.id for one in skipped[:_SHOWN]) + (" …" if len(skipped) > _SHOWN else "")
    tell(_("not asked: {n} ({ids})").format(n=len(skipped), ids=ids))
    if options.seconds > 0:
        tell(_("no question is begun after {seconds} s").format(seconds=f"{options.seconds:g}"))
    for limit, measure in ((options.tokens, "tokens"), (options.money, "money")):
        if limit <= 0:
            continue
        spent, expected = budget.spent.of(measure), budget.expected(skipped[0], measure) or 0.0
        if spent >= limit:
            words = _("the budget is used up: {spent} of {limit}")
        else:
            words = _("{spent} of {limit} are used, and the next question may use {expected}")
        amounts = {"spent": spent, "limit": limit, "expected": expected}
        tell(words.format(**{name: _amount(value, measure) for name, value in amounts.items()}))
    tell(_("go on with --resume, without the limit or with a larger one"))


def _amount(value: float, measure: str) -> str:
    return _("{n} tokens").format(n=f"{value:,.0f}") if measure == "tokens" else f"{value:,.4f}"
