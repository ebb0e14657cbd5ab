"""`triptych update`: whether there is a newer release, by a signed feed; nothing is installed."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from app.core.text.i18n import _
from app.services.updates.service import UpdateService

from .console.output import json_page, say


def add(commands: Any) -> None:
    words = _("whether there is a newer release; asked only by this command and in About")
    parser: argparse.ArgumentParser = commands.add_parser("update", help=words)
    actions = parser.add_subparsers(dest="action", required=True, metavar="check")
    checking = actions.add_parser("check", help=_("ask the feed and verify its signature; nothing is installed"))
    checking.add_argument("--json", action="store_true", help=_("as data"))
    checking.set_defaults(handler=check)


async def check(args: argparse.Namespace, *, updates: UpdateService) -> int:
    state = await updates.check()
    feed = state.feed
    if args.json:
        figures = {"newer": state.is_newer, "here": state.here, "release": feed.release, "page": feed.page}
        json_page(figures | {"files": [asdict(file) for file in feed.files]})
        return 0
    if not state.is_newer:
        say(_("{version} is the newest release.").format(version=state.here))
        return 0
    words = _("{version} is there, released {day}; this is {here}.")
    say(words.format(version=feed.release, day=feed.released, here=state.here))
    for line in (feed.notes, feed.page):
        if line:
            say(line)
    for file in feed.files:
        say(f"{file.system}  {file.url}\n  sha256 {file.sha256}")
    return 0
