"""`triptych mcp add / remove / approve`: set up and accept servers without the window.

Adding a server starts and trusts nothing. Accepting has two steps, each bound to a hash of exactly what was shown:
first what would run, then the tools it offers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from app.core.errors import BadInput, Refused, TriptychError
from app.core.text.hidden import marked
from app.core.text.i18n import _
from app.core.wording.errors import fault_text
from app.services.mcp.paste.found import Blank, Pasted, PasteReading
from app.services.mcp.service import McpService
from app.services.mcp.views import McpServerEntry, StartReview, ToolsReview
from app.services.mcp.wording import line_title, warnings_of
from app.services.providers.service import ProviderService
from app.services.settings.settings import SettingsService

from ..console.output import json_page, say, tell
from ..console.typed import from_stdin, hidden_typing, line

MOST_READ = 1024 * 1024


def add_setup(actions: Any) -> None:
    adding: argparse.ArgumentParser = actions.add_parser(
        "add",
        help=_("add servers from any text: JSON, TOML, YAML, a command, an address"),
        description=_(
            "Everything behind `add` is read as documentation gives it: `NAME -- COMMAND ARGS`, `npx …`, an address, "
            "another program's `… mcp add …`, a block of JSON, TOML or YAML in quotation marks, or - for standard "
            "input. Nothing is started before `mcp approve`."
        ),
    )
    option = adding.add_argument
    option("--set", action="append", default=[], metavar="NAME=VALUE", help=_("a value the text leaves open"))
    in_file = _("where no keyring answers, keep values in a file only you can read")
    option("--values-in-file", action="store_true", help=in_file)
    option("--json", action="store_true", help=_("as JSON"))
    option("-e", "--env", action="append", default=[], metavar="NAME=VALUE", help=_("a variable of the server"))
    option("-H", "--header", action="append", default=[], metavar="NAME: VALUE", help=_("a header of its address"))
    option("-t", "--transport", default="", metavar="stdio|http", help=_("how it is reached; else the text says so"))
    option("words", nargs=argparse.REMAINDER, metavar="NAME|TEXT …", help=_("the server"))
    adding.set_defaults(handler=add_servers)
    removing = actions.add_parser("remove", help=_("stop a server and delete it with its values"))
    removing.add_argument("server", metavar="NAME", help=_("see `mcp list`"))
    removing.set_defaults(handler=remove_server)
    approving = actions.add_parser("approve", help=_("look at what would run, or at the tools, and agree"))
    approving.add_argument("server", metavar="NAME", help=_("see `mcp list`"))
    approving.add_argument("--hash", default="", metavar="HASH", help=_("agree without a question if it is still this"))
    approving.set_defaults(handler=approve_server)


# ---------------------------------------------------------------- add


async def add_servers(
    args: argparse.Namespace, *, settings: SettingsService, mcp: McpService, providers: ProviderService
) -> int:
    await mcp.open()
    is_piped = args.words in (["-"], ["--", "-"])
    reading = _read(args, mcp, from_stdin(MOST_READ) if is_piped else "")
    for one in reading.broken:
        tell(f"triptych: {marked(one.name)}: {fault_text(one.error)}")
    if not reading.servers:
        return 2
    values = _pairs(args.set)
    servers = [await _filled(one, values, may_ask=not is_piped) for one in reading.servers]
    if args.values_in_file:
        await _keep_in_file(settings, providers)
    ids = await _stored(servers, settings, mcp, providers, may_ask=not is_piped and sys.stdin.isatty())
    rows = [await _added(id, mcp) for id in ids]
    if args.json:
        json_page([row for row, _text in rows])
    else:
        for _row, lines in rows:
            say("\n".join(lines))
    return 0


def _read(args: argparse.Namespace, mcp: McpService, piped: str) -> PasteReading:
    if piped:
        return mcp.pasting.read_paste(piped)
    words = [word for pair in args.env for word in ("--env", pair)]
    words += [word for pair in args.header for word in ("--header", pair)]
    words += ["--transport", args.transport] if args.transport else []
    words += args.words
    if not args.words:
        raise BadInput(_("what should be added?"), hint="triptych mcp add time -- uvx mcp-server-time")
    return mcp.pasting.read_words(words)


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    wrong = next((name for name, equals, _value in pairs if not equals), None)
    if wrong is not None:
        raise BadInput(_("{text} is not NAME=VALUE").format(text=wrong))
    return {name: value for name, _equals, value in pairs}


async def _filled(pasted: Pasted, values: Mapping[str, str], *, may_ask: bool) -> Pasted:
    """With a value for all it leaves open: given, typed, or the text's own. Raises BadInput that names the rest."""
    filled = pasted.filled(values)
    typed: dict[str, str] = {}
    is_asking = may_ask and sys.stdin.isatty()
    for blank in filled.blanks:
        text = await _ask(filled, blank) if is_asking else ""
        if text or blank.default:
            typed[blank.name] = text or blank.default
    filled = filled.filled(typed)
    if filled.blanks:
        names = ", ".join(blank.name for blank in filled.blanks)
        hint = " ".join(f"--set {blank.name}=…" for blank in filled.blanks)
        raise BadInput(
            f"{pasted.config.title}: values are missing: {names}", hint=hint, reason="PASTE_BLANKS", names=names
        )
    return filled


async def _ask(pasted: Pasted, blank: Blank) -> str:
    hint = f" ({marked(blank.hint)})" if blank.hint else ""
    default = f" [{marked(blank.default)}]" if blank.default else ""
    with hidden_typing() if blank.is_secret else nullcontext():
        tell(f"{pasted.config.title}: {marked(blank.name)}{hint}{default}: ", end="")
        return await line()


async def _stored(
    servers: Sequence[Pasted], settings: SettingsService, mcp: McpService, providers: ProviderService, *, may_ask: bool
) -> list[str]:
    """Their ids. Where there is no keyring the person says whether a file will do; then it is tried again."""
    try:
        return await mcp.pasting.add_pasted(servers)
    except TriptychError as error:
        if error.code != "KEY_STORAGE_MISSING":
            raise
        if not may_ask:
            tell("triptych: " + _("to keep values in a file only you can read: triptych mcp add --values-in-file …"))
            raise
        tell(
            _("No keyring answers. Keep the values in a file only you can read? [y]es, anything else adds nothing: "),
            "",
        )
        if (await line()).lower() not in ("y", "yes"):
            raise
    await _keep_in_file(settings, providers)
    return await mcp.pasting.add_pasted(servers)


async def _keep_in_file(settings: SettingsService, providers: ProviderService) -> None:
    providers.key_storage.choose("file")
    agreed = settings.preferences.model_copy(update={"keys_in_file": True})
    await settings.save_preferences(agreed)


async def _added(id: str, mcp: McpService) -> tuple[dict[str, Any], list[str]]:
    """What was added, for programs and for people."""
    entry = mcp.server(id)
    try:
        review = await mcp.reviews.review(id)
    except TriptychError as error:  # no such program, now
        row: dict[str, Any] = {"id": id, "name": entry.name, "what": entry.what, "hash": "", "why": error.message}
        then = _("It was added. Once this is there: triptych mcp approve {id}").format(id=id)
        return row, [f"{id}: {marked(entry.what)}", f"  {fault_text(error)}", then]
    row = {
        "id": id, "name": review.name, "transport": review.transport,
        "lines": [[line.label, line.value] for line in review.lines], "hash": review.fingerprint,
        "warnings": warnings_of(review),
    }  # fmt: skip
    then = _("Nothing has been started. To agree to exactly this: triptych mcp approve {id}").format(id=id)
    return row, [*_start_lines(review), then]


# ---------------------------------------------------------------- remove


async def remove_server(args: argparse.Namespace, *, mcp: McpService) -> int:
    await mcp.open()
    entry = _entry(args.server, mcp)
    await mcp.delete_server(entry.id)
    say(_("{name} was removed").format(name=entry.id))
    return 0


def _entry(name: str, mcp: McpService) -> McpServerEntry:
    """By its id, else by the name it is shown with. Raises UnknownName."""
    named = [entry for entry in mcp.servers() if entry.name.casefold() == name.casefold()]
    ids = {entry.id for entry in mcp.servers()}
    return named[0] if name not in ids and len(named) == 1 else mcp.server(name)


# ---------------------------------------------------------------- approve


async def approve_server(args: argparse.Namespace, *, mcp: McpService) -> int:
    try:
        return await _approve(args, mcp)
    except Refused as refused:
        # Not a permission of an agent, of which the usual sentence speaks: somebody here did not agree.
        tell(f"triptych: {refused.message}")
        if refused.hint:
            tell(f"  {refused.hint}")
        return refused.exit_code


async def _approve(args: argparse.Namespace, mcp: McpService) -> int:
    await mcp.open()
    id = _entry(args.server, mcp).id
    if mcp.server(id).state in ("off", "review"):
        review = await mcp.reviews.review(id)
        say("\n".join(_start_lines(review)))
        if review.missing:
            names = ", ".join(review.missing)
            raise BadInput(f"values are missing: {names}", reason="PASTE_BLANKS", names=names)
        await _agree(
            args.hash, review.fingerprint, _("Run exactly this from now on? [y]es, anything else leaves it off: ")
        )
        await mcp.reviews.accept_start(id, review.fingerprint)
        say(_("Agreed. Its tools are looked at next: triptych mcp approve {id}").format(id=id))
        if args.hash or not sys.stdin.isatty():
            return 0
    return await _approve_tools(id, args.hash, mcp)


async def _approve_tools(id: str, given: str, mcp: McpService) -> int:
    """It is started, as was agreed to, and asked for its tools."""
    entry = await mcp.start(id)
    if entry.state not in ("tools", "running"):
        tell(f"triptych: {entry.name}: {entry.state}" + (f" ({marked(entry.why)})" if entry.why else ""))
        return 1
    review = mcp.reviews.tools(id)
    if review.is_accepted or not (review.rows or review.gone):
        say(_("Everything of {name} has been agreed to.").format(name=entry.name))
        return 0
    say("\n".join(_tool_lines(review)))
    await _agree(given, review.digest, _("Offer exactly these tools to agents? [y]es, anything else leaves them out: "))
    await mcp.reviews.accept_tools(id, review.digest)
    say(_("Agreed. Agents that name this server have its tools; each call asks, unless you say otherwise."))
    return 0


async def _agree(given: str, needed: str, question: str) -> None:
    """By the hash, or by a person at a terminal. Raises Refused."""
    if given:
        if given != needed:
            raise Refused(
                _("this is not what the hash {hash} stands for").format(hash=given[:80]), hint=f"--hash {needed}"
            )
        return
    if not sys.stdin.isatty():
        raise Refused(_("nobody is there to agree"), hint=f"--hash {needed}")
    tell(question, end="")
    if (await line()).lower() not in ("y", "yes"):
        raise Refused(_("not agreed; nothing has changed"))


def _start_lines(review: StartReview) -> list[str]:
    """Exactly what would run, an argument on each line, what cannot be seen written out."""
    lines = [f"{review.id}:"]
    for row in review.lines:
        sign = {"new": "+", "gone": "-"}.get(row.mark, " ")
        # A line break inside an argument must not look like the next one.
        lines.append(f"{sign} {line_title(row.label)}: {marked(row.value).replace(chr(10), '⟦U+000A⟧')}")
    if review.passed_on:
        text = _("It is also given, from this program's surroundings: {names}")
        lines.append("  " + text.format(names=", ".join(review.passed_on)))
    lines += [f"  ! {warning}" for warning in warnings_of(review)]
    return [*lines, f"  hash: {review.fingerprint}"]


def _tool_lines(review: ToolsReview) -> list[str]:
    lines: list[str] = []
    for row in review.rows:
        change = {"new": " " + _("(new)"), "changed": " " + _("(changed)")}.get(row.change, "")
        lines.append(f"{row.local_name}{change}")
        lines += [f"    {line}" for line in marked(row.description).splitlines()]
    lines += [f"- {name}" for name in review.gone]
    lines += [_("left out: {names}").format(names=f"{marked(name)}: {why}") for name, why in review.left_out]
    return [*lines, f"  hash: {review.digest}"]
