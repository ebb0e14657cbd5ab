"""`triptych skills`: which there are, taken in after a look, given out again."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.errors import BadInput
from app.core.text.hidden import spelled_out
from app.core.text.i18n import _
from app.core.wording.reasons import reason_text
from app.services.data.sessions import SessionService
from app.services.lifecycle import Lifecycle
from app.services.skills.reading import FoundSkill
from app.services.skills.service import SkillService
from app.services.tools.service import ToolService

from .console.output import json_page, say, table
from .console.reading import open_to_read

_SHOWN = 4_000


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("skills", help=_("skills: list, import, export"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|import|draft|accept|export|remove")
    listing = actions.add_parser("list", help=_("which there are"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_skills)
    taking = actions.add_parser("import", help=_("look at a folder or zip, then take it with --accept"))
    taking.add_argument("path", metavar="PATH", help=_("the folder with SKILL.md, or a zip of it"))
    taking.add_argument("--accept", default="", metavar="SHA256", help=_("take exactly what was shown"))
    taking.set_defaults(handler=import_skill)
    drafting = actions.add_parser("draft", help=_("make one of a conversation: shown, or kept with --save"))
    drafting.add_argument("session", metavar="SESSION", help=_("an id of `sessions list`"))
    drafting.add_argument("--name", default="", metavar="NAME", help=_("small letters, digits and hyphens"))
    drafting.add_argument("--save", action="store_true", help=_("keep it as shown; without: only show it"))
    drafting.set_defaults(handler=draft_skill)
    agreeing = actions.add_parser("accept", help=_("a changed one may be used as it is now"))
    agreeing.add_argument("name", metavar="NAME")
    agreeing.add_argument("sha256", metavar="SHA256", help=_("as `skills list --json` shows it"))
    agreeing.set_defaults(handler=accept_skill)
    giving = actions.add_parser("export", help=_("as a zip"))
    giving.add_argument("name", metavar="NAME")
    giving.add_argument("path", metavar="FILE")
    giving.set_defaults(handler=export_skill)
    removing = actions.add_parser("remove", help=_("out of the data folder"))
    removing.add_argument("name", metavar="NAME")
    removing.set_defaults(handler=remove_skill)


async def list_skills(args: argparse.Namespace, *, skills: SkillService) -> int:
    listed = skills.skills()
    if args.json:
        json_page([
            {
                "name": one.name, "origin": one.origin, "state": one.state, "sha256": one.sha256,
                "description": one.skill.description if one.skill else "", "files": list(one.files),
            }
            for one in listed
        ])  # fmt: skip
        return 0
    rows = [(one.name, one.origin, one.state, one.purpose if one.skill else _fault(one)) for one in listed]
    table((_("skill"), _("from"), _("state"), _("what it does")), rows)
    return 0


async def import_skill(args: argparse.Namespace, *, skills: SkillService, tools: ToolService) -> int:
    path = Path(args.path)
    found_skill = await skills.look(path)
    assert found_skill.skill is not None, "what could not be read was refused"
    if not args.accept:
        tool_names = {entry.name for entry in tools.all_tools()}
        wanted = found_skill.skill.allowed_tools
        print(f"{found_skill.name}: {found_skill.skill.description}")
        print(_("files: {files}").format(files=", ".join(("SKILL.md", *found_skill.files))))
        if wanted is not None:
            strange = [name for name in wanted if name not in tool_names]
            print(_("narrows the tools to: {tools}").format(tools=", ".join(wanted)))
            if strange:
                print(_("not known here: {tools}").format(tools=", ".join(strange)))
        print(f"\n{spelled_out(found_skill.skill.body[:_SHOWN])}\n")
        print(_("take it with: --accept {hash}").format(hash=found_skill.sha256))
        return 0
    if args.accept != found_skill.sha256:
        raise BadInput("it has changed", reason="SKILL_CHANGED")
    await skills.take(path, args.accept)
    print(_("The skill {name} is here; switch it on for an agent under Skills.").format(name=found_skill.name))
    return 0


async def draft_skill(
    args: argparse.Namespace, *, skills: SkillService, sessions: SessionService, lifecycle: Lifecycle
) -> int:
    from app.services.skills.draft import draft_of

    await open_to_read(lifecycle)
    row = await sessions.row(args.session)
    skill = draft_of(await sessions.messages(row.id), row.title)
    skill = replace(skill, name=args.name or skill.name)
    say(skill.to_text().rstrip())
    if args.save:
        skills.write(skill)
        print(_("The skill {name} is here; switch it on for an agent under Skills.").format(name=skill.name))
    return 0


async def accept_skill(args: argparse.Namespace, *, skills: SkillService) -> int:
    skills.agree(args.name, args.sha256)
    return 0


async def export_skill(args: argparse.Namespace, *, skills: SkillService) -> int:
    try:
        print(skills.export(args.name, Path(args.path)))
    except FileExistsError:
        print(_("{file} is there already").format(file=args.path), file=sys.stderr)
        return 1
    return 0


async def remove_skill(args: argparse.Namespace, *, skills: SkillService) -> int:
    skills.remove(args.name)
    return 0


def _fault(one: FoundSkill) -> str:
    return reason_text(one.fault.params) if one.fault is not None else ""
