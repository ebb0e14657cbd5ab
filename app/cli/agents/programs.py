"""`triptych agents add|agree|check|remove`: agents that are other programs, asked by the Agent Client Protocol."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from app.core.errors import BadInput, Refused
from app.core.text.hidden import marked
from app.core.text.i18n import _
from app.services.acp.service import AcpAgentService, AgentForm, AgentView
from app.services.lifecycle import Lifecycle
from app.services.mcp.wording import line_title

from ..console.output import say, table, tell
from ..console.typed import line


def add_actions(actions: Any) -> None:
    adding = actions.add_parser("add", help=_("an agent that is another program and speaks ACP; starts nothing"))
    adding.add_argument("--preset", default="", metavar="ID", help=_("one that is known; see `agents presets`"))
    adding.add_argument("--name", default="", help=_("how it is shown"))
    adding.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help=_("a variable for it, kept with the keys")
    )
    adding.add_argument("--folder", default="", metavar="DIR", help=_("where it works if a session has no folder"))
    adding.add_argument("--own-mode", default="", metavar="ID", help=_("one of its own modes"))
    adding.add_argument("program", nargs="*", metavar="PROGRAM", help=_("program and arguments, behind --"))
    adding.set_defaults(handler=add_agent)
    presets = actions.add_parser("presets", help=_("programs that are known to speak ACP"))
    presets.set_defaults(handler=list_presets)
    for name, words, handler in (
        ("agree", _("what would be started; then you agree to exactly that"), agree_to_agent),
        ("check", _("start it once and say who answers"), check_agent),
        ("remove", _("an agent that is another program; its conversations stay"), remove_agent),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("id", metavar="ID", help=_("of an agent"))
        if name == "agree":
            action.add_argument("--yes", action="store_true", help=_("agree without being asked"))
        action.set_defaults(handler=handler)


async def list_presets(_args: argparse.Namespace, *, acp_agents: AcpAgentService) -> int:
    rows = [(one.id, one.name, " ".join((one.command, *one.args)), one.install) for one in acp_agents.presets]
    table((_("preset"), _("name"), _("program"), _("installed by")), rows)
    return 0


async def add_agent(args: argparse.Namespace, *, acp_agents: AcpAgentService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    presets = {one.id: one for one in acp_agents.presets}
    preset = presets.get(args.preset)
    if args.preset and preset is None:
        raise BadInput(_("there is no preset {name}; there are {known}").format(
            name=args.preset, known=", ".join(presets)
        ))  # fmt: skip
    words = list(args.program) or ([preset.command, *preset.args] if preset is not None else [])
    if not words:
        raise BadInput(_("name a preset, or a program behind --"))
    env = dict(_variable(text) for text in args.env)
    name = args.name or (preset.name if preset is not None else words[0])
    form = AgentForm(name, words[0], tuple(words[1:]), env, args.folder, args.own_mode)
    id = await acp_agents.add(form)
    _show(await acp_agents.view(id))
    say(_("Nothing has been started. To agree to exactly this: triptych agents agree {id}").format(id=id))
    return 0


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadInput(_("--env wants NAME=VALUE"))
    return name, value


async def agree_to_agent(args: argparse.Namespace, *, acp_agents: AcpAgentService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    view = await acp_agents.view(args.id)
    _show(view)
    if view.why:
        raise BadInput(view.why)
    if not args.yes:
        if not sys.stdin.isatty():
            raise Refused(_("nobody is there to agree"), hint="--yes")
        tell(_("Run exactly this from now on? [y]es, anything else leaves it off: "), end="")
        if (await line()).lower() not in ("y", "yes"):
            raise Refused(_("not agreed; nothing has changed"))
    await acp_agents.agree(args.id, view.lines)
    say(_("Agreed. Ask it: triptych run --agent {id} …").format(id=args.id))
    return 0


async def check_agent(args: argparse.Namespace, *, acp_agents: AcpAgentService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    say(_("it answers: {name}").format(name=marked(await acp_agents.check(args.id))))
    return 0


async def remove_agent(args: argparse.Namespace, *, acp_agents: AcpAgentService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    await acp_agents.remove(args.id)
    say(_("{name} was removed").format(name=args.id))
    return 0


def _show(view: AgentView) -> None:
    """Exactly what would run, what cannot be seen written out."""
    say(f"{view.id}:")
    if view.why:
        say(f"  ! {view.why}")
    for label, value in view.lines:
        say(f"  {line_title(label)}: {marked(value)}".replace("\n", "⟦U+000A⟧"))
