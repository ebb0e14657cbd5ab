"""What a model claims to contradict itself counts only where two passages of the book show it."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from app.domains.kit.folder.root import open_root
from app.domains.novel.model.project import Chapter
from tests.domains.novel.studio import Studio, calls, outcomes
from tests.domains.novel.test_scenarios import result

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")
TEXT = "林舟不知道密道的事。他梦见自己走进密道。\n天黑了，林舟熟练地推开密道的门。\n苏晚把信烧了。"


def claim(earlier: str, later: str, before: str = "不知道", now: str = "知道", chapter: str = "ch-4") -> dict[str, Any]:
    return {
        "kind": "fact", "subject": "林舟", "attribute": "密道",
        "earlier": {"chapter": chapter, "quote": earlier, "value": before}, "later": {"quote": later, "value": now},
    }  # fmt: skip


async def test_a_claim_counts_where_both_quotes_stand_in_the_book_and_differ(studio: Studio) -> None:
    with open_root(studio.desk.root) as root:
        novel = studio.desk.book()
        novel.save_chapter(root, Chapter("ch-0004", "合", 4, 4, text=TEXT))
    good = claim("林舟不知道密道的事", "熟练地推开密道的门")
    claims = [
        good,
        claim("剑还在", "林舟熟练地", "在", "不在", chapter="ch-0002"),  # it stands in another chapter
        claim("林舟从未见过密道", "熟练地推开密道的门"),  # stands nowhere
        claim("林舟不知道密道的事", "他推开了密道"),  # stands nowhere
        claim("林舟不知道密道的事", "熟练地推开密道的门", "知道", " 知道"),  # no difference
        claim("他梦见自己走进密道", "熟练地推开密道的门"),  # a dream
        claim("苏晚把信烧了", "熟练地推开密道的门"),  # not earlier
        claim("林舟不知道密道的事", "林舟不知道密道的事"),  # the same words
        {"earlier": "?"},
    ]
    answer = {"content": f"好的：{json.dumps({'contradictions': claims}, ensure_ascii=False)}"}
    look = calls(("find_contradictions", {"chapter_id": "4"}))
    events = await studio.say(look, answer, {"content": "看卡片"})
    assert outcomes(events) == [("find_contradictions", "ok")]
    returned = result(events, "find_contradictions")
    assert '"dropped": 7' in returned.text
    assert returned.display is not None
    items = returned.display["payload"]["items"]
    assert sorted(one["passage"]["query"] for one in items) == ["林舟熟练地", "熟练地推开密道的门"]
    assert all(one["passage"]["doc"] == "ch-0004" for one in items)
    assert "不知道" in str(items)

    events = await studio.say(look, {"content": "没有。"}, {"content": "没有结果"})
    assert outcomes(events) == [("find_contradictions", "UPSTREAM")], "no list is not an empty list"
    assert outcomes(await studio.ask("第4章有没有前后矛盾"))[:1] != [("find_contradictions", "ok")]
