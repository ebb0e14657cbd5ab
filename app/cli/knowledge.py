"""`triptych knowledge`: add, update, search and remove folders and files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.core.wording.errors import error_text
from app.core.wording.knowledge import fault_text, place_text
from app.services.knowledge.importing import Progress
from app.services.knowledge.service import KnowledgeService

from .console.output import json_page, say, table, tell
from .console.typed import hidden_typing, line


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("knowledge", help=_("your documents, searched by agents"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="add|list|read|search|watch|server|remove")
    adding = actions.add_parser("add", help=_("folders and files to a knowledge base, and read them"))
    adding.add_argument("paths", nargs="+", metavar="PATH", help=_("folders or files"))
    adding.add_argument("--base", default="", metavar="NAME", help=_("of this name; else that of the first folder"))
    adding.add_argument("--shared", action="store_true", help=_("a base on the server that is set up"))
    adding.set_defaults(handler=add_paths)
    listing = actions.add_parser("list", help=_("the knowledge bases, or the files of one"))
    listing.add_argument("base", nargs="?", default="", metavar="BASE", help=_("its id or name"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_bases)
    reading = actions.add_parser("read", help=_("read again what has changed"))
    reading.add_argument("base", metavar="BASE", help=_("its id or name"))
    reading.set_defaults(handler=read_anew)
    searching = actions.add_parser("search", help=_("passages that fit a question"))
    searching.add_argument("query", nargs="+", metavar="TEXT", help=_("words or a question"))
    searching.add_argument("--base", default="", metavar="BASE", help=_("only in this one"))
    searching.add_argument("--limit", type=int, default=5, metavar="N", help=_("at most so many"))
    searching.add_argument("--json", action="store_true", help=_("as JSON"))
    searching.set_defaults(handler=search)
    watching = actions.add_parser("watch", help=_("read changes by themselves while the window is open"))
    watching.add_argument("base", metavar="BASE", help=_("its id or name"))
    watching.add_argument("--off", action="store_true", help=_("no more"))
    watching.set_defaults(handler=watch)
    serving = actions.add_parser("server", help=_("the server of shared bases: shown, set, tested"))
    serving.add_argument(
        "address", nargs="?", metavar="ADDRESS", help=_("postgresql://user@host:5432/database; “none” for none")
    )
    serving.add_argument("--password", action="store_true", help=_("asks for its password, or reads it from a pipe"))
    serving.set_defaults(handler=server)
    removing = actions.add_parser("remove", help=_("a knowledge base; the documents stay where they are"))
    removing.add_argument("base", metavar="BASE", help=_("its id or name"))
    removing.set_defaults(handler=remove)


async def add_paths(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    paths = [Path(path) for path in args.paths]
    base = await knowledge.add(args.base or paths[0].resolve().stem, paths, shared=args.shared)
    return await _read(knowledge, base.id)


async def read_anew(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    return await _read(knowledge, args.base)


async def list_bases(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    if args.base:
        files = await knowledge.files(args.base)
        if args.json:
            json_page([{"path": f.path, "passages": f.passages, "error": f.error or None} for f in files])
        else:
            rows = [(f.path, str(f.passages), fault_text(f.error) if f.error else "") for f in files]
            table((_("file"), _("passages"), _("fault")), rows)
        return 0
    bases = await knowledge.bases()
    _tell_server(knowledge)
    if args.json:
        json_page([{"id": base.id, "name": base.name, "sources": list(base.sources)} for base in bases])
    else:
        table((_("id"), _("name"), _("sources")), [(b.id, b.name, ", ".join(b.sources)) for b in bases])
    return 0


async def search(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    ids = [(await knowledge.base(args.base)).id] if args.base else [base.id for base in await knowledge.bases()]
    _tell_server(knowledge)
    hits = await knowledge.search(ids, " ".join(args.query), max(1, args.limit))
    if args.json:
        json_page(
            [
                {"doc_id": h.id, "base": h.base, "path": h.path, "place": place_text(h.passage), "score": h.score,
                 "text": h.passage.text}
                for h in hits
            ]
        )  # fmt: skip
        return 0
    if knowledge.fault is not None:
        tell(_sentence(knowledge.fault))
    for hit in hits:
        place = place_text(hit.passage)
        say(f"{hit.path}{f' · {place}' if place else ''}")
        say("    " + " ".join(hit.passage.text.split())[:300])
    return 0 if hits else 1


async def watch(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    await knowledge.watch(args.base, on=not args.off)
    return 0


async def server(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    shared = knowledge.server
    assert shared is not None, "the program has one"
    if args.address is not None:
        await shared.set_address("" if args.address == "none" else args.address)
    if args.password:
        with hidden_typing():
            tell(_("Password: "), end="")
            await shared.set_password(await line())
    say(shared.address or _("none"))
    tried = await shared.test()
    tell(tried.text)
    return 0 if tried.ok else 1


async def remove(args: argparse.Namespace, *, knowledge: KnowledgeService) -> int:
    await knowledge.remove(args.base)
    return 0


async def _read(knowledge: KnowledgeService, id: str) -> int:
    state: Progress | None = None
    async for state in knowledge.read_anew(id):
        if state.vectors[1]:
            tell(_("vectors {done} / {all}").format(done=state.vectors[0], all=state.vectors[1]))
        elif state.path and state.done % 50 == 0:
            tell(f"{state.done}/{state.total}")
    if state is None:
        return 0
    if state.fault is not None:
        tell(_sentence(state.fault))
    for path, code in state.failed:
        tell(f"{path}: {fault_text(code)}")
    sentence = ngettext("one file read", "{n} files read", state.read).format(n=state.read)
    whole = ngettext("one in the base", "{n} in the base", state.total).format(n=state.total)
    say(_("{base}: {read}, {whole}").format(base=state.base, read=sentence, whole=whole))
    return 1 if state.failed and not state.read and len(state.failed) == state.total else 0


def _tell_server(knowledge: KnowledgeService) -> None:
    if knowledge.server_fault is not None:
        tell(_sentence(knowledge.server_fault))


def _sentence(error: TriptychError) -> str:
    text = error_text(error.code, error.message, error.params)
    return " ".join(filter(None, (text.what, text.do)))
