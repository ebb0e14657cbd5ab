"""What is allowed for good: it turns asking into allowing, ends by itself, and comes from nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import UnknownName
from app.core.resources import resource_dir
from app.core.run.events import Approval, LoopEnd, ToolReturned
from app.core.tools.tool import Tool, tool
from app.domains import BUILTIN
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from app.services.settings.settings import SettingsService
from app.services.tools.grants import LASTS, GrantService
from app.services.tools.service import permissions_of
from app.storage.config.grants import GrantFile
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from tests.fakes import FakeClock, call, of, says, scripted
from tests.services.test_models import FakeKeyring


def made(name: str = "fetch", *, origin: str = "", permission: str = "net") -> Tool:
    def subject(args: Mapping[str, Any]) -> str:
        return str(args.get("url", ""))

    @tool(permission, name=name, subject=subject)  # type: ignore[arg-type]
    async def body(url: str) -> str:
        """Gets a page."""
        return url

    return replace(body, origin=origin)


class Desk:
    """Grants on a folder, with a clock that is set by hand."""

    def __init__(self, folder: Path, keyring: FakeKeyring | None = None, tools: tuple[Tool, ...] = ()) -> None:
        (folder / "profiles").mkdir(parents=True, exist_ok=True)
        self.settings = SettingsService(
            SettingsFiles(folder), ProfileFiles(folder / "profiles"), resource_dir() / "profiles"
        )
        for domain in BUILTIN:
            self.settings.add_domain(domain)
        secrets = SecretStore(folder / "keys.json", find=lambda: keyring)
        self.path, self.time = folder / "grants.json", FakeClock(1_000_000.0)
        self.tools = {one.name: one for one in tools or (made(),)}
        file = GrantFile(self.path, folder / "grants.key", secrets)
        self.grants = GrantService(file, self.settings, self, clock=self.time)

    def named(self, name: str) -> Tool | None:
        return self.tools.get(name)

    def word(self, url: str, agent: str = "assistant", name: str = "fetch") -> str:
        profile = self.settings.profile(agent).model_copy(update={"tools": {"*": "ask"}})
        permissions = permissions_of(profile, self.grants.standing(agent))
        return permissions.decide(self.tools[name], {"url": url}).word


def kept_aside(folder: Path) -> list[Path]:
    return list(folder.glob("grants.damaged-*.json"))


async def open_desk(folder: Path, **more: Any) -> Desk:
    desk = Desk(folder, **more)
    await desk.grants.open()
    return desk


async def test_a_grant_covers_its_agent_its_tool_and_its_pattern(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path, tools=(made(), made("other")))
    await desk.grants.add("assistant", "fetch", "https://a.example/*")
    assert desk.word("https://a.example/x") == "allow"
    assert desk.word("https://b.example/x") == "ask"
    assert desk.word("https://a.example/x", agent="travel") == "ask"
    assert desk.word("https://a.example/x", name="other") == "ask"


async def test_a_deny_stays_a_deny_and_exec_asks_whatever_was_granted(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path, tools=(made("run", permission="exec"), made()))
    await desk.grants.add("assistant", "run", "*")
    await desk.grants.add("assistant", "fetch", "*")
    assert desk.word("x", name="run") == "ask"
    profile = desk.settings.profile("assistant").model_copy(update={"tools": {"*": "deny"}})
    permissions = permissions_of(profile, desk.grants.standing("assistant"))
    assert permissions.decide(desk.tools["fetch"], {"url": "x"}).word == "deny"


async def test_it_is_read_again_and_revoked_one_by_one_or_all(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path)
    for site in ("a", "b", "c"):
        desk.time.time += 1
        await desk.grants.add("assistant", "fetch", f"https://{site}/*")
    again = await open_desk(tmp_path)
    again.time.time = desk.time.time
    assert [grant.pattern for grant in again.grants.grants()] == ["https://c/*", "https://b/*", "https://a/*"]
    await again.grants.revoke(again.grants.grants()[0].id)
    assert again.word("https://c/x") == "ask"
    assert len((await open_desk(tmp_path)).grants.grants()) == 2
    await again.grants.revoke_all()
    assert not again.path.exists()
    assert (await open_desk(tmp_path)).grants.grants() == []


async def test_the_same_again_is_one_grant(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path)
    await desk.grants.add("assistant", "fetch", "*")
    await desk.grants.add("assistant", "fetch", "*")
    assert len(desk.grants.grants()) == 1


async def test_thirty_days_without_use_end_it_and_a_use_prolongs_it(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path)
    await desk.grants.add("assistant", "fetch", "*")
    desk.time.time += LASTS - 60
    assert desk.word("x") == "allow"
    await desk.grants.close()
    desk.time.time += LASTS - 60
    again = await open_desk(tmp_path)
    again.time.time = desk.time.time
    assert [grant.used for grant in again.grants.grants()] == [desk.time.time - LASTS + 60]
    assert again.word("x") == "allow"
    again.time.time += LASTS + 1
    assert again.word("x") == "ask"
    assert again.grants.grants() == []


@pytest.mark.parametrize("other", [replace(made(), description="another"), made(origin="another")])
async def test_T13_a_tool_that_is_not_what_it_was_asks_again(tmp_path: Path, other: Tool) -> None:
    desk = await open_desk(tmp_path)
    await desk.grants.add("assistant", "fetch", "*")
    desk.tools["fetch"] = other
    assert desk.word("x") == "ask"


@pytest.mark.parametrize("keyring", [None, FakeKeyring()])
async def test_S11_an_edited_file_grants_nothing_and_is_told(tmp_path: Path, keyring: FakeKeyring | None) -> None:
    desk = await open_desk(tmp_path, keyring=keyring)
    await desk.grants.add("assistant", "fetch", "https://a/*")
    assert (tmp_path / "grants.key").exists() is (keyring is None)
    body = json.loads(desk.path.read_text())
    body["grants"][0]["pattern"] = "*"
    desk.path.write_text(json.dumps(body))
    again = await open_desk(tmp_path, keyring=keyring)
    assert again.word("https://b/") == "ask"
    assert [notice.code for notice in again.settings.notices()] == ["grants_reset"]
    assert kept_aside(tmp_path)


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"grants": 7}', b"\xff\xfe", b'{"key":"file","grants":[]}'])
async def test_S11_a_damaged_file_is_no_grant(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "grants.json").write_bytes(damage)
    desk = await open_desk(tmp_path)
    assert desk.grants.grants() == []
    assert [notice.code for notice in desk.settings.notices()] == ["grants_reset"]


async def test_a_keyring_that_does_not_answer_means_asking_and_keeps_the_file(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    desk = await open_desk(tmp_path, keyring=keyring)
    await desk.grants.add("assistant", "fetch", "https://a/*")
    before = desk.path.read_bytes()
    locked = await open_desk(tmp_path)
    assert locked.word("https://a/x") == "ask"
    assert [notice.code for notice in locked.settings.notices()] == ["grants_locked"]
    await locked.grants.add("assistant", "fetch", "https://b/*")
    assert locked.word("https://b/x") == "allow"
    assert locked.path.read_bytes() == before
    assert (await open_desk(tmp_path, keyring=keyring)).word("https://a/x") == "allow"


async def test_an_agent_that_goes_takes_its_grants_along_and_a_copy_gets_none(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path)
    copy = await desk.settings.duplicate_profile("assistant")
    await desk.grants.add(copy.id, "fetch", "*")
    second = await desk.settings.duplicate_profile(copy.id)
    assert desk.word("x", agent=second.id) == "ask"
    await desk.settings.delete_profile(copy.id)
    assert desk.grants.grants() == []
    await desk.grants.close()
    assert (await open_desk(tmp_path)).grants.grants() == []


async def test_an_unknown_tool_cannot_be_granted(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path)
    with pytest.raises(UnknownName):
        await desk.grants.add("assistant", "nothing", "*")


async def test_in_a_run_the_granted_call_does_not_ask(services: Services, answers: Callable[[Any], None]) -> None:
    """The real gate, in a run in which somebody could be asked."""
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"tools": {"calculator": "ask"}}))
    session = await services.sessions.create("assistant")

    async def asks() -> bool:
        answers(scripted(call("calculator", expression="6*7"), says("42")))
        run = await services.chat.send(session.id, "6*7?", options=RunOptions(mode="react"))
        asked = False
        async for stamped in run.events():
            if isinstance(stamped.event, Approval):
                asked = True
                run.approve(stamped.event.id, "once")
        await services.chat.recorded()
        lines = await services.runs.events(run.id)
        assert [result.ok for result in of(lines, ToolReturned)] == [True]
        assert isinstance(lines[-1].event, LoopEnd)
        return asked

    assert await asks()
    subject = services.tools.rule_subject("calculator", {"expression": "6*7"})
    await services.grants.add("assistant", "calculator", str(subject))
    assert not await asks()
    assert services.grants.grants()[0].used > 0
    await services.grants.revoke_all()
    assert await asks()


async def test_what_is_allowed_for_a_run_is_told_and_can_be_taken_back(
    services: Services, answers: Callable[[Any], None]
) -> None:
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"tools": {"calculator": "ask"}}))
    session = await services.sessions.create("assistant")
    answers(scripted(call("calculator", expression="1+1"), call("calculator", expression="2+2"), says("done")))
    run = await services.chat.send(session.id, "sums", options=RunOptions(mode="react"))
    asked = 0
    async for stamped in run.events():
        if isinstance(stamped.event, Approval):
            asked += 1
            run.approve(stamped.event.id, "run")
        elif isinstance(stamped.event, ToolReturned) and asked == 1:
            (grant,) = services.chat.active.run_grants()
            assert (grant.agent, grant.tool, grant.pattern) == ("assistant", "calculator", "*")
            grant.revoke()
            assert services.chat.active.run_grants() == []
    assert asked == 2
    await services.chat.recorded()
    assert services.chat.active.run_grants() == []
