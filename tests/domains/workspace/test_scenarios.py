"""F1 to F5 of the specification: whole runs over the composed program, with scripts and a person who answers."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.events import Approval, LoopEnd, RunEvent, SubRun, ToolReturned
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.domains.workspace.rig import tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")


class Play:
    """One session with its folder; each turn of a script is what the model says next."""

    def __init__(self, services: Services, place: Path) -> None:
        self.services, self.place = services, place
        self.root = place / "picked"
        self.root.mkdir()
        self.session = ""
        self.approvals: list[Approval] = []
        self.runs = 0

    async def begin(self, preset: str = "build") -> None:
        self.session = (await self.services.sessions.create("workspace")).id
        await self.services.workspace.pick(self.session, self.root)
        await self.services.workspace.set_preset(self.session, preset)

    async def say(
        self, *turns: dict[str, Any], answers: str = "once", options: RunOptions | None = None
    ) -> list[RunEvent]:
        """The events of a run; `answers` is what the person says to every question."""
        self.runs += 1
        script = self.place / f"script-{self.runs}.json"
        script.write_text(json.dumps({"turns": list(turns)}, ensure_ascii=False), encoding="utf-8")
        options = options or RunOptions(model=f"script/{script}")
        run = await self.services.chat.send(self.session, "please", "react", options=options)
        self.approvals, events = [], []
        async for line in run.events():
            events.append(line.event)
            if isinstance(line.event, Approval):
                self.approvals.append(line.event)
                run.approve(line.event.id, answers)
        await self.services.chat.recorded()
        return events


def calls(*listed: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": args} for name, args in listed]}


def outcomes(events: list[RunEvent]) -> list[tuple[str, str]]:
    """Each call that returned, with "ok" or the code of its error."""
    returned = [event for event in events if isinstance(event, ToolReturned)]
    return [(one.name, "ok" if one.ok else str((one.error or {}).get("code"))) for one in returned]


@pytest.fixture
def play(tmp_path: Path, services: Services) -> Play:
    return Play(services, tmp_path)


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    services = build(tmp_path / "data", {})
    await services.open()
    yield services
    await services.close()


async def test_f1_an_edit_asks_with_its_change_and_the_second_one_again(play: Play) -> None:
    (play.root / "a.md").write_bytes(b"# One\r\ntwo\r\n")
    (play.root / "b.txt").write_bytes(b"two\n")
    await play.begin()
    edit = ("edit_file", {"path": "a.md", "old": "two", "new": "zwei"})
    events = await play.say(calls(("read_file", {"path": "a.md"})), calls(edit), {"content": "done"})
    assert outcomes(events) == [("read_file", "ok"), ("edit_file", "ok")]
    assert (play.root / "a.md").read_bytes() == b"# One\r\nzwei\r\n"
    [approval] = play.approvals
    assert approval.preview is not None
    assert [(one["old"], one["new"]) for one in approval.preview["payload"]["hunks"]] == [("two", "zwei")]
    edit = ("edit_file", {"path": "a.md", "old": "zwei", "new": "drei"})
    events = await play.say(calls(("read_file", {"path": "a.md"})), calls(edit), {"content": "done"}, answers="deny")
    assert outcomes(events)[-1] == ("edit_file", "DENIED")
    await play.services.grants.add("workspace", "edit_file", "*.md")
    both = [("edit_file", {"path": path, "old": old, "new": "x"}) for path, old in (("a.md", "zwei"), ("b.txt", "two"))]
    reads = calls(("read_file", {"path": "a.md"}), ("read_file", {"path": "b.txt"}))
    events = await play.say(reads, calls(*both), {"content": "done"})
    assert [one.args["path"] for one in play.approvals] == ["b.txt"]
    assert (play.root / "a.md").read_bytes() == b"# One\r\nx\r\n"


async def test_f2_nothing_outside_is_reached_and_a_deny_beats_what_was_allowed_for_good(play: Play) -> None:
    secret = play.place / "secret.txt"
    secret.write_text("secret")
    (play.root / "link").symlink_to(secret)
    (play.root / ".env").write_text("KEY=1")
    await play.begin("auto")
    events = await play.say(
        calls(("read_file", {"path": "../secret.txt"}), ("read_file", {"path": "link"})),
        calls(("write_file", {"path": str(play.place / "new.txt"), "content": "x"})),
        calls(("read_file", {"path": ".env"})),
        {"content": "done"},
        answers="deny",
    )
    assert outcomes(events) == [
        ("read_file", "OUTSIDE"), ("read_file", "OUTSIDE"), ("write_file", "OUTSIDE"), ("read_file", "DENIED"),
    ]  # fmt: skip
    assert not (play.place / "new.txt").exists()
    assert [(one.args["path"], one.choices) for one in play.approvals][-1] == (".env", ("once", "deny"))
    await play.services.grants.add("workspace", "write_file", "*")
    await play.services.workspace.set_preset(play.session, "plan")
    events = await play.say(calls(("write_file", {"path": "new.txt", "content": "x"})), {"content": "done"})
    assert outcomes(events) == [("write_file", "DENIED")]
    assert play.approvals == []
    assert not (play.root / "new.txt").exists()


async def test_f3_a_stale_and_an_ambiguous_edit_are_mended_in_the_same_run(play: Play) -> None:
    (play.root / "a.txt").write_text("one\ntwo\none\n")
    await play.begin("auto")
    events = await play.say(
        calls(("edit_file", {"path": "a.txt", "old": "two", "new": "2"})),
        calls(("read_file", {"path": "a.txt"})),
        calls(("edit_file", {"path": "a.txt", "old": "one", "new": "1"})),
        calls(("edit_file", {"path": "a.txt", "old": "one\ntwo", "new": "1\n2"})),
        {"content": "done"},
    )
    assert [code for _name, code in outcomes(events)] == ["STALE", "ok", "AMBIGUOUS", "ok"]
    assert play.approvals == []
    assert (play.root / "a.txt").read_text() == "1\n2\none\n"


async def test_f4_a_helper_only_looks_and_has_no_helpers(play: Play) -> None:
    (play.root / "a.txt").write_text("needle\n")
    await play.begin("auto")
    play.services.settings.profile("explore")
    child = [
        calls(("grep", {"pattern": "needle"})),
        calls(("edit_file", {"path": "a.txt", "old": "needle", "new": "x"}), ("task", {"agent": "general"})),
        {"content": "it stands in a.txt"},
    ]  # fmt: skip
    inner = play.place / "child.json"
    inner.write_text(json.dumps({"turns": child}), encoding="utf-8")
    profile = play.services.settings.profile("explore").model_copy(update={"model": f"script/{inner}"})
    await play.services.settings.save_profile(profile)
    edit = ("edit_file", {"path": "a.txt", "old": "needle", "new": "pin"})
    events = await play.say(
        calls(("task", {"agent": "explore", "prompt": "where is the needle?"})),
        calls(("read_file", {"path": "a.txt"})), calls(edit), {"content": "done"},
    )  # fmt: skip
    assert [code for _name, code in outcomes(events)] == ["ok", "ok", "ok"]
    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert "it stands in a.txt" in returned.text
    assert "grep" not in returned.text
    [sub] = [event for event in events if isinstance(event, SubRun)]
    lines = [line async for line in await_events(play, sub.id)]
    assert [(one.name, (one.error or {}).get("code")) for one in lines if isinstance(one, ToolReturned)] == [
        ("grep", None), ("edit_file", "DENIED"), ("task", "DEPTH"),
    ]  # fmt: skip
    assert play.approvals == []
    assert (play.root / "a.txt").read_text() == "pin\n"
    # What a helper read in the folder is text of the folder in the next question too.
    edit = ("edit_file", {"path": "a.txt", "old": "pin", "new": "needle"})
    await play.say(calls(("read_file", {"path": "a.txt"})), calls(edit), {"content": "done"}, answers="deny")
    assert play.approvals == []
    assert (play.root / "a.txt").read_text() == "needle\n"


async def test_the_question_of_a_helper_names_it(play: Play) -> None:
    (play.root / "a.txt").write_text("one\n")
    await play.begin()
    inner = play.place / "child.json"
    edit = ("edit_file", {"path": "a.txt", "old": "one", "new": "two"})
    turns = [calls(("read_file", {"path": "a.txt"})), calls(edit), {"content": "done"}]
    inner.write_text(json.dumps({"turns": turns}), encoding="utf-8")
    profile = play.services.settings.profile("general").model_copy(update={"model": f"script/{inner}"})
    await play.services.settings.save_profile(profile)
    await play.say(calls(("task", {"agent": "general", "prompt": "change it"})), {"content": "done"})
    assert [(one.name, one.agent) for one in play.approvals] == [("edit_file", "general")]
    assert (play.root / "a.txt").read_text() == "two\n"


async def await_events(play: Play, run: str) -> AsyncIterator[RunEvent]:
    for line in await play.services.runs.events(run):
        yield line.event


async def test_f5_three_edits_a_move_and_the_bin_are_undone_by_the_button_of_the_summary(play: Play) -> None:
    for name in ("a.txt", "b.txt", "c.txt", "d.txt", "e.txt"):
        (play.root / name).write_text(f"{name}\n")
    before = tree(play.root)
    await play.begin("auto")
    reads = calls(*(("read_file", {"path": name}) for name in ("a.txt", "b.txt", "c.txt")))
    edits = calls(*(("edit_file", {"path": n, "old": n, "new": "x"}) for n in ("a.txt", "b.txt", "c.txt")))
    events = await play.say(
        reads,
        edits,
        calls(("move_path", {"from": "d.txt", "to": "sub/d.txt"}), ("trash_path", {"path": "e.txt"})),
        calls(("summarise_work", {"done": ["changed them"], "not_done": []})),
        {"content": "done"},
    )
    assert [one.name for one in play.approvals] == ["trash_path"]
    assert tree(play.root) != before
    end = events[-1]
    assert isinstance(end, LoopEnd)
    message = (await play.services.sessions.messages(play.session))[-1]
    summary = next(event for event in events if isinstance(event, ToolReturned) and event.name == "summarise_work")
    run = await play.services.chat.press(play.session, message.id, summary.id, "undo")
    async for line in run.events():
        if isinstance(line.event, Approval):
            run.approve(line.event.id, "once")
    await play.services.chat.recorded()
    assert tree(play.root) == before
