"""Running a program in the folder: off unless the person switches it on, and asked every time."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.run.events import ToolText
from app.core.text.os_errors import os_words
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.root import Root
from app.domains.kit.wording import say_in

from ..model import commands
from .base import N_, FolderPath, folder_of, in_folder

LONGEST = 600
LIVE = 20_000
"""Characters of the output that are shown while it comes."""
_FENCE = "`" * 16
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)?|[()][A-Z0-9]|.)?"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x7f]"
)


def _line(argv: object) -> str:
    words = [str(word) for word in argv] if isinstance(argv, list) else []
    return shlex.join(words)


def _running(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Run {command}", command=_line(args.get("argv"))[:400])


async def _place(ctx: ToolContext, cwd: str) -> tuple[Path, Path]:
    """The folder and where in it the program starts."""

    def look(root: Root) -> tuple[Path, Path]:
        place = root.place(cwd)
        if place.kind != "folder":
            raise ToolError("NOT_A_FOLDER", N_("{path} is no folder"), values={"path": cwd[:120]})
        return root.path, root.path.joinpath(*place.names)

    return await in_folder(ctx, look)


async def _preview(ctx: ToolContext, args: dict[str, Any]) -> Card | None:
    """Exactly what would be run: every argument, where, in which environment, and what holds it."""
    root, place = await _place(ctx, str(args.get("cwd") or "."))
    rows = [(ctx.say("Argument {n}", n=n), word) for n, word in enumerate(args["argv"])]
    rows.append((ctx.say("Folder"), str(place)))
    rows += [(f"${name}", value) for name, value in commands.environment(root).items()]
    rows.append((ctx.say("Held by"), _held(ctx, await asyncio.to_thread(commands.sandbox))))
    items = [{"label": label, "value": value} for label, value in rows]
    return Card("key_values", {"title": _line(args["argv"])[:400], "items": items})


def _held(ctx: ToolContext, sandbox: str | None) -> str:
    if sandbox is not None:
        return ctx.say("bubblewrap: no network, only the folder can be written")
    return ctx.say("nothing: bubblewrap is not installed or may not be used here, so it may do all that you may")


@tool("exec", title=N_("Run a program"), approval_text=_running, preview=_preview, exclusive=True, timeout=LONGEST + 10,
      outside=True, example={"argv": ["python3", "-m", "pytest", "-q"]})  # fmt: skip
async def run_command(
    ctx: ToolContext,
    argv: Annotated[
        list[Annotated[str, Field(max_length=10_000)]],
        Field(min_length=1, max_length=200, description="program and arguments, one each; there is no shell"),
        Also("command", "args"),
    ],
    cwd: FolderPath = ".",
    timeout: Annotated[int, Field(ge=1, le=LONGEST, description="seconds")] = 60,  # noqa: ASYNC109 - of the program
) -> ToolResult:
    """Run a program in the folder and get its output. No shell: no pipes, no *, no variables. The person is asked each
    time. At the limit it is ended with everything it has started.
    """
    folder = folder_of(ctx)
    root, place = await _place(ctx, cwd)
    bwrap = await asyncio.to_thread(commands.sandbox)
    line = commands.sandboxed(argv, root, place, bwrap) if bwrap else list(argv)
    try:
        done = await commands.run(line, place, commands.environment(folder), timeout, LiveOutput(ctx).tell)
    except (OSError, ValueError) as error:
        why = os_words(error) if isinstance(error, OSError) else str(error)
        raise ToolError("FAILED", N_("{program} cannot be started: {why}"),
                        values={"program": argv[0][:120], "why": why}) from error  # fmt: skip
    if done.code is None:
        words = ctx.say("ended after {n} s, with all it had started", n=timeout)
    else:
        words = ctx.say("exit code {n}", n=done.code)
    data = {"rc": done.code, "out": done.output, "cut": done.cut, "timed_out": done.code is None, "held": bool(bwrap)}
    card = Card("document", {"title": f"{_line(argv)[:200]} · {words}", "markdown": _fenced(done.output)})
    return ToolResult.success(data, words, display=card, truncated=done.cut > 0)


class LiveOutput:
    """What a program writes, into the run while it writes: the beginning of it, the result has the end too."""

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx, self._left = ctx, LIVE
        self._held = [f"{_FENCE}text\n"]

    def tell(self, text: str) -> bool:
        """Whether more of it will be shown."""
        if self._ctx.tell is None or not self._ctx.call:
            return False
        text = _plain(text).replace(_FENCE, _FENCE[:3])
        if not text:
            return True
        self._held.append(text[: self._left])
        self._left -= len(text)
        if self._left <= 0:
            rest = self._ctx.say("it continues; the result shows the end")
            self._held.append(f"\n[… {rest} …]\n")
        self._ctx.tell(ToolText(0, self._ctx.call, "".join(self._held)))
        self._held.clear()
        return self._left > 0


def _plain(text: str) -> str:
    """Without colours and movements of a terminal; a line that is written over and over is several."""
    return _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")


def _fenced(output: str) -> str:
    output = _plain(output)
    fence = "```"
    while fence in output:
        fence += "`"
    return f"{fence}text\n{output[-20_000:]}\n{fence}"
