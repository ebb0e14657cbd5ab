"""`make bundle`: freezes the program into a folder and starts it once where nothing of ours is around.

PyInstaller does the work by packaging/triptych.spec. The result is proved by its own `--smoke`: it answers the main
question offline in a window and leaves with 0.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator

from building import bundle_figures, environment, system
from building.console import BuildError, ask, call, say
from building.places import BUILD, DIST, REPO, WINDOWS

SPEC = REPO / "packaging" / "triptych.spec"
FOLDER = DIST / "triptych"
PROGRAM = FOLDER / ("triptych.exe" if WINDOWS else "triptych")
SMOKE_SECONDS = 120
TRAPS = ("json", "sitecustomize", "usercustomize", "app", "apsw")
# Under the GPL alone, or the sign that the desktop of the build machine came along.
UNWANTED = ("libreadline*", "*VirtualKeyboard*", "*virtualkeyboard*", "*Lottie*", "*WaylandCompositor*", "libgtk-3*")


def bundle(arguments: list[str]) -> int:
    """`--pack` also writes the archive one would release, `--twice` builds a second time and compares, `--startup`
    compares the start with that of the checkout.
    """
    python = environment.ensure(dev=True, x11=system.LINUX)  # what its plug-in links is copied into the bundle
    say(f"==> Building with {ask([python, '-VV'])[1].splitlines()[0]}")
    build(python)
    refuse_unwanted()
    smoke()
    say(f"==> {PROGRAM.relative_to(REPO)} works: {megabytes(FOLDER)} MB")
    say(bundle_figures.table(FOLDER))
    if system.LINUX:
        glibc, others = bundle_figures.needed(FOLDER)
        say(f"==> It needs glibc {glibc}, {others}")
        if "--pack" in arguments:
            refuse_newer_than_stated(glibc, (REPO / "README.md").read_text("utf-8"))
    if "--startup" in arguments:
        startup(python)
    if "--twice" in arguments:
        compare(python)
    if "--pack" in arguments:
        pack()
    return 0


def build(python: Path, folder: Path = DIST) -> None:
    """The time of the commit stands for that of the build, so that two builds of one commit are the same."""
    work = BUILD / "pyinstaller" / folder.name
    options = ["--noconfirm", "--log-level", "ERROR", "--distpath", str(folder), "--workpath", str(work)]
    env = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(commit_time())}
    if call([python, "-m", "PyInstaller", *options, SPEC], cwd=REPO, env=env) != 0 or not PROGRAM.exists():
        raise BuildError("PyInstaller could not build the program; its messages above say why.")


def commit_time() -> int:
    """Seconds of the epoch; in a source archive, which has no commits, the first of 2026."""
    code, answer = ask(["git", "-C", str(REPO), "log", "-1", "--format=%ct"])
    return int(answer) if code == 0 and answer.isdigit() else 1_767_225_600


def refuse_newer_than_stated(glibc: str, readme: str) -> None:
    """A release built on too new a system would not start where the README says it does."""
    stated = max(re.findall(r"glibc (\d+\.\d+)", readme), key=_numbers)
    if _numbers(glibc) > _numbers(stated):
        raise BuildError(f"the bundle needs glibc {glibc} and the README says {stated}: build it on an older system.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def compare(python: Path) -> None:
    say("==> Building once more, to compare")
    build(python, DIST / "again")
    found = bundle_figures.differences(FOLDER, DIST / "again" / FOLDER.name)
    shutil.rmtree(str(DIST / "again"))
    say("\n".join(["==> Two builds differ in:", *found]) if found else "==> Two builds are the same, byte for byte")


def startup(python: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="triptych-start-") as home, display() as shown:
        env = {**bare_environment(home), **shown}
        ours, floor = bundle_figures.starts([str(PROGRAM)], [str(python), "-m", "app"], env, home)
    say(f"==> Start to the end of the first answer: {ours:.2f} s, checkout {floor:.2f} s, ratio {ours / floor:.2f}")


def refuse_unwanted() -> None:
    found = [file.name for pattern in UNWANTED for file in FOLDER.rglob(pattern)]
    if found:
        raise BuildError(f"the bundle holds what we may not or must not ship: {', '.join(sorted(found))}.")


def smoke() -> None:
    """In an empty environment and a home full of traps: what works only thanks to the developer's machine fails here,
    and so does what would load a stranger's file because of where it was started.
    """
    with tempfile.TemporaryDirectory(prefix="triptych-smoke-") as home, display() as shown:
        say(f"==> Starting it once ({', '.join(f'{name}={value}' for name, value in shown.items())})")
        sprung = Path(home, "sprung")
        environment_of_traps = set_traps(Path(home), sprung)
        code = start([str(PROGRAM), "--smoke"], {**bare_environment(home), **environment_of_traps, **shown}, home)
        loaded = sprung.read_text("utf-8").split() if sprung.exists() else []
    if code != 0:
        raise BuildError(f"the bundled program did not pass its smoke run ({code}).")
    if loaded:
        raise BuildError(f"the bundled program loads what lies where it is started: {', '.join(loaded)}.")


def set_traps(folder: Path, sprung: Path) -> Dict[str, str]:
    """Modules of known names that tell when they are loaded. Returns the variables that would lead there."""
    for name in TRAPS:
        (folder / f"{name}.py").write_text(f"open({str(sprung)!r}, 'a').write('{name} ')\n", "utf-8")
    where = str(folder)
    return {"PYTHONPATH": where, "PYTHONHOME": where, "PYTHONSTARTUP": f"{where}/json.py", "QT_PLUGIN_PATH": where}


def start(command: list[str], env: dict[str, str], home: str) -> object:
    try:
        return subprocess.run(command, cwd=home, env=env, timeout=SMOKE_SECONDS, check=False).returncode
    except subprocess.TimeoutExpired:
        return f"still running after {SMOKE_SECONDS} seconds"


def bare_environment(home: str) -> dict[str, str]:
    if WINDOWS:
        needed = ("SYSTEMROOT", "WINDIR", "COMSPEC")
        kept = {name: os.environ[name] for name in needed if name in os.environ}
        return {**kept, "USERPROFILE": home, "APPDATA": home, "LOCALAPPDATA": home, "TEMP": home, "TMP": home}
    return {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": home}


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """A display of our own: Xvfb with a number it picks itself, or Qt's offscreen platform."""
    program = shutil.which("Xvfb") if system.LINUX else None
    if program is None:
        yield {"QT_QPA_PLATFORM": "offscreen"} if system.LINUX else {}
        return
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as numbers:
            number = numbers.readline().strip()  # an empty line means that Xvfb has ended
        yield {"DISPLAY": f":{number}"} if number else {"QT_QPA_PLATFORM": "offscreen"}
    finally:
        server.terminate()
        server.wait(timeout=20)


def pack() -> None:
    """Names in order, no owner, the commit's time: the same folder makes the same archive."""
    archive, moment = DIST / f"triptych-{system.label()}.tar.xz", commit_time()

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = moment
        return member

    with tarfile.open(str(archive), "w:xz", preset=9) as tar:
        tar.add(str(FOLDER), arcname="triptych", recursive=False, filter=plain)
        for file in sorted(FOLDER.rglob("*")):
            tar.add(str(file), arcname=f"triptych/{file.relative_to(FOLDER).as_posix()}", recursive=False, filter=plain)
    say(f"==> {archive.relative_to(REPO)}: {archive.stat().st_size / 1e6:.0f} MB")


def megabytes(folder: Path) -> int:
    """As a disk counts: every file once, links as nothing."""
    sizes = (file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    return round(sum(sizes) / 1e6)
