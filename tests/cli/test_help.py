"""`--help` everywhere, and something said about everything it lists."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator

from app.cli.parser import COMMANDS, make_parser
from tests.every import looped


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


@looped("parser", list(parsers(make_parser())), ids=lambda parser: parser.prog)
def test_every_command_and_every_option_says_what_it_is_for(parser: argparse.ArgumentParser) -> None:
    text = parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {choice.dest: choice.help for choice in action._choices_actions}
            assert {name for name in action.choices if not told.get(name)} == set()
        elif action.option_strings and not isinstance(action, argparse._HelpAction):
            assert action.help, f"{parser.prog}: {action.dest}"
            assert action.help.split()[0] in text


def test_only_the_command_that_was_typed_is_loaded() -> None:
    """Starting the process costs a second with all of them, and little without."""
    code = "import sys\nfrom app.cli.parser import parse\ntry: parse(sys.argv[1:])\nexcept SystemExit: pass\n"
    code += "print(*(name for name in sys.modules if name.startswith('app.cli.') or name == 'app.services.runs.chat'))"
    loaded = {}
    for typed in ("--version", "tools --help"):
        command = [sys.executable, "-c", code, *typed.split()]
        done = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8")
        loaded[typed] = set(done.stdout.split())
    commands = {f"app.cli.{name}" for name in COMMANDS}
    assert loaded["--version"] & {*commands, "app.services.runs.chat"} == set()
    assert loaded["tools --help"] & commands >= {"app.cli.tools"}
    assert "app.cli.bench" not in loaded["tools --help"]
