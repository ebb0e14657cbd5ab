"""`triptych sessions export` and `import`: conversations to files and from files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from app.core.exchange.options import Include
from app.core.text.i18n import N_, _, ngettext
from app.services.exchange.transfer import TransferService
from app.services.lifecycle import Lifecycle

from ..console.output import say, tell, write
from ..console.reading import open_to_read

SWITCHES = {
    "reasoning": N_("leave out the reasoning (not from json)"),
    "tools": N_("leave out the tool calls (not from json)"),
    "results": N_("leave out the tool results (not from json)"),
    "cost": N_("leave out model, tokens and seconds (not from json)"),
}


def add_actions(actions: Any) -> None:
    exporting: argparse.ArgumentParser = actions.add_parser(
        "export", help=_("as JSON, Markdown, one HTML file or a Word document")
    )
    exporting.add_argument("ids", nargs="+", metavar="ID")
    exporting.add_argument(
        "--format", choices=("json", "md", "html", "docx"), default="json", help=_("json comes back whole")
    )
    exporting.add_argument("--out", type=Path, default=None, metavar="FILE", help=_("a file or folder; else printed"))
    for name, told in SWITCHES.items():
        exporting.add_argument(f"--no-{name}", action="store_true", help=_(told))
    exporting.set_defaults(handler=export_sessions)
    importing: argparse.ArgumentParser = actions.add_parser(
        "import", help=_("own exports, lists of chat messages, what ChatGPT, Claude and DeepSeek export (also the zip)")
    )
    importing.add_argument("files", nargs="+", type=Path, metavar="FILE")
    importing.set_defaults(handler=import_sessions)


async def export_sessions(args: argparse.Namespace, *, transfer: TransferService, lifecycle: Lifecycle) -> int:
    await open_to_read(lifecycle)
    include = Include(**{name: not getattr(args, f"no_{name}") for name in SWITCHES})
    if args.out is not None:
        say(str(await transfer.export_to(args.ids, args.format, args.out, include)))
        return 0
    exported = await transfer.export(args.ids, args.format, include)
    if exported.name.endswith((".zip", ".docx")):
        tell("triptych: " + _("this is no text: name a file with --out"))
        return 2
    write(exported.data.decode("utf-8"))
    return 0


async def import_sessions(args: argparse.Namespace, *, transfer: TransferService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    report = await transfer.import_files(args.files)
    for session in report.sessions:
        count = ngettext("{n} message", "{n} messages", session.messages).format(n=session.messages)
        state = _("already here") if session.known else count
        say(f"{session.id}  {state}  {session.title}")
    for remark in report.remarks:
        tell(f"  {remark}")
    return 0
