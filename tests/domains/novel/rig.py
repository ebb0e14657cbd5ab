"""A picked folder with a book in it, and the tools as a run hands them to a model."""

from __future__ import annotations

import inspect
from datetime import date
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.tools.tool import Tool, ToolContext, ToolResult, mend_call
from app.domains.kit.folder.root import open_root
from app.domains.novel import TOOLS
from app.domains.novel.model.project import (
    Chapter,
    ChapterOutline,
    Character,
    CharacterState,
    Foreshadow,
    Project,
)  # fmt: skip
from app.domains.novel.store.folder import NovelFolder, create, read_folder

BY_NAME: dict[str, Tool] = {one.name: one for one in TOOLS}


class Desk:
    """The folder of the author, empty or with three chapters, the last of them still to be written."""

    def __init__(self, place: Path, *, with_book: bool = True) -> None:
        self.root = place / "book"
        self.root.mkdir(parents=True)
        self.ctx = ToolContext(session="session-1", run="run-1", workspace=self.root.resolve())
        if with_book:
            self._fill()

    def _fill(self) -> None:
        with open_root(self.root) as root:
            novel = create(root, Project("夜航", "某人", pov="third"))
            novel.save_chapter(
                root, Chapter("ch-0001", "起", 1, 1, text="他走了。\n右手的剑还在。左手空着。左手空着。")
            )
            novel.save_chapter(root, Chapter("ch-0002", "承", 2, 2, summary="过江", text="船靠了岸。\n雨停了。"))
            outline = ChapterOutline("追上去", ["林舟在渡口遇见苏晚", "船在江心漏水"])
            novel.save_chapter(root, Chapter("ch-0003", "转", 3, 3, word_count_goal=2000, outline=outline))
            novel.save_card(
                root, Character("林舟", ["小林"], role="主角", state_by_chapter=[CharacterState(2, "alive", "江边")])
            )
            novel.save_card(root, Character("苏晚"))
            novel.book.foreshadows = [Foreshadow("断剑", planted_in=1, expected_by=2)]
            novel.save_list(root, "foreshadows.toml")
            novel.save_index(root)

    def book(self) -> NovelFolder:
        with open_root(self.root) as root:
            return read_folder(root)

    async def call(self, name: str, /, **args: Any) -> ToolResult:
        one = BY_NAME[name]
        mended = mend_call(one, args, date(2026, 11, 23)).args
        assert one.check(mended) == [], (name, mended)
        outcome = one.body(self.ctx, mended)
        result = await outcome if inspect.isawaitable(outcome) else outcome
        assert isinstance(result, ToolResult)
        return result

    async def code(self, name: str, /, **args: Any) -> str:
        """The code of the error, or "ok"."""
        try:
            await self.call(name, **args)
        except ToolError as error:
            return error.tool_code
        return "ok"
