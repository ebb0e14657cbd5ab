"""`triptych agents`: the profiles, as they are and as files."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from app.core.profile import in_language
from app.core.text.i18n import _
from app.services.settings.settings import SettingsService

from ..console.output import json_page, say, table
from .programs import add_actions


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("agents", help=_("agent profiles"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|export|import|add|…")
    listing = actions.add_parser("list", help=_("the agents there are"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_agents)
    showing = actions.add_parser("show", help=_("every setting of one agent"))
    showing.add_argument("id", metavar="ID", help=_("of an agent"))
    showing.set_defaults(handler=show_agent)
    exporting = actions.add_parser("export", help=_("the profile as TOML"))
    exporting.add_argument("id", metavar="ID", help=_("of an agent"))
    exporting.add_argument("file", nargs="?", default="-", metavar="FILE", help=_("else it is printed"))
    exporting.set_defaults(handler=export_agent)
    importing = actions.add_parser("import", help=_("a profile from a TOML file; grants no permission"))
    importing.add_argument("file", metavar="FILE", help=_("as `export` writes it"))
    importing.set_defaults(handler=import_agent)
    add_actions(actions)


async def list_agents(args: argparse.Namespace, *, settings: SettingsService) -> int:
    profiles = settings.profiles()
    if args.json:
        json_page([profile.model_dump(mode="json") for profile in profiles])
    else:
        table((_("agent"), _("name"), _("mode"), _("what it does")), [
            (p.id, p.title, p.default_mode, in_language(p.description)) for p in profiles
        ])  # fmt: skip
    return 0


async def show_agent(args: argparse.Namespace, *, settings: SettingsService) -> int:
    json_page(settings.profile(args.id).model_dump(mode="json"))
    return 0


async def export_agent(args: argparse.Namespace, *, settings: SettingsService) -> int:
    text = settings.profile_text(args.id)
    if args.file == "-":
        sys.stdout.write(text)
    else:
        await asyncio.to_thread(Path(args.file).write_text, text, encoding="utf-8")
    return 0


async def import_agent(args: argparse.Namespace, *, settings: SettingsService) -> int:
    profile, ignored = await settings.import_profile(Path(args.file))
    say(profile.id)
    if ignored:
        say(_("left out: {names}").format(names=", ".join(ignored)))
    return 0
