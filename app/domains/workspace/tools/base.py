"""What every tool of the workspace begins with: the folder, the journal of the run, texts of the approval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.core.workspace import FOLDER_SEAM, FolderSeam
from app.domains.kit.folder.names import is_secret
from app.domains.kit.folder.root import Root, open_root
from app.domains.kit.wording import N_, say_in

from ..model.journal import Journal

T = TypeVar("T")
FilePath = Annotated[
    str, Field(min_length=1, max_length=4_096, description="path inside the folder, with / between names"),
    Also("file", "filename", "file_path", "filepath"),
]  # fmt: skip
FolderPath = Annotated[
    str, Field(max_length=4_096, description="path inside the folder; . is the folder itself"),
    Also("folder", "dir", "directory"),
]  # fmt: skip


def folder_of(ctx: ToolContext) -> Path:
    """Raises ToolError NO_FOLDER."""
    if ctx.workspace is None:
        raise ToolError(
            "NO_FOLDER", ctx.say("no folder is picked for this session"),
            hint=ctx.say("the person picks one above the message field; a command names one with --folder"),
        )  # fmt: skip
    return ctx.workspace


def seam_of(ctx: ToolContext) -> FolderSeam:
    folder_of(ctx)
    seam = ctx.resources.get(FOLDER_SEAM)
    assert isinstance(seam, FolderSeam), "a folder comes with its seam"
    return seam


def journal_of(ctx: ToolContext, run: str = "") -> Journal:
    """Of the outermost run, or of the one named."""
    seam = seam_of(ctx)
    return Journal(seam.state, run or seam.run)


async def in_folder(ctx: ToolContext, work: Callable[[Root], T]) -> T:
    """`work` in a thread, with the folder open."""
    path = folder_of(ctx)

    def run() -> T:
        with open_root(path) as root:
            return work(root)

    return await detached.in_thread(run)


def names_secret(*names: str) -> Callable[[Mapping[str, Any]], bool]:
    """Whether one of these arguments names something that asks even for reading."""

    def asks(args: Mapping[str, Any]) -> bool:
        return any(is_secret(str(args.get(name) or "")) for name in names)

    return asks


def approval(words: str, *names: str) -> Callable[[Mapping[str, Any], str], str]:
    """The sentence of an approval: `words` marked for translation, with these arguments."""

    def say(args: Mapping[str, Any], language: str) -> str:
        return say_in(language, words, **{name: str(args.get(name) or ".")[:200] for name in names})

    return say


__all__ = [
    "N_",
    "FilePath",
    "FolderPath",
    "approval",
    "folder_of",
    "in_folder",
    "journal_of",
    "names_secret",
    "seam_of",
]
