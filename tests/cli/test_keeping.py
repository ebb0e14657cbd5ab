"""Search, export, import, backups and comparisons on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import apsw
import pytest

from app.storage.stores.runs import RunStore
from tests.cli.conftest import Triptych
from tests.cli.test_run import script
from tests.fakes import call, says
from tests.rigs import damaged_rows
from tests.rigs.read_only import small_disk


@pytest.fixture
def session(triptych: Triptych) -> str:
    ref = script("s.json", call("calculator", expression="6*7"), says("四十二, of course"))
    return triptych("run", "--events", "--model", ref, "--mode", "react", "六乘七？").events()[0].session


def test_search_marks_what_was_found(triptych: Triptych, session: str) -> None:
    said = triptych("sessions", "search", "四十二")
    assert said.code == 0
    assert "[四十二], of course" in said.out
    (hit,) = [hit for hit in triptych("sessions", "search", "course", "--json").json if hit["kind"] == "message"]
    assert hit["session"] == session
    assert [hit["snippet"][a:b] for a, b in hit["ranges"]] == ["course"]
    assert triptych("sessions", "search", "四十二", "--until", "2001-01-01").out == ""
    assert triptych("sessions", "search", "x", "--since", "soon").code == 2


def test_a_skill_is_drafted_of_a_session_and_kept_when_wished(triptych: Triptych, session: str) -> None:
    shown = triptych("skills", "draft", session, "--name", "six-times-seven")
    assert shown.code == 0
    assert "name: six-times-seven" in shown.out
    assert '`calculator`, e.g. {"expression": "6*7"}' in shown.out
    assert "> 六乘七？" in shown.out
    assert "> 四十二, of course" in shown.out
    assert "six-times-seven" not in triptych("skills", "list").out
    assert triptych("skills", "draft", session, "--name", "six-times-seven", "--save").code == 0
    [kept] = [one for one in triptych("skills", "list", "--json").json if one["name"] == "six-times-seven"]
    assert (kept["origin"], kept["state"]) == ("own", "ready")
    assert triptych("skills", "draft", session, "--name", "six-times-seven", "--save").code == 2
    assert triptych("skills", "draft", session, "--name", "No Name", "--save").code == 2
    assert triptych("skills", "accept", "six-times-seven", kept["sha256"]).code == 0
    assert triptych("skills", "export", "six-times-seven", "six.zip").out.strip() == "six.zip"
    assert triptych("skills", "remove", "six-times-seven").code == 0
    assert "six-times-seven" not in triptych("skills", "list").out
    assert "six-times-seven" in triptych("skills", "import", "six.zip").out


def test_an_export_can_be_imported_elsewhere_and_is_known_here(triptych: Triptych, session: str) -> None:
    said = triptych("sessions", "export", session, "--out", "out.json")
    assert said.out.strip() == "out.json"
    assert "already here" in triptych("sessions", "import", "out.json").out
    assert triptych("--data-dir", "other", "sessions", "import", "out.json").code == 0
    printed = triptych("--data-dir", "other", "sessions", "export", session)
    assert printed.out == Path("out.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("format", ["md", "html"])
def test_switches_of_the_readable_formats(triptych: Triptych, session: str, format: str) -> None:
    whole = triptych("sessions", "export", session, "--format", format)
    assert "calculator" in whole.out
    assert "calculator" not in triptych("sessions", "export", session, "--format", format, "--no-tools").out


def test_a_bad_import_is_exit_code_2_with_a_sentence(triptych: Triptych) -> None:
    Path("x.json").write_text("{", encoding="utf-8")
    said = triptych("sessions", "import", "x.json")
    assert said.code == 2
    assert "not JSON" in said.err


def test_a_backup_is_made_listed_and_taken_back(triptych: Triptych, session: str) -> None:
    made = Path(triptych("sessions", "backup").out.strip())
    assert made.is_file()
    triptych("sessions", "rename", session, "another")
    listed = triptych("sessions", "backup", "--list", "--json").json
    assert listed[0]["name"] == made.stem
    said = triptych("sessions", "restore", "--backup", made.stem)
    assert said.code == 0
    assert "before-restore" in said.out
    assert triptych("sessions", "list", "--json").json[0]["title"] == "六乘七？"
    assert triptych("sessions", "restore").code == 2


def test_the_bin_gives_back(triptych: Triptych, session: str) -> None:
    triptych("sessions", "delete", session)
    assert triptych("sessions", "search", "四十二").out == ""
    assert triptych("sessions", "restore", session).code == 0
    assert triptych("sessions", "search", "四十二").out


def test_R18_T40_what_is_erased_for_good_is_in_no_file(triptych: Triptych, session: str) -> None:
    made = Path(triptych("sessions", "backup").out.strip())
    folder = made.parent.parent
    said = triptych("sessions", "delete", session, "--for-good")
    assert said.code == 0
    assert "backups may still hold it" in said.err
    assert b"of course" in made.read_bytes()
    assert triptych("sessions", "restore", "--backup", made.stem).code == 0
    triptych("sessions", "delete", session, "--for-good", "--backups-too")
    holding = [path for path in folder.rglob("*") if path.is_file() and b"of course" in path.read_bytes()]
    assert holding == []
    assert triptych("sessions", "restore", session).code == 2


def test_R06_a_damaged_database_is_exit_code_6_and_the_copy_is_named_and_taken_back(
    triptych: Triptych, session: str
) -> None:
    copy = triptych("sessions", "backup").out.strip()
    database = Path(copy).parent.parent / "sessions.db"
    database.write_bytes(b"nothing of a database" * 500)
    said = triptych("sessions", "list")
    assert said.code == 6
    assert copy in said.err
    back = triptych("sessions", "restore", "--backup", "latest")
    assert back.code == 0
    assert "damaged-" in back.out
    assert session in triptych("sessions", "list").out
    assert triptych("sessions", "verify").out.strip() == "no problems"


def test_verify_is_exit_code_6_for_one_changed_letter(triptych: Triptych, session: str) -> None:
    database = Path(triptych("sessions", "backup").out.strip()).parent.parent / "sessions.db"
    data = database.read_bytes()
    assert b"of course" in data
    database.write_bytes(data.replace(b"of course", b"of Course"))
    said = triptych("sessions", "verify")
    assert said.code == 6
    assert "is not what was written" in said.out
    assert "newest sound backup" in said.err


def test_R21_verify_repairs_what_the_log_proves(triptych: Triptych, session: str, tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "data" / "sessions.db"))
    connection.execute("UPDATE run SET state = 'failed', steps = steps + 7").fetchall()
    connection.close()
    assert triptych("sessions", "verify").code == 6
    repaired = triptych("sessions", "verify", "--repair")
    assert (repaired.code, repaired.out.splitlines()[-1]) == (0, "no problems")
    assert "is again what was written" in repaired.out
    assert "failed" not in triptych("runs", "list").out


def test_T39_a_database_is_not_imported(triptych: Triptych, session: str) -> None:
    shutil.copy(triptych("sessions", "backup").out.strip(), "copy.db")
    assert triptych("sessions", "import", "copy.db").code == 2


def test_R05_a_folder_that_cannot_be_written_is_read_and_exported(
    triptych: Triptych, session: str, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        shutil.copytree(tmp_path / "data", disk.place / "data")
        disk.lock()
        try:
            there = ("--data-dir", str(disk.place / "data"))
            for look in (("list",), ("search", "四十二"), ("show", session), ("export", session), ("verify",)):
                said = triptych(*there, "sessions", *look)
                assert said.code == 0, look
                assert session in said.out or "四十二" in said.out or look == ("verify",)
                assert "only read" in said.err
            run = triptych(*there, "runs", "list").out.splitlines()[1].split()[0]
            assert triptych(*there, "runs", "replay", run, "--speed", "100").events()
            said = triptych(*there, "sessions", "rename", session, "x")
            assert (said.code, "Traceback" in said.err) == (1, False)
        finally:
            disk.unlock()


def test_one_question_in_several_modes(triptych: Triptych) -> None:
    ref = script("two.json", says("forty-two"), repeat_last=True)
    said = triptych("compare", "--model", ref, "--modes", "direct,react", "--json", "6 × 7?")
    assert said.code == 0
    assert [(one["mode"], one["summary"]["answer"], one["summary"]["steps"]) for one in said.json] == [
        ("direct", "forty-two", 1),
        ("react", "forty-two", 1),
    ]
    table = triptych("compare", "--model", ref, "--modes", "react", "6 × 7?").out
    assert "forty-two" in table
    assert triptych("compare", "--model", ref, "--modes", "quick", "x").code == 2


def test_a_mode_that_fell_back_is_not_compared_as_if_it_had_worked(triptych: Triptych) -> None:
    ref = script("no_plan.json", says("I make no plan."), repeat_last=True)
    said = triptych("compare", "--model", ref, "--modes", "react,plan", "6 × 7?")
    assert said.code == 0
    rows = [line.split("  ")[0].strip() for line in said.out.splitlines()[1:3]]
    assert rows == ["react", "plan → react"]
    assert "plan: plan_fallback, another mode took over" in said.err
    react, plan = triptych("compare", "--model", ref, "--modes", "react,plan", "--json", "6 × 7?").json
    assert (react["summary"]["fallback"], plan["summary"]["fallback"]) == ("", "plan_fallback")
    moves = triptych("runs", "compare", react["run"], plan["run"]).out
    assert "fallback: react (plan_fallback)" in moves


def test_two_runs_side_by_side(triptych: Triptych, session: str) -> None:
    ref = script("b.json", call("calculator", expression="6*8"), says("forty-eight"))
    triptych("run", "--model", ref, "--mode", "react", "6 × 8")
    second, first = (line.split()[0] for line in triptych("runs", "list").out.splitlines()[1:3])
    said = triptych("runs", "compare", first, second)
    assert "first difference: move 1" in said.out
    assert '><call: calculator {"expression": "6*7"}' in said.out
    assert "the runs did the same" in triptych("runs", "compare", first, first).out
    assert json.loads(triptych("runs", "compare", first, second, "--json").out)["first_difference"] == 0
    assert triptych("runs", "compare", first, "nothing").code == 2


def test_M12_a_run_goes_once_more_from_a_step_and_what_came_before_is_kept(triptych: Triptych) -> None:
    ref = script("first.json", call("calculator", expression="6*7"), says("forty-two"))
    first = triptych("run", "--events", "--model", ref, "--mode", "react", "6 × 7?").events()[0]
    ref = script("second.json", says("42, and nothing was counted twice"))
    said = triptych("runs", "again", first.run, "--from-step", "2", "--model", ref, "--events")
    assert said.code == 0, said.err
    events = said.events()
    assert events[0].session == first.session
    assert [line.event.type for line in events].count("tool_start") <= 1
    assert events[-1].to_json()["answer"] == "42, and nothing was counted twice"
    compared = triptych("runs", "compare", first.run, events[0].run)
    assert "first difference" in compared.out
    assert triptych("runs", "again", first.run).code == 2
    assert triptych("runs", "again", first.run, "--from-step", "0").code == 2
    assert triptych("runs", "again", "nothing", "--from-step", "1").code == 2


def test_R21_a_value_no_program_wrote_does_not_hide_the_other_rows(triptych: Triptych, tmp_path: Path) -> None:
    ref = script("s.json", says("yes"))
    tables = ("session", "message", "body", "run", "event")
    edits = [one for one in damaged_rows.edits() if one[0] in tables][::25]
    sessions = [triptych("run", "--events", "--model", ref, "is it so?").events()[0].session for _ in edits]
    database = tmp_path / "data" / "sessions.db"
    for session, one in zip(sessions, edits, strict=True):
        damaged_rows.edit(database, *one, where=damaged_rows.of_session(one[0], session))
    for command in (
        ("sessions", "list", "--archived"), ("sessions", "list", "--archived", "--json"), ("runs", "list"),
        ("sessions", "search", "so"), ("sessions", "verify"),
    ):  # fmt: skip
        said = triptych(*command)
        assert said.code == (6 if "verify" in command else 0), (command, said.err)
        assert "Traceback" not in said.err
    assert {row["id"] for row in triptych("sessions", "list", "--archived", "--json").json} >= set(sessions[::2])
    for session, one in zip(sessions, edits, strict=True):
        for action in (("show", session), ("export", session, "--format", "md")):
            said = triptych("sessions", *action)
            assert said.code in (0, 6), (one, action, said.err)


def test_R10_data_of_a_newer_version_is_read_and_never_called_damaged(
    triptych: Triptych, session: str, tmp_path: Path
) -> None:
    connection = apsw.Connection(str(tmp_path / "data" / "sessions.db"))
    connection.pragma("user_version", 999)
    connection.close()
    for command in (("list",), ("show", session), ("search", "四十二"), ("export", session), ("verify",)):
        said = triptych("sessions", *command)
        assert said.code == 0, (command, said.err)
        assert "made by a newer version" in said.err
        assert "what is stored is only read" in said.err
    for writing in (("rename", session, "x"), ("delete", session), ("backup",)):
        said = triptych("sessions", *writing)
        assert said.code == 1, writing
        assert "made by a newer version" in said.err
        assert "damage" not in said.err + said.out


@pytest.mark.expects_log_errors("what nobody foresaw is in the log with its traceback")
def test_R06_what_nobody_foresaw_while_opening_is_exit_code_6_and_a_sentence(
    triptych: Triptych, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = triptych("sessions", "backup").out.strip()

    async def fails(_self: RunStore) -> list[str]:
        raise OverflowError("cannot convert float infinity to integer")

    monkeypatch.setattr(RunStore, "recover", fails)
    said = triptych("sessions", "list")
    assert said.code == 6
    assert "could not be opened: OverflowError" in said.err
    assert copy in said.err
    assert "Traceback" not in said.err
