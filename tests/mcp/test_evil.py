"""Servers that hang, flood, lie and die (bad inputs C01–C22): each ends in a typed outcome, and the next one works."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.mcp import Hub, connection
from app.mcp.connection import GREETING_SECONDS, CallFailed, StartFailed
from app.mcp.facts import CannotRun
from app.mcp.results import envelope
from app.mcp.transport import processes
from tests.fakes import until
from tests.floor import TRIES, Beats, floor
from tests.mcp.conftest import EVIL, call, plan_of

WATCHDOG = 60
"""Seconds in which everything here comes to its end on the slowest machine."""


async def is_well(hub: Hub) -> bool:
    """A good server beside the bad one answers."""
    await hub.start(plan_of("good"))
    async with asyncio.timeout(WATCHDOG):
        return bool(envelope("good", await call(hub, plan_of("good"), text="hello")).data == "hello")


# ---------------------------------------------------------------- C01


async def test_C01_a_server_that_never_answers_is_given_up(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    assert GREETING_SECONDS * 2 < 10  # the promise; the test waits less
    await hub.start(plan_of("good"))
    monkeypatch.setattr(connection, "GREETING_SECONDS", 1.0)
    starting = asyncio.create_task(hub.start(plan_of("silent")))
    assert await is_well(hub)
    async with asyncio.timeout(WATCHDOG):
        with pytest.raises(StartFailed) as failed:
            await starting
    assert failed.value.code == "silent"
    assert hub.state("silent").phase == "failed"


async def test_C01_a_banner_and_other_words_on_stdout_are_passed_over(hub: Hub) -> None:
    assert envelope("banner", await call(hub, plan_of("banner"), text="hi")).data == "hi"


async def test_C01_a_server_that_leaves_at_once_says_so(hub: Hub) -> None:
    with pytest.raises(StartFailed, match="exit code 0") as failed:
        await hub.start(plan_of("exit"))
    assert failed.value.code == "ended"


def test_C01_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(CannotRun, match="no program no-such-program") as failed:
        plan_of(command="no-such-program")
    assert failed.value.code == "not_found"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no right to execute")
def test_C01_a_file_that_may_not_be_run_is_named(tmp_path: Path) -> None:
    file = tmp_path / "server"
    file.write_text("#!/bin/sh\n", "ascii")
    with pytest.raises(CannotRun) as failed:
        plan_of(command=str(file))
    assert failed.value.code == "not_executable"


# ---------------------------------------------------------------- C02


async def test_C02_answers_to_other_ids_and_second_answers_are_ignored(hub: Hub) -> None:
    for _ in range(3):
        assert envelope("x", await call(hub, plan_of("other_id"), text="a")).data == "once"


async def test_C02_no_answer_ends_at_the_time_limit_with_an_unknown_outcome(hub: Hub) -> None:
    with pytest.raises(CallFailed, match="no answer after 1 s") as failed:
        await call(hub, plan_of("no_answer", timeout=1), text="a")
    assert failed.value.code == "OUTCOME_UNKNOWN"
    assert hub.state("no-answer").phase == "running"


async def test_C02_an_answer_after_the_cancelling_harms_nothing(hub: Hub) -> None:
    plan = plan_of("late")
    await hub.start(plan)
    calling = asyncio.create_task(call(hub, plan, text="a"))
    await asyncio.sleep(0.2)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await asyncio.sleep(0.2)
    assert hub.state("late").phase == "running"
    assert await is_well(hub)


# ---------------------------------------------------------------- C03


@pytest.mark.parametrize(
    ("mode", "why"), [("long_line", "longer than 8 MB"), ("no_newline", "longer than 8 MB"), ("flood", "flood")]
)
async def test_C03_what_is_too_much_ends_the_server_and_no_other(hub: Hub, mode: str, why: str) -> None:
    await hub.start(plan_of("good"))
    with pytest.raises(CallFailed, match=why) as failed:
        await call(hub, plan_of(mode, timeout=WATCHDOG), text="a")
    assert failed.value.code == "OUTCOME_UNKNOWN"
    assert await is_well(hub)


async def test_C03_the_loop_goes_on_under_every_flood(hub: Hub) -> None:
    """A beat every 5 ms on the caller's loop; the largest gap is what a person would feel."""
    for mode in ("good", "flood", "dense", "long_line"):
        await hub.start(plan_of(mode, timeout=WATCHDOG))
    for attempt in range(1, TRIES + 1):
        limit = floor()
        async with Beats() as beats:
            ends = await asyncio.gather(
                *(call(hub, plan_of(mode, timeout=WATCHDOG), text="a") for mode in ("flood", "dense", "long_line")),
                return_exceptions=True,
            )
        assert all(isinstance(end, CallFailed) for end in ends)
        if beats.worked(0.95) <= 20 * limit and beats.worked() <= 60 * limit and max(beats.stood) <= 400:
            return
        assert attempt < TRIES, (beats.worked(0.95) / limit, beats.worked() / limit, max(beats.stood))


# ---------------------------------------------------------------- C04


async def test_C04_damaged_text_is_mended(hub: Hub) -> None:
    assert envelope("x", await call(hub, plan_of("bad_utf8"), text="a")).data == "a\ufffd\ufffdb"
    assert envelope("x", await call(hub, plan_of("surrogate"), text="a")).data == "a\ufffdb\u2400c"


@pytest.mark.parametrize("mode", ["deep", "dense"])
async def test_C04_an_answer_that_cannot_be_read_fails_at_once_and_the_server_stays(hub: Hub, mode: str) -> None:
    plan = plan_of(mode)
    async with asyncio.timeout(WATCHDOG):
        with pytest.raises(CallFailed) as failed:
            await call(hub, plan, text="a")
    assert failed.value.code == "DAMAGED"
    assert hub.state(mode).phase == "running"


# ---------------------------------------------------------------- C05 – C12: what it says of its tools


async def test_T19_C05_only_the_tool_with_a_bad_schema_is_left_out(hub: Hub) -> None:
    listing = await hub.start(plan_of("bad_schemas"))
    assert [tool.name for tool in listing.tools] == ["echo"]
    why = {left.name: left.why for left in listing.left_out}
    assert set(why) == {
        "null_schema", "text_schema", "large_schema", "deep_schema", "loop_schema", "far_schema", "number_schema",
        "infinite_schema", "?",
    }  # fmt: skip
    assert "never fetched" in why["far_schema"]
    assert "refers to itself" in why["loop_schema"]
    assert envelope("x", await call(hub, plan_of("bad_schemas"), text="still here")).data == "still here"


async def test_T14_C07_a_poisoned_description_is_shown_and_cut_for_the_model(hub: Hub) -> None:
    listing = await hub.start(plan_of("poison"))
    add, large = listing.tools
    assert "<IMPORTANT>" in add.description
    assert add.for_model("Evil").startswith('[tool of the MCP server "Evil"] <IMPORTANT>')
    assert large.description_length == 1_000_000
    assert len(large.for_model("Evil")) < 1_100


async def test_T14_C08_hidden_characters_do_not_reach_the_model(hub: Hub) -> None:
    listing = await hub.start(plan_of("hidden"))
    assert [tool.name for tool in listing.tools] == ["read"]
    assert listing.left_out[0].name == "re\u200bad"
    assert "\u202e" in listing.tools[0].description
    assert listing.tools[0].for_model("E").endswith("nice[31m <b>tool</b>")


async def test_T14_C09_names_are_checked_and_namespaced(hub: Hub) -> None:
    listing = await hub.start(plan_of("odd_names"))
    assert [tool.local_name("evil") for tool in listing.tools] == [
        "evil__write_file", "evil__echo", "evil__with_dot",
    ]  # fmt: skip
    assert len(listing.left_out) == 7


async def test_C11_another_list_of_tools_is_noticed_before_the_next_call(hub: Hub, changed: list[str]) -> None:
    plan = plan_of("rug")
    first = await hub.start(plan)
    assert envelope("x", await call(hub, plan, text="a")).data == "I am changing"
    with pytest.raises(CallFailed, match="not what was reviewed") as failed:
        await hub.call(plan, "echo", {"text": "b"}, first.tools[0].fingerprint)
    assert failed.value.code == "CHANGED"
    second = hub.state("rug").listing
    assert second is not None
    assert second.digest != first.digest


async def test_C11_a_storm_of_announcements_asks_once(hub: Hub, changed: list[str]) -> None:
    plan = plan_of("storm")
    assert envelope("x", await call(hub, plan, text="a")).data == "after the storm"
    assert changed.count("storm") < 10
    assert envelope("x", await call(hub, plan, text="a")).data == "after the storm"


async def test_C12_tools_and_pages_are_counted(hub: Hub) -> None:
    listing = await hub.start(plan_of("many"))
    assert len(listing.tools) == 128
    assert "128" in listing.left_out[-1].why
    endless = await hub.start(plan_of("endless_cursor"))
    assert len(endless.tools) == 20


# ---------------------------------------------------------------- C16, C17, C19


@pytest.mark.parametrize("kind", ["form", "url"])
async def test_C16_C17_a_server_that_asks_the_person_or_the_model_is_told_no(hub: Hub, kind: str) -> None:
    assert envelope("x", await call(hub, plan_of("elicit"), text=kind)).data == "refused"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("null", ""),
        ("unknown", "[content of an unknown kind: hologram]"),
        ("images", "[image: image/png, 3 bytes, not shown]"),
        ("base64", "[image: ?, 2 bytes, not shown]"),
        ("link", "[link: passwd file:///etc/passwd]"),
        ("empty", ""),
    ],
)
async def test_C19_odd_results_become_words(hub: Hub, kind: str, told: str) -> None:
    result = envelope("x", await call(hub, plan_of("odd_results"), text=kind))
    assert result.ok
    assert result.data.startswith(told)
    assert len(result.data) < 20_000


async def test_C19_a_tool_that_failed_is_a_failure(hub: Hub) -> None:
    result = envelope("x", await call(hub, plan_of("odd_results"), text="error"))
    assert not result.ok
    assert result.error is not None
    assert result.error.message == "no such city"


async def test_C19_a_result_that_is_none_is_damaged(hub: Hub) -> None:
    with pytest.raises(CallFailed) as failed:
        await call(hub, plan_of("odd_results"), text="list")
    assert failed.value.code == "DAMAGED"


# ---------------------------------------------------------------- C20, C21


@pytest.mark.skipif(sys.platform != "linux", reason="finding what left the tree needs /proc")
async def test_C20_nothing_of_a_stubborn_server_is_left_after_six_seconds(hub: Hub, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    assert processes.GRACE + 2 * processes.TERM_GRACE < 6
    plan = plan_of("stubborn", str(pids))
    await hub.start(plan)
    async with asyncio.timeout(WATCHDOG):
        await hub.stop("stubborn")
    assert await all_gone([int(pid) for pid in pids.read_text("ascii").split()])
    assert len(hub.log("stubborn")) <= 500


async def all_gone(pids: list[int]) -> bool:
    """A process that was killed needs a moment to be gone."""
    for _ in range(50 * WATCHDOG):
        if not any(map(is_alive, pids)):
            return True
        await asyncio.sleep(0.02)
    return False


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


async def test_C21_a_server_that_crashes_again_and_again_is_left_alone(hub: Hub) -> None:
    plan = plan_of("crash")
    for _ in range(3):
        with pytest.raises(StartFailed, match="configuration file is missing") as failed:
            await hub.start(plan)
        assert failed.value.code == "ended"
    with pytest.raises(StartFailed) as failed:
        await hub.start(plan)
    assert failed.value.code == "often"
    with pytest.raises(StartFailed) as failed:
        await hub.start(plan, by_hand=True)
    assert failed.value.code == "ended"


async def test_a_server_that_dies_in_a_call_says_why_and_is_started_again(hub: Hub) -> None:
    plan = plan_of("die")
    with pytest.raises(CallFailed, match=r"exit code 3\): segmentation fault") as failed:
        await call(hub, plan, text="a")
    assert failed.value.code == "OUTCOME_UNKNOWN"
    assert hub.state("die").phase == "failed"
    await hub.start(plan)
    assert hub.state("die").phase == "running"


# ---------------------------------------------------------------- C22 and secrets


async def test_C22_a_program_that_was_replaced_is_not_started(hub: Hub, tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_bytes(EVIL_SOURCE)
    plan = plan_of(id="mine", command=sys.executable, args=(str(script), "good"))
    await hub.start(plan)
    await hub.stop("mine")
    script.write_bytes(EVIL_SOURCE + b"\n# one byte more\n")
    with pytest.raises(StartFailed) as failed:
        await hub.start(plan)
    assert failed.value.code == "changed"


EVIL_SOURCE = Path(EVIL).read_bytes()


async def test_T16_a_server_gets_its_own_variables_and_none_of_ours(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(6):
        monkeypatch.setenv(f"SECRET_{n}", f"sk-canary-{n}")
    told = str(envelope("x", await call(hub, plan_of("environment", env={"MINE": "yes"}), text="a")).data)
    assert "canary" not in told
    assert "MINE" in told


async def test_offline_a_runner_is_told_to_fetch_nothing(hub: Hub) -> None:
    told = str(envelope("x", await call(hub, plan_of("environment", offline=True), text="a")).data)
    assert '"npm_config_offline": "true"' in told
    assert '"UV_OFFLINE": "1"' in told


async def test_a_secret_is_masked_in_the_log(hub: Hub) -> None:
    await call(hub, plan_of("say_secret", env={"TOKEN": "tok-canary-123"}), text="a")
    await until(lambda: any("using token" in line for line in hub.log("say-secret")))
    log = "\n".join(hub.log("say-secret"))
    assert "using token ••••" in log
    assert "canary" not in log


# ---------------------------------------------------------------- the end


async def test_closing_leaves_no_process(changed: list[str]) -> None:
    hub = Hub(on_change=changed.append)
    for mode in ("good", "banner", "rug"):
        await hub.start(plan_of(mode))
    pids = [hub.state(id).pid for id in ("good", "banner", "rug")]
    await hub.close()
    if sys.platform == "linux":
        assert await all_gone([pid for pid in pids if pid])
    await hub.close()
    await hub.start(plan_of("good"))  # a closed hub can begin again
    await hub.close()


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
async def test_opening_and_closing_again_and_again_leaves_no_file_open(changed: list[str]) -> None:
    def open_files() -> int:
        return sum(1 for _file in Path("/proc/self/fd").iterdir())

    counts: list[int] = []
    for _ in range(4):
        hub = Hub(on_change=changed.append)
        await asyncio.gather(*(hub.start(plan_of(mode)) for mode in ("good", "banner", "rug")))
        await hub.close()
        counts.append(open_files())
    assert counts[-1] <= counts[0]


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found by /proc")
async def test_servers_of_a_killed_program_are_ended_at_the_next_start(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    # With a mark of its own: any other test that starts a server on this machine would end these.
    mark = f"TRIPTYCH_MCP_{os.getpid()}"
    modules = ("app.mcp.transport.processes", "app.mcp.transport.stdio")
    for module in modules:
        monkeypatch.setattr(f"{module}.MARK", mark)
    body = (
        "import asyncio, os, signal, sys\nfrom app.mcp import Hub\nfrom tests.mcp.conftest import plan_of\n"
        f"import {', '.join(modules)}\n"
        + "".join(f"{module}.MARK = {mark!r}\n" for module in modules)
        + "async def main():\n    hub = Hub(on_change=lambda _id: None)\n"
        f"    await hub.start(plan_of('stubborn', {str(pids)!r}))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).parents[2]
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", body], cwd=root, check=False, timeout=60)
    left = [int(pid) for pid in pids.read_text("ascii").split()]
    assert any(is_alive(pid) for pid in left)
    await hub.start(plan_of("good"))
    assert await all_gone(left)


def test_the_sdk_is_not_imported_before_the_first_start() -> None:
    body = "import sys, app.mcp\nassert 'mcp' not in sys.modules and 'anyio' not in sys.modules, 'too early'"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", body], cwd=root, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
