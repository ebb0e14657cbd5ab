"""`triptych models`: providers and models that can be asked."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.text.i18n import _
from app.services.providers.models import ModelService

from .console.output import json_page, table


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("models", help=_("providers and models"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="list")
    listing = actions.add_parser("list", help=_("every model that is set up"))
    listing.add_argument("--probe", action="store_true", help=_("ask each provider whether it answers"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_models)


async def list_models(args: argparse.Namespace, *, models: ModelService) -> int:
    choices = models.choices()
    found: list[dict[str, Any]] = [
        {"ref": c.ref, "label": c.label, "provider": c.provider, "available": c.available} for c in choices
    ]
    if args.probe:
        answers = await models.probe()
        for row in found:
            row["answers"] = answers.get(row["provider"], "")
    if args.json:
        json_page(found)
    else:
        head = (_("model"), _("provider"), _("ready"), _("answers"))
        lines = [(r["ref"], r["provider"], _yes(is_so=r["available"]), r.get("answers", "")) for r in found]
        table(head if args.probe else head[:3], [line if args.probe else line[:3] for line in lines])
    return 0


def _yes(*, is_so: bool) -> str:
    return _("yes") if is_so else _("no")
