"""A command is handed the services its keyword-only parameters name, and those alone."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import get_type_hints

from app.cli.compose import Handler, named_services
from app.cli.parser import make_parser
from app.services.container import Services


def test_every_command_names_fields_of_the_services_by_their_types() -> None:
    fields = get_type_hints(Services)
    handlers = list(_handlers(make_parser()))
    assert len(handlers) > 20
    wrong = [
        f"{handler.__qualname__}: {name}"
        for handler in handlers
        for name in named_services(handler)
        if get_type_hints(handler)[name] is not fields.get(name)
    ]
    assert not wrong, "\n".join(wrong)


def _handlers(parser: argparse.ArgumentParser) -> Iterator[Handler]:
    if (handler := parser.get_default("handler")) is not None:
        yield handler
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _handlers(inner)
