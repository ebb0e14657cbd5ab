"""`triptych run`: one question, one run, on the terminal or as a stream of events."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from contextlib import suppress
from typing import Any, Literal

from app.core.errors import BadInput
from app.core.events import (
    BudgetLevel,
    Compacted,
    LoopEnd,
    LoopError,
    ModeSelected,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Retry,
    RoundStart,
    RoundVerdict,
    RunEvent,
    RunHandle,
    Steered,
    SubRun,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    is_terminal,
)
from app.core.mode import AUTO, PLAN
from app.core.outcome import outcome_of
from app.core.price import money_text
from app.services.all import Services
from app.services.chat import RunOptions

from .output import json_line, tell
from .terminal import Terminal

LONGEST_QUESTION = 2_000_000


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("run", help="ask one question")
    parser.add_argument("text", metavar="TEXT", help="the question; - reads it from standard input")
    parser.add_argument("--agent", metavar="ID", dest="run_agent", default="")
    parser.add_argument("--mode", default="", metavar="auto|direct|react|plan")
    parser.add_argument("--model", default="", metavar="REF", help="provider/model, offline/rules or script/FILE")
    parser.add_argument("--session", dest="run_session", default="new", metavar="ID|new")
    parser.add_argument("--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--approve", choices=("ask", "all", "none"), help="ask on a terminal, else none")
    parser.add_argument("--plan-only", action="store_true", help="stop after the plan and print it")
    parser.add_argument("--events", action="store_true", help="one JSON object per line")
    parser.set_defaults(handler=run)


async def run(args: argparse.Namespace, services: Services) -> int:
    await services.open()
    text = sys.stdin.read(LONGEST_QUESTION) if args.text == "-" else args.text
    if not text.strip():
        raise BadInput("there is nothing to send")
    if args.plan_only and args.mode in ("", AUTO):
        args.mode = PLAN
    on_terminal = sys.stdin.isatty() and args.text != "-"
    approve: Literal["ask", "all", "none"] = args.approve or ("ask" if on_terminal else "none")
    options = RunOptions(
        mode=args.mode,
        model=args.model,
        overrides=dict(map(_override, args.overrides)),
        approve=approve,
        interactive=on_terminal and approve == "ask" and not args.events,
        plan_only=args.plan_only,
    )
    session = await _session(args, services)
    handle = await services.chat.send(session, text, options=options)
    return await follow(handle, services, as_events=args.events, interactive=options.interactive)


async def follow(handle: RunHandle, services: Services, *, as_events: bool, interactive: bool) -> int:
    """To the end of a run, as text or as events; returns the exit code."""
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, handle.cancel)
    end = await (_events(handle, services) if as_events else _plain(handle, interactive=interactive))
    await services.chat.recorded()
    return outcome_of(end).exit_code


async def _session(args: argparse.Namespace, services: Services) -> str:
    if args.run_session != "new":
        row = await services.sessions.row(args.run_session)
        if args.run_agent and args.run_agent != row.agent:
            services.settings.profile(args.run_agent)
            await services.sessions.update(row.id, agent=args.run_agent)
        return row.id
    # Everything that can be wrong is looked at before an empty session is left behind.
    profile = services.settings.profile(args.run_agent or services.settings.preferences.default_agent)
    await services.chat.check(profile.id, RunOptions(mode=args.mode, model=args.model, overrides=_all(args.overrides)))
    return (await services.sessions.create(profile.id)).id


def _all(pairs: list[str]) -> dict[str, Any]:
    return dict(map(_override, pairs))


def _override(pair: str) -> tuple[str, Any]:
    """`max_steps=4` → a number; what is no JSON is a text."""
    name, equals, value = pair.partition("=")
    if not equals or not name:
        raise BadInput(f"--set wants KEY=VALUE, not {pair!r}")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


async def _events(handle: RunHandle, services: Services) -> LoopEnd | LoopError:
    """Every event of the run, and between them those of the runs inside it, which name it as their parent."""
    inside: list[asyncio.Task[LoopEnd | LoopError]] = []
    async for stamped in handle.events():
        if is_terminal(stamped.event):
            await asyncio.gather(*inside)
        json_line(stamped.to_json())
        if isinstance(stamped.event, SubRun) and (inner := services.chat.inner_run(stamped.event.id)) is not None:
            inside.append(asyncio.create_task(_events(inner, services), name=f"print {inner.id}"))
    return await handle.result()


async def _plain(handle: RunHandle, *, interactive: bool) -> LoopEnd | LoopError:
    """The visible text to stdout as it comes; thinking and progress to stderr."""
    printed = ""
    terminal = Terminal(handle)
    async for stamped in handle.events():
        event = stamped.event
        if isinstance(event, Token):
            printed += event.text
            sys.stdout.write(event.text)
            sys.stdout.flush()
            continue
        _progress(event)
        if interactive:
            await terminal.hear(event)
    end = await handle.result()
    if isinstance(end, LoopEnd) and end.answer and not printed.endswith(end.answer):
        sys.stdout.write(end.answer)
        printed = end.answer
    if printed and not printed.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()
    _closing(end)
    return end


def _closing(end: LoopEnd | LoopError) -> None:
    if isinstance(end, LoopError):
        tell(f"triptych: {end.error.code}: {end.error.message}")
        if end.error.hint:
            tell(f"  {end.error.hint}")
        if end.money:
            tell(f"[{money_text(end.money)}]")
        return
    tokens = f"{end.usage.input}+{end.usage.output} tokens" + ("" if end.usage.exact else " (estimated)")
    tokens += f" · {money_text(end.money)}" if end.money else ""
    tell(f"[{end.stop_reason} · {end.steps} steps · {len(end.tools)} tools · {tokens} · {end.seconds:.1f} s]")


def _progress(event: RunEvent) -> None:
    match event:
        case Thinking(_step, text):
            sys.stderr.write(text)
            sys.stderr.flush()
        case ModeSelected(mode, reason, matched):
            tell(f"[mode {mode}: {reason}{' – ' + ', '.join(matched) if matched else ''}]")
        case PhaseStart(phase, title):
            tell(f"\n[{phase}{': ' + title if title else ''}]")
        case PlanMade(goal, steps, _version):
            tell(f"[plan: {goal}]")
            for step in steps:
                tell(f"  {step.step}. {step.description} ({step.action})")
        case PlanStepChanged(step, status, error):
            if status != "running":
                tell(f"[step {step} {status}{': ' + error if error else ''}]")
        case RoundStart(round, limit):
            tell(f"\n[reflection {round}/{limit}]")
        case RoundVerdict(_round, verdict, missing):
            tell(f"[{verdict}{': ' + missing if missing else ''}]")
        case ToolCalled():
            tell(f"[{event.name} {json.dumps(dict(event.args), ensure_ascii=False)}]")
        case ToolReturned():
            tell(
                f"[{event.name} {event.status}, {event.ms} ms] {event.summary.splitlines()[0] if event.summary else ''}"
            )
        case Notice(code, text):
            tell(f"[notice {code}: {text}]")
        case Retry(attempt, wait, code):
            tell(f"[retry {attempt} in {wait:g} s: {code}]")
        case Compacted(before, after):
            tell(f"[shortened for the model: {before} → {after} characters]")
        case SubRun(_id, agent):
            tell(f"[asks {agent}]")
        case Steered(_step, text):
            tell(f"[you, meanwhile: {text}]")
        case BudgetLevel(kind, used, limit, level, scope):
            whose = "" if scope == "run" else f" of the {scope}"
            tell(f"[budget{whose}, {kind}: {used:.10g} of {limit:.10g}, {level}]")
        case _:
            pass
