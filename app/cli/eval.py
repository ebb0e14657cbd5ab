"""`triptych eval`: cases with checks in every combination of modes, models and settings; what each is worth."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.services.batch.evaluation import EvalResult, Evaluation, cases_of, figures_of, variants_of
from app.services.batch.questions import read_questions
from app.services.batch.report import heads, html_report, row_of
from app.services.batch.budget import BatchOptions
from app.services.batch.service import BatchService
from app.services.lifecycle import Lifecycle

from .console.output import json_page, table, tell
from .console.typed import by_commas


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
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help=_("stop when so many are used"))
    parser.add_argument("--html", default="", metavar="FILE", help=_("also a report as a page"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    parser.set_defaults(handler=evaluate)


async def evaluate(args: argparse.Namespace, *, batches: BatchService, lifecycle: Lifecycle) -> int:
    cases = cases_of(await asyncio.to_thread(read_questions, Path(args.file)))
    variants = variants_of(by_commas(args.modes), by_commas(args.models), dict(map(_values, args.overrides)))
    options = BatchOptions(args.run_agent, concurrency=args.concurrency, tokens=args.max_tokens)
    await lifecycle.open()
    results: list[EvalResult] = []
    count = len(cases) * len(variants) * args.repeat
    async for result in Evaluation(batches, options, judge=args.judge).run(cases, variants, args.repeat):
        results.append(result)
        sign = "✓" if result.score == 1.0 else "✗"
        reasons = "; ".join(verdict.why for _check, verdict in result.verdicts if verdict.why)
        line = f"{sign} {len(results)}/{count} · {result.case} · {result.variant.name}"
        tell(f"{line}: {reasons}" if reasons else line)
    figures = figures_of(results, variants)
    if args.html:
        page = html_report(Path(args.file).name, figures, results)
        await asyncio.to_thread(Path(args.html).write_text, page, "utf-8")
    if args.json:
        json_page([_json(one) for one in results])
    else:
        table(heads(), [row_of(one, figures[0]) for one in figures])
    return 0 if all(one.score == 1.0 for one in results) and len(results) == count else 1


def _json(result: EvalResult) -> dict[str, Any]:
    return {
        "case": result.case,
        "variant": result.variant.name,
        "score": result.score,
        "checks": [
            {"kind": check.kind, "score": verdict.score, "why": verdict.why} for check, verdict in result.verdicts
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
