"""The virtual environment `.venv`, made from the hashed lock by pip with whatever index pip is configured with.

A stamp inside it remembers what was installed and that Qt loads, so that a second start costs two small files.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Dict

from building import interpreter, system
from building.console import BuildError, ask, call, say
from building.places import DEV_LOCK, LOCK, REPO, VENV, WINDOWS, python, scripts

Stamp = Dict[str, object]

HAS_ENSUREPIP = "import ensurepip, venv"
SITE_PACKAGES = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
RANGE = f"import sys; sys.exit(not {interpreter.OLDEST} <= sys.version_info[:2] <= {interpreter.NEWEST})"


def ensure(*, dev: bool, x11: bool, venv: Path = VENV) -> Path:
    """The interpreter of an environment that holds what the lock says and loads Qt.

    `dev` asks for the test tools too, `x11` for Qt's plug-in for X11.
    """
    stamp = read_stamp(venv)
    wanted = lock_digest()
    installed = stamp.get("lock") == wanted and (not dev or stamp.get("dev") is True) and python(venv).exists()
    if not installed:
        create(venv)
        fill(venv, DEV_LOCK if dev or stamp.get("dev") is True else LOCK)
        add_launcher(venv)
        stamp = {"lock": wanted, "dev": dev or stamp.get("dev") is True}
        write_stamp(venv, stamp)
    checked = "x11" if x11 else "qt"
    if not (stamp.get(checked) is True or stamp.get("x11") is True):
        system.need_qt(python(venv), x11=x11)
        remember(checked, venv)
    return python(venv)


def lock_digest() -> str:
    """Of both locks, which are always written together, and of the place, which the launcher names."""
    digest = hashlib.sha256(str(REPO).encode())
    for lock in (LOCK, DEV_LOCK):
        if not lock.exists():
            raise BuildError(f"{lock.name} is missing; `make lock` writes it.")
        digest.update(lock.read_bytes())
    return digest.hexdigest()


def stamp_file(venv: Path) -> Path:
    return venv / "triptych-stamp.json"


def read_stamp(venv: Path) -> Stamp:
    """Whatever cannot be read counts as nothing installed."""
    try:
        stamp = json.loads(stamp_file(venv).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(venv: Path, stamp: Stamp) -> None:
    stamp_file(venv).write_text(json.dumps(stamp, indent=1) + "\n", "utf-8")


def remembers(fact: str, venv: Path = VENV) -> bool:
    return read_stamp(venv).get(fact) is True


def remember(fact: str, venv: Path = VENV) -> None:
    write_stamp(venv, {**read_stamp(venv), fact: True})


def create(venv: Path) -> None:
    """An empty environment; one that is there and works is kept, so a new lock installs only what changed."""
    if stamp_file(venv).exists():
        stamp_file(venv).unlink()
    if ask([python(venv), "-c", RANGE])[0] == 0:
        return
    if venv.exists():
        say(f"==> {venv.name} does not work any more; making it anew")
        shutil.rmtree(str(venv))
    base = interpreter.choose()
    say(f"==> Creating {venv.name} with {base}")
    if ask([base, "-c", HAS_ENSUREPIP])[0] != 0 and system.LINUX and system.may_install():
        system.install([venv_package(base)])
    if ask([base, "-c", HAS_ENSUREPIP])[0] == 0:
        if call([base, "-m", "venv", venv]) == 0:
            return
        raise BuildError(f"{base} could not create {venv}.")
    create_without_ensurepip(base, venv)


def venv_package(base: Path) -> str:
    code, answer = ask([base, "-c", "import sys; print('python%d.%d-venv' % sys.version_info[:2])"])
    return answer if code == 0 else "python3-venv"


def create_without_ensurepip(base: Path, venv: Path) -> None:
    """Debian's python3 without python3-venv, and no right to install it."""
    for virtualenv in ([str(base), "-m", "virtualenv"], ["virtualenv", "--python", str(base)]):
        if ask([*virtualenv, "--version"])[0] == 0:
            if call([*virtualenv, venv]) == 0:
                return
            shutil.rmtree(str(venv), ignore_errors=True)
    if can_install_from_outside(base) and call([base, "-m", "venv", "--without-pip", venv]) == 0:
        return
    raise BuildError(
        f"This Python ({base}) cannot create an environment; please install {venv_package(base)} (or virtualenv)."
    )


def can_install_from_outside(base: Path) -> bool:
    """pip of the base can fill an environment that has none, from pip 22.3 on."""
    return ask([base, "-m", "pip", "--python", base, "--version"])[0] == 0


def pip(venv: Path) -> list[str]:
    inside = [str(python(venv)), "-m", "pip"]
    if ask([*inside, "--version"])[0] == 0:
        return inside
    for base in (sys.executable, str(interpreter.choose())):
        if can_install_from_outside(Path(base)):
            return [base, "-m", "pip", "--python", str(python(venv))]
    raise BuildError(f"There is no pip in {venv}; remove that folder and try again.")


def fill(venv: Path, lock: Path) -> None:
    say(f"==> Installing {lock.name} (hashes are checked)")
    options = ["--require-hashes", "--no-deps", "--disable-pip-version-check", "--no-input"]
    packages = sum("==" in line and not line.startswith("#") for line in lock.read_text("utf-8").splitlines())
    if call([*pip(venv), "install", *options, "-r", lock], cwd=REPO, counted=("Collecting ", packages)) != 0:
        raise BuildError(
            f"pip could not install {lock.name}; its messages above say why (often: no connection to the index)."
        )


def add_launcher(venv: Path) -> None:
    """`triptych` in the environment: the checkout on its path, and a script of the name."""
    code, site_packages = ask([python(venv), "-c", SITE_PACKAGES])
    if code != 0:
        raise BuildError(f"The Python in {venv} does not start: {site_packages}")
    Path(site_packages, "triptych-checkout.pth").write_text(f"{REPO}\n", "utf-8")
    if WINDOWS:
        (scripts(venv) / "triptych.cmd").write_text('@"%~dp0python.exe" -m app %*\n', "utf-8")
        return
    launcher = scripts(venv) / "triptych"
    launcher.write_text(f'#!/bin/sh\nexec "{python(venv)}" -m app "$@"\n', "utf-8")
    launcher.chmod(0o755)
