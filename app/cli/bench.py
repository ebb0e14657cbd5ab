"""`triptych bench`: the figures of the benchmark suite, each a ratio to a floor taken in the same run.

The programs live with the tests and run as processes of their own, one after the other, so that
none warms another up. A bundle does not carry them.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import sys
from dataclasses import dataclass
from typing import Any

from app.core.errors import NotConfigured, UnknownName
from app.core.text.i18n import N_, _

from .console.output import json_page, table, tell


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    program: str
    what: str


FIGURES = (
    Figure("P1", "tests.benchmarks.run_overhead", N_("overhead per step of a ReAct run")),
    Figure("P2", "tests.benchmarks.parallel_tools", N_("four tools of one message at once")),
    Figure("P3", "tests.benchmarks.provider_stream", N_("sending a long history")),
    Figure("P4", "tests.benchmarks.provider_stream", N_("CPU per token without a window")),
    Figure("P5", "tests.benchmarks.ui_stream", N_("CPU per token with the window")),
    Figure("P5W", "tests.benchmarks.whole.window", N_("CPU per token of the whole program over a connection")),
    Figure("P6", "tests.benchmarks.ui_stream", N_("late tokens against early ones")),
    Figure("P7", "tests.benchmarks.ui_beats", N_("late beats while text comes")),
    Figure("P8", "tests.benchmarks.start", N_("start to a painted window")),
    Figure("P9", "tests.benchmarks.ui_session", N_("opening 10,000 messages")),
    Figure("P10", "tests.benchmarks.search", N_("first 20 hits in 100,000 messages")),
    Figure("P11", "tests.benchmarks.store", N_("an event of a run stored")),
    Figure("P12", "tests.benchmarks.idle", N_("memory after the start, and the processor at rest")),
    Figure("P13", "tests.benchmarks.ui_session", N_("a step of the wheel through 10,000 messages")),
    Figure("P14", "tests.benchmarks.ui_beats", N_("hostile messages without a stall")),
    Figure("P16", "tests.benchmarks.whole.bundle_start", N_("start and size of the bundle")),
    Figure("P17", "tests.benchmarks.store", N_("a million messages against ten thousand")),
    Figure("P18", "tests.benchmarks.whole.answer_height", N_("height of a question and its answer")),
    Figure("P19", "tests.benchmarks.knowledge", N_("10,000 documents imported")),
    Figure("P19S", "tests.benchmarks.knowledge", N_("first 20 hits in a million passages")),
    Figure("P19H", "tests.benchmarks.knowledge", N_("words and vectors searched together")),
    Figure("P20", "tests.benchmarks.matching", N_("10,000 lines matched against 100,000 products")),
    Figure("P21", "tests.benchmarks.served", N_("tokens streamed by the local API")),
    Figure("P22", "tests.benchmarks.whole.large_texts", N_("a book of a million characters opened and scrolled")),
    Figure("P22G", "tests.benchmarks.whole.large_texts", N_("words looked for in 100,000 files")),
    Figure("P15", "tests.benchmarks.planner", N_("routes and checks of a plan")),
)
"""To add a figure: a program that takes its name, `--json` and `--short`; a line here."""


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("bench", help=_("the benchmark suite"))
    parser.add_argument("names", nargs="*", metavar="P1", help=_("only these"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    parser.add_argument("--short", action="store_true", help=_("fewer repetitions"))
    parser.set_defaults(handler=bench)


async def bench(args: argparse.Namespace) -> int:
    if not _has_programs():
        raise NotConfigured("the benchmark programs are part of the source, not of the bundle", reason="NO_BENCHMARKS")
    wanted = {name.upper() for name in args.names}
    if unknown := wanted - {figure.name for figure in FIGURES}:
        raise UnknownName("figure", min(unknown), [figure.name for figure in FIGURES])
    rows: list[dict[str, Any]] = []
    for figure in FIGURES:
        if not wanted or figure.name in wanted:
            tell(f"{figure.name}: {_(figure.what)} …")
            rows.append(await _measure(figure, short=args.short))
    if args.json:
        json_page(rows)
    else:
        table((_("figure"), _("what"), _("ours"), _("floor"), _("ratio"), _("goal"), ""), [_line(row) for row in rows])
    return 0 if all(row["ok"] for row in rows) else 1


def _has_programs() -> bool:
    try:
        return importlib.util.find_spec("tests.benchmarks") is not None
    except ModuleNotFoundError:  # not even `tests`
        return False


async def _measure(figure: Figure, *, short: bool) -> dict[str, Any]:
    command = [sys.executable, "-m", figure.program, figure.name.lower(), "--json", *(["--short"] if short else [])]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    lines = [line for line in out.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    if not lines:
        why = err.decode("utf-8", "replace").strip().splitlines()
        ended = why[-1] if why else _("exit code {code}").format(code=process.returncode)
        tell(_("{name} did not run: {why}").format(name=figure.name, why=ended))
        return {"name": figure.name, "ours": None, "floor": None, "ratio": None, "goal": None, "ok": False}
    row: dict[str, Any] = json.loads(lines[-1])
    return row | {"name": figure.name}


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    what = next(_(figure.what) for figure in FIGURES if figure.name == row["name"])
    numbers = [f"{row[key]:.4g}" if row[key] is not None else "–" for key in ("ours", "floor", "ratio", "goal")]
    return (row["name"], what, *numbers, _("ok") if row["ok"] else _("missed"))
