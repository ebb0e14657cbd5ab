"""make.py and building/: what they decide, with the machine replaced at its edge (programs, displays, files)."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
from packaging.specifiers import SpecifierSet

import make
from building import bundle, checks, environment, interpreter, launch, lock, system
from building.console import BuildError, ask, call
from building.places import DEV_LOCK, LOCK, REPO, python


class Machine:
    """Stands for the programs `ask` and `call` would start: answers by a part of the command line, and remembers."""

    def __init__(self, **answers: tuple[int, str]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def ask(self, command: Sequence[str | Path], **_: object) -> tuple[int, str]:
        line = " ".join(str(part) for part in command)
        self.asked.append(line)
        for part, answer in self.answers.items():
            if part in line:
                return answer
        return 127, "no such program"

    def call(self, command: Sequence[str | Path], **kwargs: object) -> int:
        return self.ask(command, **kwargs)[0]

    def was_asked(self, part: str) -> bool:
        return any(part in line for line in self.asked)


# ------------------------------------------------------------------------------------------------- make.py


def test_help_names_every_target_that_works_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert make.main([]) == 0
    told = capsys.readouterr().out
    for name in set(make.TARGETS) - {"screenshots"}:
        assert f"make {name} " in told


def test_an_unknown_target_is_said_and_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert make.main(["fly"]) == 2
    assert "'fly'" in capsys.readouterr().err


def test_a_failure_is_one_sentence_and_exit_code_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: list[str]) -> int:
        raise BuildError("the disk is full.")

    monkeypatch.setitem(make.TARGETS, "run", ("", fail))
    assert make.main(["run"]) == 1
    assert capsys.readouterr().err == "make run: the disk is full.\n"


def test_the_makefile_knows_every_target() -> None:
    rules = (REPO / "Makefile").read_text("utf-8")
    targets = next(line for line in rules.splitlines() if line.startswith("run test"))
    assert set(targets.rstrip(":").split()) == {*make.TARGETS, "help"}


def test_an_old_python_can_read_the_build_tools() -> None:
    """So that it can look for a newer one instead of dying of a syntax error."""
    for file in [REPO / "make.py", *sorted((REPO / "building").glob("*.py"))]:
        ast.parse(file.read_text("utf-8"), feature_version=(3, 7))


def test_the_build_tools_import_nothing_that_must_be_installed_first() -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import make; print('\\n'.join(sys.modules))"
    code_, loaded = ask([sys.executable, "-I", "-S", "-c", code, str(REPO)])
    assert code_ == 0, loaded
    rooms = {name.partition(".")[0] for name in loaded.splitlines()}
    assert rooms - set(sys.stdlib_module_names) - {"__main__", "__mp_main__"} == {"make", "building"}


def test_the_server_runs_what_the_desk_runs() -> None:
    script = REPO / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text("utf-8").splitlines()[-1] == "exec make test"


# --------------------------------------------------------------------------------------------- interpreter


@pytest.mark.parametrize(
    ("version", "fits"), [((3, 10), False), ((3, 11), True), ((3, 12), True), ((3, 14), True), ((3, 15), False)]
)
def test_supported_pythons(version: tuple[int, int], fits: bool) -> None:
    assert interpreter.fits(version) is fits


def test_the_range_is_that_of_the_project_file() -> None:
    oldest, newest = interpreter.OLDEST, interpreter.NEWEST
    wanted = f'requires-python = ">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"'
    assert wanted in (REPO / "pyproject.toml").read_text("utf-8")


def test_a_fitting_python_is_used_as_it_is() -> None:
    assert interpreter.choose() == Path(sys.executable)


def test_an_unfit_python_looks_for_the_newest_fitting_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    monkeypatch.setattr(interpreter, "candidates", lambda: iter([["shim"], ["python3.12"], ["python3.11"]]))
    machine = Machine(shim=(127, "command not found"), **{"python3.12": (0, "3 12 /opt/bin/python3.12")})
    monkeypatch.setattr(interpreter, "ask", machine.ask)
    assert interpreter.choose() == Path("/opt/bin/python3.12")


def test_no_fitting_python_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    monkeypatch.setattr(interpreter, "candidates", lambda: iter(()))
    with pytest.raises(BuildError, match=r"needs Python 3\.11 to 3\.14, and this machine has only 3\.9"):
        interpreter.choose()


# --------------------------------------------------------------------------------------------- environment


def working_environment(folder: Path, **stamp: object) -> Path:
    python(folder).parent.mkdir(parents=True)
    python(folder).write_text("", "utf-8")
    environment.write_stamp(folder, stamp)
    return folder


def test_a_second_start_asks_no_program_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine()
    for module in (environment, system):
        monkeypatch.setattr(module, "ask", machine.ask)
        monkeypatch.setattr(module, "call", machine.call)
    venv = working_environment(tmp_path / "venv", lock=environment.lock_digest(), dev=False, x11=True)
    assert environment.ensure(dev=False, x11=True, venv=venv) == python(venv)
    assert machine.asked == []


@pytest.mark.parametrize("stamp", [{}, {"lock": "of yesterday", "dev": True, "qt": True}])
def test_a_changed_lock_installs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stamp: dict[str, object]
) -> None:
    filled: list[str] = []
    monkeypatch.setattr(environment, "create", lambda venv: None)
    monkeypatch.setattr(environment, "fill", lambda venv, lock: filled.append(lock.name))
    monkeypatch.setattr(environment, "add_launcher", lambda venv: None)
    monkeypatch.setattr(system, "qt_problem", lambda python, x11: None)
    venv = working_environment(tmp_path / "venv", **stamp)
    environment.ensure(dev=False, x11=False, venv=venv)
    assert filled == [DEV_LOCK.name if stamp.get("dev") else LOCK.name]
    assert environment.remembers("qt", venv)


def test_the_tools_are_added_to_an_environment_made_for_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled: list[str] = []
    monkeypatch.setattr(environment, "create", lambda venv: None)
    monkeypatch.setattr(environment, "fill", lambda venv, lock: filled.append(lock.name))
    monkeypatch.setattr(environment, "add_launcher", lambda venv: None)
    monkeypatch.setattr(system, "qt_problem", lambda python, x11: None)
    venv = working_environment(tmp_path / "venv", lock=environment.lock_digest(), dev=False, x11=True)
    environment.ensure(dev=True, x11=False, venv=venv)
    assert filled == [DEV_LOCK.name]


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00"])
def test_a_broken_stamp_counts_as_nothing_installed(tmp_path: Path, content: str) -> None:
    environment.stamp_file(tmp_path).write_text(content, "utf-8")
    assert environment.read_stamp(tmp_path) == {}


def test_an_interrupted_installation_leaves_no_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv = working_environment(tmp_path / "venv", lock="of yesterday", dev=False)
    monkeypatch.setattr(environment, "ask", Machine(version_info=(0, "")).ask)
    monkeypatch.setattr(environment, "pip", lambda venv: ["pip"])
    monkeypatch.setattr(environment, "call", lambda command, **_: 1)
    with pytest.raises(BuildError, match="pip could not install"):
        environment.ensure(dev=False, x11=False, venv=venv)
    assert not environment.stamp_file(venv).exists()


def test_without_ensurepip_and_root_the_pip_outside_fills_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(
        **{"--without-pip": (0, ""), "-m pip --python": (0, "pip 24"), "python%d": (0, "python3.11-venv")}
    )
    monkeypatch.setattr(environment, "ask", machine.ask)
    monkeypatch.setattr(environment, "call", machine.call)
    monkeypatch.setattr(system, "may_install", lambda: False)
    environment.create(tmp_path / "venv")
    assert machine.was_asked("-m venv --without-pip")
    assert environment.pip(tmp_path / "venv")[1:4] == ["-m", "pip", "--python"]


def test_without_ensurepip_debian_as_root_installs_the_venv_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[str] = []
    machine = Machine(**{"python%d": (0, "python3.11-venv"), "--without-pip": (0, ""), "-m pip --python": (0, "pip")})
    monkeypatch.setattr(environment, "ask", machine.ask)
    monkeypatch.setattr(environment, "call", machine.call)
    monkeypatch.setattr(system, "LINUX", True)
    monkeypatch.setattr(system, "may_install", lambda: True)
    monkeypatch.setattr(system, "install", installed.extend)
    environment.create(tmp_path / "venv")
    assert installed == ["python3.11-venv"]


def test_with_no_way_to_an_environment_the_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(**{"python%d": (0, "python3.11-venv")})
    monkeypatch.setattr(environment, "ask", machine.ask)
    monkeypatch.setattr(environment, "call", machine.call)
    monkeypatch.setattr(system, "may_install", lambda: False)
    with pytest.raises(BuildError, match=r"please install python3\.11-venv"):
        environment.create(tmp_path / "venv")


@pytest.mark.skipif(os.name == "nt", reason="the launcher is a shell script")
def test_the_launcher_starts_the_checkout_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_folder = tmp_path / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    python(tmp_path / "venv").symlink_to(sys.executable)
    monkeypatch.setattr(environment, "SITE_PACKAGES", f"print({str(tmp_path)!r})")
    environment.add_launcher(tmp_path / "venv")
    assert (tmp_path / "triptych-checkout.pth").read_text("utf-8").strip() == str(REPO)
    assert os.access(bin_folder / "triptych", os.X_OK)


# -------------------------------------------------------------------------------------------------- system


def test_no_root_is_no_obstacle_where_qt_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "qt_problem", lambda python, x11: None)
    monkeypatch.setattr(system, "may_install", lambda: pytest.fail("nobody needs to ask"))
    system.need_qt(Path("python"), x11=True)


def test_missing_libraries_are_named_where_they_cannot_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "qt_problem", lambda python, x11: "ImportError: libEGL.so.1: cannot open")
    monkeypatch.setattr(system, "may_install", lambda: False)
    with pytest.raises(BuildError, match=r"libEGL\.so\.1.*please install.*libegl1"):
        system.need_qt(Path("python"), x11=False)


def test_missing_libraries_are_installed_and_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = iter(["libGL.so.1", None])
    installed: list[str] = []
    monkeypatch.setattr(system, "LINUX", True)
    monkeypatch.setattr(system, "qt_problem", lambda python, x11: next(problems))
    monkeypatch.setattr(system, "may_install", lambda: True)
    monkeypatch.setattr(system, "install", installed.extend)
    system.need_qt(Path("python"), x11=True)
    assert {"libgl1", "libxcb-cursor0"} <= set(installed)


@pytest.mark.parametrize(("listed", "name"), [(0, "libglib2.0-0t64"), (100, "libglib2.0-0")])
def test_a_package_is_asked_for_by_the_name_this_release_uses(
    monkeypatch: pytest.MonkeyPatch, listed: int, name: str
) -> None:
    monkeypatch.setattr(system, "ask", Machine(**{"apt-cache": (listed, "")}).ask)
    assert system.current_name("libglib2.0-0") == name
    assert system.current_name("libgl1") == "libgl1"


def test_a_missing_font_never_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "LINUX", True)
    monkeypatch.setattr(system, "has_chinese_font", lambda: False)
    monkeypatch.setattr(system, "install", lambda packages, may_ask: False)
    system.offer_chinese_font()
    assert "fonts-noto-cjk" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights as POSIX has them")
@pytest.mark.parametrize(
    ("user", "sudo", "before"),
    [(0, (127, ""), []), (1000, (0, ""), ["sudo", "-n"]), (1000, (1, "a password is required"), None)],
)
def test_the_right_to_install(
    monkeypatch: pytest.MonkeyPatch, user: int, sudo: tuple[int, str], before: list[str] | None
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system, "ask", Machine(sudo=sudo).ask)
    assert system.privilege(may_ask=False) == before


# -------------------------------------------------------------------------------------------------- launch


@pytest.mark.parametrize(
    ("arguments", "window"),
    [
        ([], True),
        (["--data-dir", "x"], True),
        (["--smoke"], True),
        (["run", "hello"], False),
        (["--help"], False),
        (["tools", "list"], False),
    ],
)
def test_only_the_window_needs_a_display(arguments: list[str], window: bool) -> None:
    assert launch.opens_a_window(arguments) is window


@pytest.mark.parametrize(
    ("env", "x11"),
    [
        ({"DISPLAY": ":0"}, True),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, False),
        ({"QT_QPA_PLATFORM": "offscreen"}, False),
        ({"QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": "wayland-0"}, True),
    ],
)
def test_the_libraries_of_x11_are_asked_for_only_where_it_is_used(env: dict[str, str], x11: bool) -> None:
    assert launch.needs_x11(env) is x11


def test_no_display_is_said_before_qt_can_abort() -> None:
    with pytest.raises(BuildError, match="neither DISPLAY nor WAYLAND_DISPLAY"):
        launch.need_display({})


@pytest.mark.parametrize(
    "env", [{"QT_QPA_PLATFORM": "offscreen"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"DISPLAY": "h:10"}]
)
def test_a_display_of_any_kind_will_do(env: dict[str, str]) -> None:
    launch.need_display(env)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="X11 listens on UNIX sockets")
def test_a_display_that_is_gone_is_said() -> None:
    with pytest.raises(BuildError, match="does not answer"):
        launch.need_display({"DISPLAY": ":4711"})


# -------------------------------------------------------------------------------------------------- checks


def test_every_step_runs_and_one_failure_fails_the_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[Sequence[str]] = []

    def run(command: Sequence[str], **_: object) -> int:
        ran.append(command)
        return 0

    def complain(command: Sequence[str], **_: object) -> tuple[int, str]:
        ran.append(command)
        return 1, "x.py:1: error: this is no number"

    monkeypatch.setattr(environment, "ensure", lambda **_: Path("python"))
    monkeypatch.setattr(checks, "call", run)
    monkeypatch.setattr(checks, "ask", complain)
    monkeypatch.setattr(checks, "is_compiled", lambda: True)
    assert checks.test([]) == 1
    assert sorted(command[2] for command in ran if command[1] == "-m") == ["mypy", "pytest", "ruff", "ruff"]
    assert "pytest" in ran[-1], "the types are checked before the tests begin"
    told = capsys.readouterr().out
    assert "FAILED Types" in told
    assert "this is no number" in told
    assert "1 of 5 steps failed." in told

    monkeypatch.setattr(checks, "is_compiled", lambda: False)
    ran.clear()
    assert checks.test([]) == 1
    assert ["--collect-only" in command for command in ran if "pytest" in command] == [True, False]


@pytest.mark.parametrize(
    ("noted", "codes", "tries", "ended"),
    [
        (["tests/a.py::b"], [1, 0], 2, 0),  # alone it passes
        (["tests/a.py::b"], [1, 1], 2, 1),  # alone it fails too
        ([f"tests/a.py::{n}" for n in range(6)], [1], 1, 1),  # too many for chance
        (["tests/a.py"], [1], 1, 1),  # a file that cannot even be read
        ([], [1], 1, 1),  # nothing noted: not a test's failure
        (["tests/a.py::b"], [2], 1, 2),  # interrupted
    ],
)
def test_a_few_failed_tests_are_tried_once_more_alone(
    noted: list[str],
    codes: list[int],
    tries: int,
    ended: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    note = tmp_path / "lastfailed"
    note.write_text(json.dumps(dict.fromkeys(noted, True)), "utf-8")
    asked: list[Sequence[str]] = []

    def run(command: Sequence[str], **_: object) -> int:
        asked.append(command)
        return codes[len(asked) - 1]

    monkeypatch.delenv("CI", raising=False)  # at the desk; what holds there is another test
    monkeypatch.setattr(checks, "FAILED_TESTS", note)
    monkeypatch.setattr(checks, "call", run)
    step = ("Tests", ["-m", "pytest", "-m", "not soak", "-n", "2"])
    assert checks.outcome(Path("python"), step)[0] == ended
    assert len(asked) == tries
    if tries == 2:
        assert asked[1][-len(noted) :] == noted
        assert ("passed alone" in capsys.readouterr().out) == (ended == 0)


def test_checks_see_no_keys_no_proxy_and_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = {"OPENAI_API_KEY", "TRIPTYCH_MODEL", "HTTPS_PROXY", "https_proxy", "PYTHONDONTWRITEBYTECODE"}
    for name in hidden:
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("TRIPTYCH_SOAK_HOURS", "24")
    env = checks.headless_environment()
    assert not hidden & set(env)
    assert env["QT_QPA_PLATFORM"] == "offscreen"
    assert env["TRIPTYCH_SOAK_HOURS"] == "24", "how long the longest one lasts is the caller's word"


@pytest.mark.parametrize("room", [0, 2**63])
def test_the_folders_of_the_tests_are_in_memory_where_there_is_room(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str | None] = []

    def run(_command: Sequence[str], *, env: dict[str, str], **_: object) -> int:
        seen.append(env.get("TMPDIR"))
        return int(any(not Path(place).is_dir() for place in seen if place))

    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(checks, "MEMORY", tmp_path)
    monkeypatch.setattr(checks, "ROOM_BYTES", room)
    monkeypatch.setattr(checks, "call", run)
    assert checks.outcome(Path("python"), ("Tests", ["-m", "pytest", "-m", "not soak"]))[0] == 0
    assert [Path(place).parent for place in seen if place] == ([tmp_path] if room == 0 else [])
    assert list(tmp_path.iterdir()) == [], "nothing is left in memory"


# ---------------------------------------------------------------------------------------------------- lock


@pytest.mark.parametrize("file", [LOCK, DEV_LOCK], ids=lambda file: file.name)
def test_T41_every_line_of_a_lock_is_a_pin_a_hash_or_our_header(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines(keepends=True)
    assert lines[0] == lock.HEADER
    for line in lines[1:]:
        assert "==" in line or line.startswith("    --hash=sha256:"), line


def test_the_tools_are_locked_on_top_of_the_same_versions() -> None:
    def versions(file: Path) -> set[str]:
        # A marker may be wider among the tools: they bring the same package to systems the program leaves it out on.
        return {pin.split(" ;")[0] for pin in pins(file)}

    assert versions(LOCK) <= versions(DEV_LOCK)


def test_every_locked_package_says_it_is_for_every_supported_python() -> None:
    """pip keeps to an upper bound that the resolver does not look at: `make run` would end there."""
    locked = {pin.partition("==")[0] for pin in pins(LOCK) if ";" not in pin}
    pythons = [f"3.{minor}.9" for minor in range(interpreter.OLDEST[1], interpreter.NEWEST[1] + 1)]
    ranges = {
        found.name: found.metadata["Requires-Python"]
        for found in importlib.metadata.distributions()
        if found.name.lower().replace("_", "-") in locked and "Requires-Python" in found.metadata
    }
    assert {name: of for name, of in ranges.items() if not all(map(SpecifierSet(of).contains, pythons))} == {}


def test_the_lock_never_holds_the_qt_that_aborts_on_python_311() -> None:
    qt = [pin for pin in pins(LOCK) if pin.startswith("pyside6-essentials==6.12.")]
    assert all("python_full_version >= '3.12'" in pin for pin in qt)


def pins(file: Path) -> set[str]:
    return {line.rstrip(" \\\n") for line in file.read_text("utf-8").splitlines() if "==" in line}


# -------------------------------------------------------------------------------------------------- bundle


def test_the_smoke_run_sees_an_empty_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "triptych.py"
    program.write_text("import json, os, sys; json.dump([dict(os.environ), sys.argv[1:]], open('seen.json', 'w'))")
    env = {**bundle.bare_environment(str(tmp_path)), "QT_QPA_PLATFORM": "offscreen"}
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    assert bundle.start([sys.executable, str(program), "--smoke"], env, str(tmp_path)) == 0
    seen, arguments = json.loads((tmp_path / "seen.json").read_text("utf-8"))
    assert arguments == ["--smoke"]
    assert "OPENAI_API_KEY" not in seen
    assert seen["QT_QPA_PLATFORM"] == "offscreen"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script that can be started like a program")
@pytest.mark.parametrize("is_shut_off", [True, False])
def test_T41_a_bundle_that_loads_what_lies_where_it_starts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_shut_off: bool
) -> None:
    program = tmp_path / "triptych"
    program.write_text(f"#!{sys.executable}{' -I' if is_shut_off else ''}\nimport json\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(bundle, "PROGRAM", program)
    # A plain Python cannot even begin with a foreign home; that would be no proof of anything here.
    traps = bundle.set_traps
    monkeypatch.setattr(bundle, "set_traps", lambda *given: {**traps(*given), "PYTHONHOME": ""})
    if is_shut_off:
        bundle.smoke()
    else:
        with pytest.raises(BuildError, match="json"):
            bundle.smoke()


def test_T12_no_address_and_one_type_of_file_of_the_system_leads_to_us() -> None:
    """What is not registered cannot be clicked. An exported session may be: it is imported, which runs nothing."""
    ours = [path for folder in ("packaging", "building", "resources") for path in (REPO / folder).rglob("*")]
    texts = [path for path in ours if path.suffix in (".py", ".spec", ".desktop", ".plist", ".xml", ".iss", ".toml")]
    assert len(texts) > 10
    addresses = re.compile("x-scheme-handler|CFBundleURLTypes|setDefaultProtocolClient|URL Protocol")
    assert [path.name for path in texts if addresses.search(path.read_text("utf-8"))] == []
    kinds = (
        r"^MimeType=(.*)$",
        r"<glob pattern=\"([^\"]*)\"",
        r"public.filename-extension\": (.*),$",
        r"Classes.(\.\w+)\"",
    )
    types = re.compile("|".join(kinds), re.MULTILINE)
    found = {"".join(one) for path in texts for one in types.findall(path.read_text("utf-8"))}
    assert found == {"application/vnd.triptych.session;", "*.triptych", '["triptych"]', ".triptych"}


def test_a_program_that_hangs_is_ended_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "SMOKE_SECONDS", 0.2)
    told = bundle.start([sys.executable, "-c", "import time; time.sleep(60)"], dict(os.environ), str(tmp_path))
    assert "still running" in str(told)


def test_a_bundle_with_a_gpl_library_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    bundle.refuse_unwanted()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "libreadline.so.8").touch()
    with pytest.raises(BuildError, match=r"libreadline\.so\.8"):
        bundle.refuse_unwanted()


@pytest.fixture(scope="module")
def slim() -> ModuleType:
    return _packaging("slim")


def _packaging(name: str) -> ModuleType:
    """`packaging` is no package, so its programs are loaded from their files, as the spec does."""
    spec = importlib.util.spec_from_file_location(name, REPO / "packaging" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("place", "dropped"),
    [
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", False),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", False),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", False),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", True),
        ("PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so", True),
        ("PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", True),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", False),
        ("PySide6/Qt/plugins/imageformats/libqtiff.so", True),
        ("PySide6\\plugins\\platforms\\qwindows.dll", False),
        ("PySide6\\plugins\\sqldrivers\\qsqlite.dll", True),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", True),
        ("PySide6\\plugins\\tls\\qschannelbackend.dll", True),
        ("PySide6/QtNetwork.abi3.so", False),
        ("PySide6/Qt/lib/libQt6Network.so.6", False),
        ("PySide6/Qt/lib/libQt6Core.so.6", False),
        ("apsw/__init__.so", False),
    ],
)
def test_plugins_nobody_uses_stay_out_of_the_bundle(slim: ModuleType, place: str, dropped: bool) -> None:
    assert slim.is_left_out(place) is dropped


def test_every_qt_module_the_program_imports_is_in_the_bundle(slim: ModuleType) -> None:
    source = "\n".join(file.read_text("utf-8") for file in (REPO / "app").rglob("*.py"))
    wanted = {f"PySide6.{name}" for name in re.findall(r"from PySide6\.(\w+) import", source)}
    assert "PySide6.QtNetwork" in wanted
    assert not wanted & set(slim.EXCLUDED_MODULES)


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_en.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/qml/QtQuick/qmldir", False),
        ("resources/i18n/zh_CN.po", True),
    ],
)
def test_the_bundle_speaks_two_languages(slim: ModuleType, place: str, wanted: bool) -> None:
    assert slim.is_wanted_data(place) is wanted


def test_only_libraries_that_something_kept_needs_are_kept(slim: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    links = {"qxcb": {"libxcb.so.1"}, "core": {"libz.so.1"}, "xcb": {"libXau.so.6"}, "gtk": {"libgdk.so.0"}}
    monkeypatch.setattr(slim, "wants", lambda source: links.get(source, set()))
    reached = slim.reach(
        [
            ("PySide6/Qt/plugins/platforms/libqxcb.so", "qxcb", "BINARY"),
            ("PySide6/QtCore.so", "core", "EXTENSION"),
            ("libpython3.12.so.1.0", "python", "BINARY"),
            ("libxcb.so.1", "xcb", "BINARY"),
            ("libz.so.1", "z", "BINARY"),
            ("libXau.so.6", "xau", "BINARY"),
            ("libgtk-3.so.0", "gtk", "BINARY"),
            ("libgdk.so.0", "gdk", "BINARY"),
        ]
    )
    assert {"libxcb.so.1", "libz.so.1", "libXau.so.6", "libpython3.12.so.1.0"} <= reached
    assert not {"libgtk-3.so.0", "libgdk.so.0"} & reached


def test_a_link_without_its_library_is_left_out(slim: ModuleType) -> None:
    link = ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK")
    assert slim.is_loose_link(link, set())
    assert not slim.is_loose_link(link, {"PySide6/Qt/lib/libQt6Core.so.6"})


# ------------------------------------------------------------------------------------------------- console


def test_a_program_that_is_not_there_is_an_exit_code() -> None:
    assert call(["no-such-program-of-ours"]) == 127
    assert ask(["no-such-program-of-ours"])[0] == 127


def test_interrupting_make_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(make.TARGETS, "run", ("", interrupt))
    assert make.main(["run"]) == 130
    assert capsys.readouterr().err == "make run: stopped.\n"


@pytest.mark.parametrize(
    ("ci", "until", "code"),
    [("", "", 0), ("true", "", 1), ("true", "2999-01-01", 0), ("true", "2001-01-01", 1)],
)
def test_a_second_try_counts_as_passed_at_the_desk_and_in_ci_only_for_a_listed_time(
    ci: str, until: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(pytest=(0, ""))
    monkeypatch.setattr(checks, "call", machine.call)
    monkeypatch.setattr(checks, "failed_tests", lambda: ["tests/x.py::test_y"])
    monkeypatch.setattr(checks, "UNSTEADY", tmp_path / "unsteady.json")
    (tmp_path / "unsteady.json").write_text(json.dumps({"tests/x.py::test_y": until} if until else {}), "utf-8")
    monkeypatch.setenv("CI", ci)
    assert checks.second_try(Path("python")) == code
    assert "tests/x.py::test_y" in machine.asked[0]


def test_what_an_installation_says_is_counted_and_told_when_it_fails(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VERBOSE", raising=False)
    talk = "for n in range(100): print('Collecting', n)"
    assert call([sys.executable, "-c", talk], counted=("Collecting ", 100)) == 0
    assert capfd.readouterr().out == ""
    assert call([sys.executable, "-c", f"{talk}\nraise SystemExit('no index')"], counted=("Collecting ", 100)) == 1
    told = capfd.readouterr().out.splitlines()
    assert told[-1] == "no index"
    assert len(told) == 40
    monkeypatch.setenv("VERBOSE", "1")
    assert call([sys.executable, "-c", talk], counted=("Collecting ", 100)) == 0
    assert len(capfd.readouterr().out.splitlines()) == 100
    assert call(["no-such-program"], counted=("", 0)) == 127
