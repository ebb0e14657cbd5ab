"""What is kept: price lists and their items, confirmed mappings, levels, customers, rules, corrections, quotations."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.core import detached
from app.core.errors import ToolError
from app.core.tools.tool import ToolContext
from app.domains.kit.documents import DocumentKind, store_of
from app.domains.kit.wording import N_

from ..matching.index import MatchIndex
from ..matching.lexicon import OwnRules, lexicon
from ..matching.rule_texts import own_rules_of
from ..matching.tables import load, read_tables, save
from ..model.levels import STANDARD, Level, find_level
from ..model.price_list import DEFAULT_LEVEL, Item, PriceList
from ..settings import QuotationSettings

STALE = N_("{id} is at version {newest}, the change was made on {base}")
LISTS = DocumentKind("pricelist", absent=N_("there is no price list {what}"), stale=STALE)
ITEMS = DocumentKind("priceitems", absent=N_("the items of {what} are gone"), stale=STALE)
MAPPINGS = DocumentKind("pricemapping", absent=N_("there is no mapping {what}"), stale=STALE)
BOOK = DocumentKind("pricebook", absent=N_("there is no entry {what}"), stale=STALE)
"""One document each: levels, customers, rules, corrections."""
_KEPT = 6
_STORED_FROM = 2_000
"""Products from which on reading them again takes longer than a person notices."""
_indexes: OrderedDict[tuple[str, OwnRules], MatchIndex] = OrderedDict()
"""By the checksum of the items, so that it holds for whichever store they came from."""


def settings_of(ctx: ToolContext) -> QuotationSettings:
    return ctx.settings if isinstance(ctx.settings, QuotationSettings) else QuotationSettings()


def may_write(ctx: ToolContext) -> None:
    """Raises ToolError DENIED for a viewer."""
    if settings_of(ctx).role == "viewer":
        raise ToolError(
            "DENIED", ctx.say("a viewer changes nothing"), hint=ctx.say("the role stands in the settings of the agent")
        )


async def lists(ctx: ToolContext, ids: Sequence[str] | None = None) -> list[PriceList]:
    """Those of the ids, else all. Raises ToolError NO_LIST."""
    stored = [PriceList.from_json(each.body) for each in await LISTS.all(ctx)] if ctx.documents is not None else []
    if ids:
        by_name = {**{each.name.casefold(): each for each in stored}, **{each.id: each for each in stored}}
        absent = [id for id in ids if id not in by_name and id.casefold() not in by_name]
        if absent:
            names = ", ".join(f"{each.id} ({each.name})" for each in stored[:10])
            raise ToolError("NO_LIST", ctx.say("there is no price list {what}", what=", ".join(absent)), hint=names)
        stored = [by_name.get(id) or by_name[id.casefold()] for id in ids]
    if not stored:
        raise ToolError(
            "NO_LIST",
            ctx.say("no price list has been imported yet"),
            hint=ctx.say("import_price_list takes an xlsx, xls, ods or csv file"),
        )
    return stored


async def items_of(ctx: ToolContext, one: PriceList) -> list[Item]:
    document = await ITEMS.get(ctx, one.id)
    return [Item.from_json(row) for row in document.body["items"]]


async def index_of(ctx: ToolContext, one: PriceList, own: OwnRules) -> MatchIndex:
    key = (one.checksum, own)
    if key not in _indexes:
        items = await items_of(ctx, one)
        _indexes[key] = await detached.in_thread(_index, _folder(ctx), one.checksum, items, own)
        while len(_indexes) > _KEPT:
            _indexes.popitem(last=False)
    _indexes.move_to_end(key)
    return _indexes[key]


def _folder(ctx: ToolContext) -> Path | None:
    cache = ctx.resources.get("cache")
    return cache / "price-lists" if isinstance(cache, Path) else None


async def forget_index(ctx: ToolContext, checksum: str) -> None:
    """What was kept of a list that is removed goes with it."""
    folder = _folder(ctx)
    if folder is not None:
        await detached.in_thread(_forget, folder, checksum)


def _forget(folder: Path, checksum: str) -> None:
    for path in folder.glob(f"{checksum[:16]}-*.index"):
        with suppress(OSError):
            path.unlink()


def _index(folder: Path | None, checksum: str, items: Sequence[Item], own: OwnRules) -> MatchIndex:
    """From its file where there is one, for a command line call begins with no memory; a short list needs none."""
    words = lexicon(own)
    if folder is None or len(items) < _STORED_FROM:
        return MatchIndex(items, words)
    rules = hashlib.sha256(repr((checksum, words.replacements, words.words)).encode())
    path = folder / f"{checksum[:16]}-{rules.hexdigest()[:16]}.index"
    tables = load(path, items, words)
    if tables is None:
        tables = read_tables(items, words)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            save(tables, path)
            for old in sorted(folder.glob("*.index"), key=lambda each: -each.stat().st_mtime)[_KEPT:]:
                old.unlink(missing_ok=True)
    return MatchIndex(items, words, tables)


async def book(ctx: ToolContext, name: str) -> dict[str, Any]:
    """One of the small documents; empty where nothing has been kept yet."""
    document = await BOOK.find(ctx, name) if ctx.documents is not None else None
    return dict(document.body) if document is not None and isinstance(document.body, Mapping) else {}


async def put_book(ctx: ToolContext, name: str, body: Mapping[str, Any]) -> None:
    await store_of(ctx).put(BOOK.kind, name, dict(body))


async def levels(ctx: ToolContext) -> dict[str, Level]:
    """The person's levels, else A, B and C, each the column of its name."""
    body = await book(ctx, "levels")
    own = [Level.from_json(each) for each in body.get("levels", ())]
    return {
        level.code: level for level in [*own, *(each for each in STANDARD if each.code not in {o.code for o in own})]
    }


async def level_of(ctx: ToolContext, text: str, chosen: Sequence[PriceList]) -> Level:
    """Raises ToolError INVALID_LEVEL: a level nobody has defined is never taken for another one."""
    columns = list(dict.fromkeys(level for each in chosen for level in each.levels))
    stored = await levels(ctx)
    if not text.strip():
        if len(columns) == 1:
            return stored.get(columns[0], Level(columns[0]))
        raise ToolError("INVALID_LEVEL", ctx.say("which customer level?"), hint=", ".join(columns))
    level = find_level(text, stored.values(), columns)
    if level is None:
        raise ToolError(
            "INVALID_LEVEL",
            ctx.say("there is no customer level {level}", level=text[:60]),
            hint=", ".join(dict.fromkeys([*columns, *stored])),
        )
    return level


async def own_rules(ctx: ToolContext) -> OwnRules:
    return own_rules_of(await book(ctx, "rules"))


async def corrections(ctx: ToolContext, customer: str = "") -> dict[str, str]:
    """Folded text and code; what was learned for one customer goes before what holds for all."""
    body = await book(ctx, "corrections")
    return {**body.get("", {}), **(body.get(customer, {}) if customer else {})}


__all__ = ["DEFAULT_LEVEL", "LISTS", "book", "corrections", "index_of", "items_of", "level_of", "levels", "lists"]
