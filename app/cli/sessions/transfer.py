"""`triptych sessions export` and `import`: conversations to files and from files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.errors import BadInput
from app.core.exchange.options import Include
from app.core.text.i18n import N_, _, ngettext
from app.core.text.moments import MINUTE, time_text
from app.services.exchange.transfer import TransferService
from app.services.lifecycle import Lifecycle

from ..console.output import say, table, tell, write
from ..console.reading import open_to_read

if TYPE_CHECKING:
    from app.services.exchange.prepared_import import FoundConversation

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
        "import",
        help=_("own exports, lists of chat messages, and what other programs export or keep"),
        description=_("Read are, as they are downloaded, also in a zip: {programs}.").format(programs=_programs()),
    )
    importing.add_argument("files", nargs="+", type=Path, metavar="FILE")
    importing.add_argument("--list", action="store_true", help=_("show what is in it and store nothing"))
    importing.add_argument("--only", metavar="N,N-M", default="", help=_("these conversations of the list alone"))
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


def _programs() -> str:
    # Loaded for the help of this command alone.
    from app.core.exchange.programs.registry import PROGRAMS

    return ", ".join(sorted(PROGRAMS, key=str.lower))


async def import_sessions(args: argparse.Namespace, *, transfer: TransferService, lifecycle: Lifecycle) -> int:
    await lifecycle.open()
    prepared = await transfer.prepare(args.files)
    if args.list:
        with closing(prepared):
            _list(prepared.conversations)
            for remark in prepared.remarks:
                tell(f"  {remark}")
        return 0
    try:
        chosen = _numbers(args.only, len(prepared.conversations))
    except BadInput:
        prepared.close()
        raise
    report = await transfer.carry_out(prepared, chosen)
    for session in report.sessions:
        count = ngettext("{n} message", "{n} messages", session.messages).format(n=session.messages)
        state = _("already here") if session.known else count
        say(f"{session.id}  {state}  {session.title}")
    for remark in report.remarks:
        tell(f"  {remark}")
    return 0


def _list(conversations: Sequence[FoundConversation]) -> None:
    head = (_("number"), _("begun"), _("messages"), _("program"), _("title"))
    here = _("already here")
    rows = [
        (
            n, time_text(one.created, MINUTE), one.messages, one.program or "Triptych",
            f"{one.title} ({here})" if one.known else one.title,
        )
        for n, one in enumerate(conversations, 1)
    ]  # fmt: skip
    table(head, rows)


def _numbers(text: str, most: int) -> frozenset[int] | None:
    """Places in the list, counted from 0; None for all. Raises BadInput."""
    if not text.strip():
        return None
    chosen: set[int] = set()
    for piece in text.split(","):
        first, _dash, last = piece.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise BadInput(f"{piece.strip()} is no number of the list", reason="IMPORT_NUMBER", value=piece.strip())
        begin, end = int(first), int(last or first)
        if not 1 <= begin <= end <= most:
            raise BadInput(f"the list goes from 1 to {most}", reason="IMPORT_RANGE", most=most)
        chosen |= set(range(begin - 1, end))
    return frozenset(chosen)
