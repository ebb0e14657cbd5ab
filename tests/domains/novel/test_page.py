"""The page of a book: texts read and written beside the chat, boards, and what a selected passage stands for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.errors import ToolError
from app.core.page import DRAFT
from app.core.tools.card_markdown import card_markdown
from app.domains.kit.folder.root import open_root
from app.domains.novel import DOMAIN
from app.domains.novel.model.project import Character, Foreshadow, Relationship, TimelineEvent, WorldNote
from app.domains.novel.slices import LONGEST
from app.domains.novel.store.versions import sha_of, versions_of
from tests.domains.novel.rig import Desk

assert DOMAIN.page is not None
PAGE = DOMAIN.page


def test_a_text_is_saved_with_versions_and_never_over_another_ones(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    old = "船靠了岸。\n雨停了。"
    assert PAGE.text(desk.root, "ch-0002", "zh_CN").text == old
    sha = PAGE.save(desk.root, "ch-0002", f"{old}风起。", sha_of(old), keeps=True)
    sha = PAGE.save(desk.root, "ch-0002", f"{old}风又起。", sha, keeps=False)
    chapter = desk.book().book.chapters[1]
    assert (chapter.text, chapter.title, chapter.summary) == (f"{old}风又起。", "承", "过江")
    with open_root(desk.root) as root:
        assert [one.text for one in versions_of(root, "ch-0002")] == [old], "the state before the first change"
    assert desk.book().changes == {}, "what the page writes is no change of others"

    file = desk.root / "chapters" / "ch-0002.md"
    file.write_text(file.read_text(encoding="utf-8").replace("风又起", "风停了"), encoding="utf-8")
    assert PAGE.sha(desk.root, "ch-0002") == sha_of(f"{old}风停了。")
    with pytest.raises(ToolError) as error:
        PAGE.save(desk.root, "ch-0002", f"{old}我的话。", sha, keeps=False)
    assert error.value.tool_code == "STALE"
    assert desk.book().book.chapters[1].text == f"{old}风停了。"
    with open_root(desk.root) as root:
        assert f"{old}我的话。" in [one.text for one in versions_of(root, "ch-0002")], "nothing typed is lost"


def test_a_chapter_too_long_for_the_editor_is_read_and_saved_in_slices(tmp_path: Path) -> None:
    """Every character is in one of them, each is saved exactly, and what others change in another one stays."""
    desk = Desk(tmp_path)
    whole = "".join(f"第{n}段，船在江上。\n" for n in range(15_000))
    with open_root(desk.root) as root:
        novel = desk.book()
        novel.save_chapter(root, replace(novel.book.chapters[0], text=whole))
    contents = PAGE.contents(desk.root, "zh_CN")
    assert contents is not None
    ids = [one.id for one in contents.entries if one.id.startswith("ch-0001")]
    assert ids[:2] == ["ch-0001", "ch-0001~2"]
    texts = [PAGE.text(desk.root, id, "zh_CN").text for id in ids]
    assert "".join(texts) == whole
    assert max(map(len, texts)) <= LONGEST
    assert all(text.endswith("\n") for text in texts), "cut between paragraphs"

    sha = PAGE.save(desk.root, ids[1], f"新的一段。\n{texts[1]}", sha_of(texts[1]), keeps=True)
    longer = f"新的一段，又长了。\n{texts[1]}"
    PAGE.save(desk.root, ids[1], longer, sha, keeps=False)
    PAGE.save(desk.root, ids[2], "", sha_of(texts[2]), keeps=False)
    expected = [texts[0], longer, "", *texts[3:]]
    assert desk.book().book.chapters[0].text == "".join(expected)
    assert [PAGE.text(desk.root, id, "zh_CN").text for id in ids] == expected, "the others have not moved"

    file = desk.root / "chapters" / "ch-0001.md"
    file.write_text(file.read_text(encoding="utf-8").replace("第3段，", "第三段，"), encoding="utf-8")
    PAGE.save(desk.root, ids[1], texts[1], sha_of(longer), keeps=False)
    assert desk.book().book.chapters[0].text == "".join([texts[0].replace("第3段，", "第三段，"), texts[1], *texts[3:]])
    with pytest.raises(ToolError) as error:
        PAGE.save(desk.root, ids[0], "我的话。", sha_of(texts[0]), keeps=False)
    assert error.value.tool_code == "STALE"
    quote = "第14990段，船在江上。"
    assert quote in PAGE.text(desk.root, PAGE.part(desk.root, "ch-0001", quote), "zh_CN").text
    call = PAGE.action(desk.root, "rewrite", ids[1], (0, 4), "短", "zh_CN")
    assert call.args["chapter_id"] == "ch-0001"
    assert texts[1].startswith(str(call.args["selection"])[:4])


def test_what_the_book_knows_of_its_words_and_what_others_changed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with open_root(desk.root) as root:
        novel = desk.book()
        novel.save_card(root, WorldNote("断剑", "item", "师父留下的剑"))
        novel.book.project.forbidden_terms = ["突然"]
        novel.save_project(root)
    contents = PAGE.contents(desk.root, "zh_CN")
    assert contents is not None
    terms = {one.name: (one.about, one.is_forbidden) for one in contents.terms}
    assert terms["突然"][1]
    assert "林舟 / 小林" in terms["小林"][0]
    assert "师父留下的剑" in terms["断剑"][0]
    assert [one.id for one in contents.entries] == ["ch-0001", "ch-0002", "ch-0003"]
    assert contents.newest == "ch-0002"
    assert contents.entries[1].count == 7
    assert "project.toml" in contents.remarks[0], "it was saved without the index: as another program does"
    assert PAGE.contents(tmp_path, "en") is None


def test_the_boards_say_where_the_book_stands(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with open_root(desk.root) as root:
        novel = desk.book()
        novel.book.foreshadows = [
            Foreshadow("玉佩", planted_in=1, expected_by=9), Foreshadow("断剑", planted_in=1, expected_by=1),
            Foreshadow("信", planted_in=1, expected_by=2), Foreshadow("灯", planted_in=1, status="paid"),
        ]  # fmt: skip
        novel.save_list(root, "foreshadows.toml")
        novel.book.timeline = [TimelineEvent("次日", 2, "靠岸"), TimelineEvent("入夜", 1, "出走")]
        novel.save_list(root, "timeline.toml")
        novel.save_card(root, Character("苏晚", relationships=[Relationship("小林", "师妹")]))
    board = PAGE.board(desk.root, "foreshadows", "", "en").payload
    assert [(one["group"], one["text"]) for one in board["items"]] == [
        ("Overdue", "断剑"), ("Due", "信"), ("Planted", "玉佩"), ("Paid", "灯"),
    ]  # fmt: skip
    assert board["items"][0]["passage"]["doc"] == "ch-0001"
    timeline = PAGE.board(desk.root, "timeline", "", "en").payload
    assert [one["items"][0]["title"] for one in timeline["groups"]] == ["出走", "靠岸"]
    people = PAGE.board(desk.root, "people", "", "en")
    assert people.payload["edges"] == [{"from": "苏晚", "to": "林舟", "label": "师妹"}]
    assert "苏晚 → 林舟 (师妹)" in card_markdown("graph", people.payload)
    found = PAGE.board(desk.root, "continuity", "", "en").payload["items"]
    assert found
    assert all(one["passage"]["doc"] for one in found)


def test_a_selected_passage_becomes_one_call_that_names_it_without_doubt(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    text = desk.book().book.chapters[0].text
    start = text.index("左手空着")
    action = PAGE.action(desk.root, "shorten", "ch-0001", (start, start + 4), "", "en")
    assert (action.tool, action.args["mode"]) == ("write_chapter", "rewrite_selection")
    assert text.count(action.args["selection"]) == 1, "it stands there twice: its paragraph is meant"
    assert "左手空着" in action.args["selection"]
    forbid = PAGE.action(desk.root, "forbid", "ch-0001", (0, 3), "", "en")
    assert forbid.args["data"] == {"forbidden_terms": ["他走了"]}
    for passage, wish in (((3, 3), "x"), ((0, 3), "")):
        with pytest.raises(ToolError):
            PAGE.action(desk.root, "rewrite", "ch-0001", passage, wish, "en")
    shares, room = PAGE.shares(desk.root, "ch-0003", "en")
    assert shares[0].label == "plan"
    assert sum(one.characters for one in shares) <= room


async def test_a_patch_and_a_draft_wait_as_the_card_of_the_open_text(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert PAGE.text(desk.root, "ch-0001", "en").draft == ""
    done = await desk.call("propose_patch", chapter_id="1", edits=[{"find": "右手", "replace": "左手"}])
    assert PAGE.text(desk.root, "ch-0001", "en").draft == "Draft"
    card = PAGE.board(desk.root, DRAFT, "ch-0001", "en")
    assert [one.tool for one in card.actions] == ["accept_version", "reject_version"]
    await desk.call("reject_version", chapter_id="1", version_id=done.data["version"])
    assert PAGE.text(desk.root, "ch-0001", "en").draft == ""
