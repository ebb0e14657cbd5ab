"""What can be typed after `triptych`, and which file answers it.

To add a command: a file, or a folder, with `add(subparsers)` that sets `handler`, its line in COMMANDS.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from app.core.system.version import version
from app.core.text.i18n import _, set_language

from .console.argparse_words import Parser, translate_argparse

COMMANDS = (
    "run", "batch", "eval", "tools", "mcp", "agents", "models", "sessions", "runs", "compare", "memory", "knowledge",
    "skills", "serve", "acp", "webhooks", "backup", "update", "doctor", "bench",
)  # fmt: skip
_SESSION_FILE = ".triptych"
"""As in `app/core/exchange/suffix.py`; importing that folder would be felt at each start."""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """`command` is None for the window. Bad arguments end the program with exit code 2."""
    if argv:
        _choose_language(argv)
    # The window wants to be painted before the commands, and all they import, are loaded.
    args, rest = _window_options().parse_known_args(argv)
    if rest and all(text.endswith(_SESSION_FILE) for text in rest):  # opened in the system by a click
        args.files = rest
        return args
    return make_parser(_typed(rest)).parse_args(argv) if rest else args


def _typed(rest: Sequence[str]) -> Sequence[str]:
    """The commands that are needed to read this; help and what is unknown need all of them."""
    if rest[0] in COMMANDS:
        return rest[:1]
    return () if list(rest) == ["--version"] else COMMANDS


def _choose_language(argv: Sequence[str]) -> None:
    """Before anything is said: what is wrong with the arguments is said in the user's language too."""
    if os.environ.get("TRIPTYCH_LANG"):
        set_language("")
    else:
        from app.services.settings.first_language import stored_language

        set_language(stored_language(_data_dir(argv)))
    translate_argparse()


def _data_dir(argv: Sequence[str]) -> str | None:
    for place, text in enumerate(argv):
        name, equals, value = text.partition("=")
        if name == "--data-dir":
            return value if equals else next(iter(argv[place + 1 :]), None)
    return None


def make_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """With these commands only: each imports what it works with."""
    parser = Parser(
        prog="triptych",
        description=_("Triptych (三联): an agent answers, and every step can be seen."),
        parents=[_window_options()],
    )
    version_help = _("show program's version number and exit")
    parser.add_argument("--version", action="version", version=f"triptych {version()}", help=version_help)
    commands = parser.add_subparsers(dest="command", metavar=_("command"), title=_("commands (no window)"))
    for name in names:
        import_module(f"app.cli.{name}").add(commands)
    return parser


def _window_options() -> argparse.ArgumentParser:
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data-dir", metavar="DIR", help=_("keep everything in this folder"))
    parser.add_argument("--session", metavar="ID", help=_("open this session"))
    parser.add_argument("--agent", metavar="ID", help=_("begin a session with this agent"))
    safe, smoke = (
        _("without plug-ins, MCP servers and the last session"),
        _("answer one question offline, show it, exit"),
    )
    parser.add_argument("--safe-mode", action="store_true", help=safe)
    ask = _("open a small window for one question, also that of the running program; for a shortcut of the system")
    parser.add_argument("--ask", action="store_true", help=ask)
    parser.add_argument("--smoke", action="store_true", help=smoke)
    trace = _("open the window, say what took time, exit")
    parser.add_argument("--trace-start", action="store_true", help=trace)
    parser.set_defaults(command=None, handler=None, files=[])
    return parser


def arguments() -> list[str]:
    """What was typed: UTF-8, whatever the locale claims."""
    argv = sys.argv[1:]
    if sys.platform == "win32" or sys.getfilesystemencoding() == "utf-8":
        return argv
    return [os.fsencode(text).decode("utf-8", "replace") for text in argv]


def utf8_streams() -> None:
    """Chinese in and out, also where the console speaks another code page. One that is closed reads as empty."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
