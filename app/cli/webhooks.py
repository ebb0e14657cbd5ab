"""`triptych webhooks`: addresses that are told how runs end and what waits for an approval."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.text.i18n import _
from app.services.lifecycle import Lifecycle
from app.services.webhooks.hooks import EVENTS
from app.services.webhooks.service import WebhookService

from .console.output import say, table, tell


def add(commands: Any) -> None:
    words = _("tell other programs how runs end and what waits for an approval")
    parser: argparse.ArgumentParser = commands.add_parser("webhooks", help=words)
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|add|test|remove")
    listing = actions.add_parser("list", help=_("the addresses that are told"))
    listing.set_defaults(handler=list_webhooks)
    adding = actions.add_parser("add", help=_("an address that is told; prints the secret that signs, this once"))
    adding.add_argument("url", metavar="URL", help=_("https://… or http://… of your own network"))
    adding.add_argument("--name", default="", help=_("how it is shown"))
    events = ",".join(EVENTS)
    adding.add_argument("--events", default="", metavar=events, help=_("what it is told; else everything"))
    adding.add_argument("--agents", default="", metavar="ID,…", help=_("only of runs of these agents"))
    adding.set_defaults(handler=add_webhook)
    for name, words, handler in (
        ("test", _("send one message that says it is a test"), test_webhook),
        ("remove", _("it is told nothing any more"), remove_webhook),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("id", metavar="ID", help=_("see `webhooks list`"))
        action.set_defaults(handler=handler)


async def list_webhooks(_args: argparse.Namespace, *, webhooks: WebhookService) -> int:
    rows = [
        (
            one.id,
            one.title,
            ", ".join(one.events),
            ", ".join(one.agents) or _("all"),
            _("on") if one.enabled else _("off"),
        )
        for one in webhooks.hooks.all.values()
    ]
    table((_("webhook"), _("name"), _("events"), _("agents"), _("state")), rows)
    return 0


async def add_webhook(args: argparse.Namespace, *, webhooks: WebhookService) -> int:
    hook, secret = await webhooks.hooks.add(args.url, args.name, _listed(args.events), _listed(args.agents))
    tell(_("{name} is told from now on. The secret that signs, shown this once:").format(name=hook.title))
    say(secret)
    tell(_("Try it: triptych webhooks test {id}").format(id=hook.id))
    return 0


async def test_webhook(args: argparse.Namespace, *, webhooks: WebhookService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    why = await webhooks.test(args.id)
    if why:
        tell(f"triptych: {why}")
        return 1
    say(_("it was taken"))
    return 0


async def remove_webhook(args: argparse.Namespace, *, webhooks: WebhookService) -> int:
    await webhooks.hooks.remove(args.id)
    say(_("{name} was removed").format(name=args.id))
    return 0


def _listed(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(",") if one.strip())
