"""A draft that is stopped in a step is a version with exactly that text, and goes on in that step (scenario D3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from app.domains.kit.folder.root import open_root
from app.domains.novel.model.project import Version
from app.domains.novel.planning.plan import ChapterPlan, ChapterStep
from app.domains.novel.store.folder import read_folder
from app.domains.novel.store.versions import accept, sha_of, version_of, write_version
from app.domains.novel.writing.context import ORDER, sections_of
from app.domains.novel.writing.prompts import request_of, rules_of
from app.domains.novel.writing.writer import StepRequest, write
from tests.domains.novel.rig import Desk

PLAN = ChapterPlan(
    "追",
    "ch-0003",
    900,
    [ChapterStep("一", "林舟追到渡口", 300), ChapterStep("二", "上船", 300), ChapterStep("三", "上岸", 300)],
)
NOW = "2026-11-23T08:00:00"


class Broken(Exception):
    pass


async def test_a_stopped_draft_is_kept_goes_on_and_becomes_the_chapter(tmp_path: Path) -> None:
    desk, asked = Desk(tmp_path), list[StepRequest]()
    scripts = [["第一步写完了。"], ["第二步写", "到一半"], ["，写完了。"], ["第三步。"]]

    async def ask(request: StepRequest) -> AsyncIterator[str]:
        asked.append(request)
        for piece in scripts[len(asked) - 1]:
            yield piece
        if len(asked) == 2:
            raise Broken

    with open_root(desk.root) as root:

        async def save(version: Version) -> None:
            write_version(root, version)

        draft = Version("d-1", "ch-0003", NOW, "agent", "", plan="plan-1", complete=False, base=sha_of(""))
        shown = ""
        with pytest.raises(Broken):
            async for piece in write(PLAN, draft, ask, save, lambda _n, _text: []):
                shown += piece
        partial = version_of(root, "ch-0003", "d-1")
        assert (partial.text, partial.complete, shown) == ("第一步写完了。\n第二步写到一半", False, partial.text)
        assert read_folder(root).book.chapters[2].text == ""
        async for piece in write(PLAN, partial, ask, save, lambda _n, _text: []):
            shown += piece
        whole = version_of(root, "ch-0003", "d-1")
        assert (whole.text, whole.complete, shown) == (
            "第一步写完了。\n第二步写到一半，写完了。\n第三步。",
            True,
            whole.text,
        )
        assert [(one.number, one.begun) for one in asked] == [(0, ""), (1, ""), (1, "第二步写到一半"), (2, "")]
        chapter = accept(root, read_folder(root), whole, NOW)
        assert (chapter.text, chapter.status) == (whole.text, "completed")


async def test_a_cancelled_draft_is_kept_too(tmp_path: Path) -> None:
    desk, begun = Desk(tmp_path), asyncio.Event()

    async def ask(_request: StepRequest) -> AsyncIterator[str]:
        yield "写了一点"
        begun.set()
        await asyncio.Event().wait()

    with open_root(desk.root) as root:

        async def save(version: Version) -> None:
            write_version(root, version)

        async def run() -> None:
            draft = Version("d-2", "ch-0003", NOW, "agent", "", complete=False)
            async for _piece in write(PLAN, draft, ask, save, lambda _n, _text: []):
                pass

        task = asyncio.create_task(run())
        await begun.wait()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert version_of(root, "ch-0003", "d-2").text == "写了一点"


def test_a_request_holds_what_matters_first_and_only_whom_the_step_names(tmp_path: Path) -> None:
    book = Desk(tmp_path).book().book
    chapter = book.chapters[2]
    sections = sections_of(book, chapter, PLAN, 0, "")
    assert [one.name for one in sections] == [name for name in ORDER if name in {one.name for one in sections}]
    texts = {one.name: one.text for one in sections}
    assert "林舟" in texts["characters"]
    assert "苏晚" not in texts["characters"]
    assert texts["last_text"] == "船靠了岸。\n雨停了。"
    assert texts["threads"] == "断剑"
    small = sections_of(book, chapter, PLAN, 0, "", budget=len(texts["step"]))
    assert [one.text for one in small if one.text] == [texts["step"]]
    text = request_of(StepRequest(0, sections, "写到", 200))
    assert text.index(texts["step"]) < text.index(texts["last_text"]) < text.index("写到")
    assert "Chinese" in rules_of(book.project)
