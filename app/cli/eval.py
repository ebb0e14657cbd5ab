"""`triptych eval`: cases with checks in every combination of modes, models and settings; what each is worth."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.services.batch.budget import BatchOptions
from app.services.batch.evaluation import EvalResult, Evaluation, EvalVariant, cases_of, variants_of
from app.services.batch.figures import figures_of, gains_of
from app.services.batch.questions import read_questions
from app.services.batch.report import FIRST_NUMBER, gain_heads, gain_row, heads, row_of
from app.services.batch.report_page import html_report
from app.services.batch.service import BatchService
from app.services.lifecycle import Lifecycle

from .console.output import json_page, say, table, tell
from .console.typed import by_commas

_STOPPED = 4


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("eval", help=_("settings compared on cases with checks"))
    parser.add_argument("file", metavar="CASES.jsonl", help=_("one case per line: query and checks"))
    parser.add_argument("--modes", default="", metavar="MODE,MODE…", help=_("modes to compare"))
    parser.add_argument("--models", default="", metavar="REF,REF…", help=_("models to compare"))
    parser.add_argument(
        "--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE|VALUE…",
        help=_("values of a setting to compare"),
    )  # fmt: skip
    parser.add_argument("--agent", metavar="ID", dest="run_agent", default="", help=_("who answers"))
    parser.add_argument("--judge", default="", metavar="REF", help=_("the model that judges by a rubric"))
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help=_("ask each case so often"))
    parser.add_argument("--concurrency", type=int, default=4, metavar="N", help=_("questions at the same time"))
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help=_("what all of them may use together"))
    parser.add_argument(
        "--max-money", type=float, default=0.0, metavar="X", help=_("the same in money, by your prices")
    )
    parser.add_argument("--approve", choices=("all", "none"), default="none", help=_("all: nobody is asked"))
    parser.add_argument("--html", default="", metavar="FILE", help=_("also a report as a page"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    parser.set_defaults(handler=evaluate)


async def evaluate(args: argparse.Namespace, *, batches: BatchService, lifecycle: Lifecycle) -> int:
    path = Path(args.file)
    cases = cases_of(path, await asyncio.to_thread(read_questions, path))
    variants = variants_of(by_commas(args.modes), by_commas(args.models), dict(map(_values, args.overrides)))
    options = BatchOptions(
        args.run_agent, concurrency=args.concurrency, tokens=args.max_tokens, money=args.max_money,
        approve=args.approve,
    )  # fmt: skip
    await lifecycle.open()
    results: list[EvalResult] = []
    count = len(cases) * len(variants) * args.repeat
    async for result in Evaluation(batches, options, judge=args.judge).run(cases, variants, args.repeat):
        results.append(result)
        line = f"{'✓' if result.passed else '✗'} {len(results)}/{count} · {result.case} · {result.variant.name}"
        tell(f"{line}: {result.reasons}" if result.reasons else line)
    if not_asked := count - len(results):
        tell(_("the budget is too small for the rest: {n} of {all} were not asked").format(n=not_asked, all=count))
    if args.html:
        page = html_report(path.name, results, variants, not_asked)
        await asyncio.to_thread(Path(args.html).write_text, page, "utf-8")
    if args.json:
        json_page([_json(one) for one in results])
    else:
        _show_tables(results, variants)
    if not_asked:
        return _STOPPED
    return 0 if all(one.passed for one in results) else 1


def _show_tables(results: Sequence[EvalResult], variants: Sequence[EvalVariant]) -> None:
    table(heads(), [row_of(one) for one in figures_of(results, variants)], numbers_from=FIRST_NUMBER)
    if gains := gains_of(results, variants):
        say()
        table(gain_heads(), [gain_row(one) for one in gains], numbers_from=FIRST_NUMBER)


def _json(result: EvalResult) -> dict[str, Any]:
    return {
        "case": result.case,
        "variant": result.variant.name,
        "score": result.score,
        "passed": result.passed,
        "checks": [
            {"kind": check.kind, "score": verdict.score, "holds": verdict.holds, "why": verdict.why}
            for check, verdict in result.verdicts
        ],
        "answer": result.answer.to_json(),
    }


def _values(pair: str) -> tuple[str, list[Any]]:
    """`max_reflection_iterations=0|1|3`: the values of one setting; what is no JSON is a text."""
    name, equals, values = pair.partition("=")
    if not equals or not name.strip():
        raise BadInput(_("--set wants KEY=VALUE, not {text}").format(text=repr(pair)))
    return name.strip(), [_value(one) for one in values.split("|")]


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
