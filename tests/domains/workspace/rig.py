"""A folder with tools that work in it, as a run hands them to a model, and what a test compares."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.tools.tool import Tool, ToolContext, ToolResult, mend_call
from app.core.workspace import FOLDER_SEAM, FolderSeam, ReadVersions
from app.domains.workspace import TOOLS

BY_NAME: Mapping[str, Tool] = {one.name: one for one in TOOLS}


class Desk:
    """A picked folder and the data folder beside it."""

    def __init__(self, place: Path) -> None:
        self.root, self.state = place / "picked", place / "state"
        self.root.mkdir(parents=True)
        seam = FolderSeam(self.state, "run-1", ReadVersions())
        self.ctx = ToolContext(
            session="session-1", run="run-1", workspace=self.root.resolve(), resources={FOLDER_SEAM: seam}
        )

    def begin_run(self, id: str) -> None:
        seam = replace(self.ctx.resources[FOLDER_SEAM], run=id)
        self.ctx = replace(self.ctx, run=id, resources={FOLDER_SEAM: seam})

    async def call(self, name: str, **args: Any) -> ToolResult:
        """`from_` stands for `from`."""
        given = {"from" if key == "from_" else key: value for key, value in args.items()}
        one = BY_NAME[name]
        outcome = one.body(self.ctx, mend_call(one, given, date(2026, 11, 21)).args)
        result = await outcome if inspect.isawaitable(outcome) else outcome
        assert isinstance(result, ToolResult)
        return result

    async def code(self, name: str, **args: Any) -> str:
        """The code of the error, or "ok"."""
        try:
            await self.call(name, **args)
        except ToolError as error:
            return error.tool_code
        return "ok"


def tree(folder: Path) -> dict[str, str]:
    """Every path below with its content, or what it is."""
    found: dict[str, str] = {}
    for above, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(above) / name
            key = path.relative_to(folder).as_posix()
            if path.is_symlink():
                found[key] = f"-> {path.readlink()}"
            elif path.is_dir():
                found[key] = "folder"
            elif path.is_file():
                found[key] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
