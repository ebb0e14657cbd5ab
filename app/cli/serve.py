"""`triptych serve`: the local API, until it is stopped; and the clients that may use it."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.text.i18n import _
from app.services.api.clients import RIGHTS, ApiClientService
from app.services.api.serving import DEFAULT_PORT, LocalApiService
from app.services.lifecycle import Lifecycle

from .console.ending import stopped_by_signals
from .console.output import say, table, tell
from .console.typed import by_commas


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("serve", help=_("answer other programs of this computer"))
    parser.add_argument("--port", type=int, default=None, metavar="N", help=_("else 8642; 0 takes a free one"))
    parser.add_argument(
        "--add-client", metavar="NAME", default="", help=_("a token of its own for a program; prints it")
    )
    parser.add_argument("--agents", metavar="ID,…", default="", help=_("with --add-client: the agents it may use"))
    rights = ",".join(RIGHTS)
    parser.add_argument(
        "--rights", metavar=rights, default="", help=_("with --add-client: what it may do; else everything")
    )
    parser.add_argument("--remove-client", metavar="NAME", default="", help=_("its token is refused from now on"))
    parser.add_argument("--list-clients", action="store_true", help=_("the programs that have a token"))
    parser.set_defaults(handler=serve)


async def serve(
    args: argparse.Namespace, *, api_clients: ApiClientService, local_api: LocalApiService, lifecycle: Lifecycle
) -> int:
    if args.add_client or args.remove_client or args.list_clients:
        await api_clients.open()
        return await _change_clients(args, api_clients)
    await lifecycle.open()
    await local_api.start(DEFAULT_PORT if args.port is None else args.port)
    return await answer_until_stopped(local_api.address, local_api, api_clients, lifecycle)


async def answer_until_stopped(
    address: str, local_api: LocalApiService, api_clients: ApiClientService, lifecycle: Lifecycle
) -> int:
    """Says where and with which token a server that was started answers; returns once it was stopped."""
    lifecycle.begin_keeping()
    say(_("Triptych answers at {address}").format(address=address))
    tell(_("token: {token}").format(token=api_clients.token))
    if api_clients.token_path:
        tell(_("It is stored in {path}. Ctrl+C stops.").format(path=api_clients.token_path))
    with stopped_by_signals(local_api.ask_to_stop):
        await local_api.ended()
    return 0


async def _change_clients(args: argparse.Namespace, clients: ApiClientService) -> int:
    if args.remove_client:
        await clients.remove(args.remove_client)
        tell(_("{name} is not answered any more").format(name=args.remove_client))
    if args.add_client:
        token = await clients.add(args.add_client, by_commas(args.agents), by_commas(args.rights))
        tell(_("The token of {name}, shown this once:").format(name=args.add_client))
        say(token)
    if args.list_clients:
        rows = [(one.name, ", ".join(one.agents), ", ".join(one.rights)) for one in clients.clients()]
        table((_("client"), _("agents"), _("rights")), rows)
    return 0
