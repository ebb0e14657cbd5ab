"""The author's folder: what is written there, what others change there, and what a break-off leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import ToolError
from app.domains.kit.folder.root import Root, open_root
from app.domains.novel.model.project import (
    Chapter,
    ChapterOutline,
    Character,
    CharacterState,
    Foreshadow,
    Project,
    StoryFact,
    TimelineEvent,
    Version,
    WorldNote,
)  # fmt: skip
from app.domains.novel.store.folder import create, read_folder
from app.domains.novel.store.versions import accept, sha_of, version_of, versions_of, write_version

NOW = "2026-11-23T08:00:00"


def fill(root: Root) -> None:
    novel = create(root, Project("夜航", "某人", tags=["武侠"], synopsis="一\n二", pov="third"))
    novel.save_chapter(
        root, Chapter("ch-0001", "起", 1, 1, outline=ChapterOutline("相遇", ["敲门"]), text="他走了。\n\n雨停了。\n")
    )
    novel.save_chapter(root, Chapter("ch-0002", "承", 2, 2, volume="卷一", text="+++\n不是头。"))
    novel.save_card(root, Character("林舟", ["小林"], state_by_chapter=[CharacterState(2, "dead", "江边", ["落水"])]))
    novel.save_card(root, WorldNote("玉佩", "item", "碎过"))
    novel.book.facts = [StoryFact("林舟", "年龄", "十九", 1, chapter="ch-0001", quote="他走了。")]
    novel.book.foreshadows = [Foreshadow("断剑", "物", 1, 4)]
    novel.book.timeline = [TimelineEvent("三月初一", 1, "敲门")]
    for path in ("facts.toml", "foreshadows.toml", "timeline.toml"):
        novel.save_list(root, path)
    novel.save_index(root)


def test_a_book_is_read_as_it_was_written_with_or_without_its_index(tmp_path: Path) -> None:
    with open_root(tmp_path) as root:
        fill(root)
        first = read_folder(root)
        assert (first.changes, first.faults) == ({}, [])
        assert [(one.title, one.volume, one.text) for one in first.book.chapters] == [
            ("起", "", "他走了。\n\n雨停了。\n"), ("承", "卷一", "+++\n不是头。"),
        ]  # fmt: skip
        assert first.book.character("小林") == Character(
            "林舟", ["小林"], state_by_chapter=[CharacterState(2, "dead", "江边", ["落水"])]
        )
        (tmp_path / ".novel" / "index.json").unlink()
        assert read_folder(root).book == first.book
        (tmp_path / ".novel" / "index.json").write_text("damaged", "utf-8")
        assert read_folder(root).book == first.book


def test_what_others_change_is_read_again_and_said_and_never_written_over(tmp_path: Path) -> None:
    with open_root(tmp_path) as root:
        fill(root)
        stale = read_folder(root)
        chapter = tmp_path / "chapters" / "ch-0001.md"
        chapter.write_bytes(chapter.read_bytes().replace("雨停了".encode(), "雪停了".encode()).replace(b"\n", b"\r\n"))
        (tmp_path / "chapters" / "ch-0003.md").write_text("没有头的一章。", "utf-8")
        (tmp_path / "characters" / "坏.toml").write_text("name = [", "utf-8")
        project = tmp_path / "project.toml"
        project.write_text("# mine\nmood = 'dark'\n" + project.read_text("utf-8"), "utf-8")
        with pytest.raises(ToolError) as refused:
            stale.save_chapter(root, Chapter("ch-0001", "起", 1, 1, text="另写的。"))
        assert refused.value.tool_code == "STALE"
        novel = read_folder(root)
        assert novel.changes == {
            "chapters/ch-0001.md": "changed", "chapters/ch-0003.md": "added", "characters/坏.toml": "added",
            "project.toml": "changed",
        }  # fmt: skip
        assert [path for path, _why in novel.faults] == ["characters/坏.toml"]
        assert [one.text for one in novel.book.chapters][::2] == ["他走了。\n\n雪停了。\n", "没有头的一章。"]
        novel.book.project.genre = "武侠"
        novel.save_project(root)
        novel.save_chapter(root, Chapter("ch-0001", "起风", 1, 1, text="他走了。"))
        text = project.read_text("utf-8")
        assert text.startswith("# mine\nmood = 'dark'\n")
        assert 'genre = "武侠"' in text
        assert b"\r\n" in chapter.read_bytes()
        assert "起风".encode() in chapter.read_bytes()


def test_two_accepts_make_one_version_and_what_a_chapter_was_stays(tmp_path: Path) -> None:
    with open_root(tmp_path) as root:
        fill(root)
        novel = read_folder(root)
        old = novel.book.chapters[0].text
        draft = Version("d-1", "ch-0001", NOW, "agent", "新的一章。", base=sha_of(old), complete=False)
        for text in ("新", "新的一", "新的一章。"):
            draft.text = text
            write_version(root, draft)
        assert (version_of(root, "ch-0001", "d-1").text, version_of(root, "ch-0001", "d-1").complete) == (
            "新的一章。",
            False,
        )
        assert read_folder(root).book.chapters[0].text == old
        accept(root, novel, version_of(root, "ch-0001", "d-1"), NOW)
        chapter = accept(root, novel, version_of(root, "ch-0001", "d-1"), NOW)
        assert (chapter.text, chapter.status) == ("新的一章。", "in-progress")
        assert [(one.text, one.accepted) for one in versions_of(root, "ch-0001")] == [("新的一章。", True), (old, True)]
        with pytest.raises(ToolError) as refused:
            accept(root, novel, Version("d-2", "ch-0001", NOW, "agent", "又一", base=sha_of(old)), NOW)
        assert refused.value.tool_code == "CONFLICT"
        with pytest.raises(ToolError):
            version_of(root, "ch-0001", "../ch-0002")
