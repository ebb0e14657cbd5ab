"""`--help` everywhere, and something said about everything it lists."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from app.cli.parser import make_parser
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
