"""`triptych run`: one question, one run, on the terminal or as a stream of events."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Literal

from app.core.errors import BadInput
from app.core.run.events import SubRun, is_terminal
from app.core.run.events import Terminal as RunEnd
from app.core.run.mode import AUTO, PLAN
from app.core.run.outcome import outcome_of
from app.core.run.run_handle import RunHandle
from app.core.run.view import RunView, WaitItem
from app.core.text.i18n import _, language_of, using_language
from app.services.data.sessions import SessionService
from app.services.lifecycle import Lifecycle
from app.services.runs.asking import RunQuestions
from app.services.runs.chat import ChatService
from app.services.runs.run_options import RunOptions
from app.services.settings.settings import SettingsService
from app.services.tools.grants import GrantService
from app.services.tools.service import ToolService
from app.services.workspace.service import WorkspaceService

from .console.ending import stopped_by_signals
from .console.narration import Narration
from .console.output import json_line
from .console.steps import StepLines
from .console.style import Style
from .console.terminal import Terminal
from .console.typed import from_stdin

LONGEST_QUESTION = 2_000_000
TICK_SECONDS = 0.1


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("run", help=_("ask one question"))
    parser.add_argument("text", metavar="TEXT", help=_("the question; - reads it from standard input"))
    parser.add_argument("--agent", metavar="ID", dest="run_agent", default="", help=_("who answers"))
    parser.add_argument("--mode", default="", metavar="auto|direct|react|plan", help=_("else the agent's own"))
    parser.add_argument("--model", default="", metavar="REF", help=_("provider/model, offline/rules or script/FILE"))
    parser.add_argument(
        "--session", dest="run_session", default="new", metavar="ID|new", help=_("go on with this conversation")
    )
    parser.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help=_("a setting of the agent for this run"),
    )
    parser.add_argument("--approve", choices=("ask", "all", "none"), help=_("ask on a terminal, else none"))
    parser.add_argument("--folder", default="", metavar="DIR", help=_("the folder it may work in"))
    parser.add_argument(
        "--preset", default="", metavar="plan|build|auto", help=_("what it may do there: read, ask, change at once")
    )
    parser.add_argument("--plan-only", action="store_true", help=_("stop after the plan and print it"))
    parser.add_argument("--events", action="store_true", help=_("one JSON object per line"))
    parser.add_argument("--verbose", action="store_true", help=_("also the thinking, plan, arguments and all notes"))
    parser.set_defaults(handler=run)


async def run(
    args: argparse.Namespace,
    *,
    settings: SettingsService,
    chat: ChatService,
    sessions: SessionService,
    lifecycle: Lifecycle,
    workspace: WorkspaceService,
    tools: ToolService,
    grants: GrantService,
) -> int:
    await lifecycle.open()
    text = from_stdin(LONGEST_QUESTION) if args.text == "-" else args.text
    if not text.strip():
        raise BadInput("there is nothing to send", reason="NOTHING_TO_SEND")
    if args.plan_only:
        if args.mode not in ("", AUTO, PLAN):
            raise BadInput(_("--plan-only goes with --mode plan, not with {mode}").format(mode=args.mode))
        args.mode = PLAN
    on_terminal = sys.stdin.isatty() and args.text != "-"
    approve: Literal["ask", "all", "none"] = args.approve or ("ask" if on_terminal else "none")
    options = RunOptions(
        mode=args.mode,
        model=args.model,
        overrides=dict(map(override, args.overrides)),
        approve=approve,
        interactive=on_terminal and approve == "ask" and not args.events,
        plan_only=args.plan_only,
    )
    session = await _session(args, settings, chat, sessions)
    await _set_folder(args, session, sessions, settings, workspace)
    handle = await chat.send(session, text, options=options)
    with using_language(os.environ.get("TRIPTYCH_LANG") or language_of(text)):
        names = {profile.id: profile.title for profile in settings.profiles()}
        narration = Narration() if args.verbose or args.plan_only else StepLines(names)
        asking = RunQuestions(handle, Terminal(), grants, tools.rule_subject) if options.interactive else None
        code = await follow(handle, chat, None if args.events else narration, asking)
        if sys.stderr.isatty() and not args.events:
            words = _("go on with: triptych run --session {session} …").format(session=session)
            sys.stderr.write(f"  {Style(sys.stderr).paint(words, 'dim')}\n")
    return code


async def follow(
    handle: RunHandle, chat: ChatService, narration: Narration | StepLines | None, asking: RunQuestions | None
) -> int:
    """To the end of a run, as text or – without `narration` – as events; returns the exit code. Without `asking`
    nobody is asked.
    """
    with stopped_by_signals(handle.cancel):
        end = await (_events(handle, chat) if narration is None else _told(handle, narration, asking))
        await chat.recorded()
    return outcome_of(end).exit_code


async def _session(
    args: argparse.Namespace, settings: SettingsService, chat: ChatService, sessions: SessionService
) -> str:
    if args.run_session != "new":
        row = await sessions.row(args.run_session)
        if args.run_agent and args.run_agent != row.agent:
            settings.profile(args.run_agent)
            await sessions.update(row.id, agent=args.run_agent)
        return row.id
    # Everything that can be wrong is looked at before an empty session is left behind.
    profile = settings.profile(args.run_agent or settings.preferences.default_agent)
    await chat.check(profile.id, RunOptions(mode=args.mode, model=args.model, overrides=_all(args.overrides)))
    return (await sessions.create(profile.id)).id


async def _set_folder(
    args: argparse.Namespace,
    session: str,
    sessions: SessionService,
    settings: SettingsService,
    workspace: WorkspaceService,
) -> None:
    """Of this session, from now on."""
    profile = settings.profile((await sessions.row(session)).agent)
    known = [preset.id for preset in workspace.presets(profile)]
    if args.preset and args.preset not in known:
        words = _("{agent} has no preset {preset}; it has {known}")
        raise BadInput(words.format(agent=profile.id, preset=args.preset, known=", ".join(known) or "–"))
    if args.folder and not workspace.can_have(profile):
        raise BadInput(_("{agent} does not work in a folder").format(agent=profile.id))
    if args.folder:
        await workspace.pick(session, Path(args.folder))
    if args.preset:
        await workspace.set_preset(session, args.preset)


def _all(pairs: list[str]) -> dict[str, Any]:
    return dict(map(override, pairs))


def override(pair: str) -> tuple[str, Any]:
    """`max_steps=4` → a number; what is no JSON is a text."""
    name, equals, value = pair.partition("=")
    if not equals or not name:
        raise BadInput(_("--set wants KEY=VALUE, not {text}").format(text=repr(pair)))
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


async def _events(handle: RunHandle, chat: ChatService) -> RunEnd:
    """Every event of the run, and between them those of the runs inside it, which name it as their parent."""
    inside: list[asyncio.Task[RunEnd]] = []
    async for stamped in handle.events():
        if is_terminal(stamped.event):
            await asyncio.gather(*inside)
        json_line(stamped.to_json())
        if isinstance(stamped.event, SubRun) and (inner := chat.active.inner_run(stamped.event.id)) is not None:
            inside.append(asyncio.create_task(_events(inner, chat), name=f"print {inner.id}"))
    return await handle.result()


async def _told(handle: RunHandle, narration: Narration | StepLines, asking: RunQuestions | None) -> RunEnd:
    view = RunView()
    ticking = asyncio.create_task(_tick(narration), name="tick") if isinstance(narration, StepLines) else None
    try:
        async for stamped in handle.events():
            changes = view.apply(stamped.event, stamped.t)
            narration.show(view, changes)
            for what, item, _text in changes:
                if asking is not None and isinstance(item, WaitItem) and what == "added":
                    await _until_ended(asking.ask(view, item), handle)
    finally:
        if ticking is not None:
            ticking.cancel()
    return await handle.result()


async def _tick(narration: StepLines) -> None:
    while True:
        await asyncio.sleep(TICK_SECONDS)
        narration.tick()


async def _until_ended(hearing: Coroutine[Any, Any, None], handle: RunHandle) -> None:
    """Somebody may be asked: a run that ends meanwhile – by Ctrl+C – waits for no answer."""
    asked, ended = asyncio.ensure_future(hearing), asyncio.ensure_future(handle.result())
    await asyncio.wait((asked, ended), return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    if asked.done():
        asked.result()
    asked.cancel()
