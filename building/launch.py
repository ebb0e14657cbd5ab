"""`make run`: the environment, the libraries, a display – then this process becomes the program."""

from __future__ import annotations

import os
import socket
from typing import Mapping

from building import environment, system
from building.console import BuildError, call, say
from building.places import REPO, WINDOWS


def run(arguments: list[str]) -> int:
    window = opens_a_window(arguments)
    if window and system.LINUX:
        need_display(os.environ)
    python = environment.ensure(dev=False, x11=window and system.LINUX and needs_x11(os.environ))
    if window and not environment.remembers("font"):
        system.offer_chinese_font()
        environment.remember("font")
    if window:
        say("==> Ready; opening the window")
    command = [str(python), "-m", "app", *arguments]
    os.chdir(str(REPO))
    if not WINDOWS:  # there, exec would give the prompt back while the program runs
        os.execv(command[0], command)  # noqa: S606 - the program takes this process over, and its signals with it
    return call(command)


def opens_a_window(arguments: list[str]) -> bool:
    """A sub-command (the first word is none of the options) and `--help` stay in the terminal."""
    if any(argument in ("-h", "--help", "--version") for argument in arguments):
        return False
    return not arguments or arguments[0].startswith("-")


def needs_x11(env: Mapping[str, str]) -> bool:
    platform = env.get("QT_QPA_PLATFORM", "")
    return platform.startswith("xcb") if platform else not env.get("WAYLAND_DISPLAY")


def need_display(env: Mapping[str, str]) -> None:
    """Without a display Qt aborts the process, so we say it first and in words."""
    if env.get("QT_QPA_PLATFORM") or env.get("WAYLAND_DISPLAY"):
        return
    display = env.get("DISPLAY", "")
    if not display:
        raise BuildError(
            "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); start it in a "
            "desktop session, over `ssh -X`, or with `xvfb-run make run`."
        )
    if not answers(display):
        raise BuildError(f"The display {display} does not answer; is the X server running?")


def answers(display: str) -> bool:
    """Only local displays (`:0`, `:0.1`) are tried; a forwarded one is Qt's business."""
    host, _, rest = display.rpartition(":")
    number = rest.split(".", 1)[0]
    if host not in ("", "unix") or not number.isdigit():
        return True
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
    return any(connects(address) for address in (path, "\0" + path))


def connects(address: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(2)
        try:
            client.connect(address)
        except OSError:
            return False
    return True
