"""The rules for matching on one card: seen, edited, tried on a line before they are kept, taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.wording import N_, say_in

from ..cards import BY, DOUBTS
from ..matching.decide import Request
from ..matching.features import folded
from ..matching.rule_texts import RuleTextFault, RuleTexts, own_rules_of, read_rules, texts_of
from .lines import match_all, matcher
from .matching import STATUSES
from .store import BOOK, book, may_write

RULES = "rules"
_ARROW = "→"
_MOST_LEARNED = 300
FAULTS = {
    "single": N_("a rule needs two words at least"), "pair": N_("it keeps exactly two words apart"),
    "size": N_('these are no sizes, such as 3/4" and dn25'), "conflict": N_("a synonym says the opposite"),
    "long": N_("too long"),
}  # fmt: skip
Rows = Annotated[str, Field(max_length=200_000)]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the fields hold, which need not be what is kept."""

    texts: RuleTexts
    learned: str | None
    """None: there is too much of it for a field."""
    base: int
    line: str = ""
    note: str = ""
    tried: str = ""
    has_before: bool = False


@tool("app.read", title=N_("Matching rules"))
async def show_matching_rules(ctx: ToolContext) -> ToolResult:
    """Show the person's rules for matching on a card in which they edit, try and keep them: words of one meaning, words
    that are never the same, equal sizes, and what was learned of their choices.
    """
    return _result(ctx, await _stored(ctx))


async def _stored(ctx: ToolContext) -> _Shown:
    document = await BOOK.find(ctx, RULES) if ctx.documents is not None else None
    body = document.body if document is not None and isinstance(document.body, Mapping) else {}
    learned = _learned_text(await book(ctx, "corrections"))
    is_short = learned.count("\n") < _MOST_LEARNED
    version = document.version if document is not None else 0
    return _Shown(texts_of(body), learned if is_short else None, version, has_before=version > 1)


def keeping(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Replace the rules for matching by those of the card")


@tool("app.write", title=N_("Keep the rules"), approval_text=keeping, example={"synonyms": "elbow = bend"})
async def save_rules(
    ctx: ToolContext,
    synonyms: Rows = "",
    forbidden: Rows = "",
    equivalent: Rows = "",
    learned: Rows | None = None,
    base: Annotated[int, Field(ge=0, description="the version that was shown")] = 0,
) -> ToolResult:
    """Replace all rules for matching: one per line, `elbow = bend`, `hot ≠ cold`, `3/4" = dn25`. Nothing is kept where
    one of them cannot be. Use remember_rule to add a single one.
    """
    may_write(ctx)
    body, faults = read_rules(RuleTexts(synonyms, forbidden, equivalent))
    corrections = _read_learned(learned, faults) if learned is not None else None
    if faults:
        rows = "; ".join(f"{one.text}: {ctx.say(FAULTS[one.why])}" for one in faults[:8])
        raise ToolError("BAD_RULES", ctx.say("nothing was kept: {faults}", faults=rows))
    await BOOK.put(ctx, RULES, body, base=base or None)
    if corrections is not None:
        await BOOK.put(ctx, "corrections", corrections)
    screen = await _stored(ctx)
    return _result(ctx, screen, ctx.say("The rules are kept; they hold from the next quotation on."))


@tool("app.read", title=N_("Try the rules"), timeout=600, example={"line": "elbow DN50", "synonyms": "elbow = bend"})
async def try_rules(
    ctx: ToolContext,
    line: Annotated[str, Field(max_length=2_000, description="a line of an inquiry")] = "",
    synonyms: Rows = "",
    forbidden: Rows = "",
    equivalent: Rows = "",
    learned: Rows | None = None,
    base: Annotated[int, Field(ge=0)] = 0,
) -> ToolResult:
    """What a line is matched to with these rules, which are not kept."""
    texts = RuleTexts(synonyms, forbidden, equivalent)
    body, faults = read_rules(texts)
    corrections = _read_learned(learned, faults) if learned is not None else None
    words = [f"{one.text}: {ctx.say(FAULTS[one.why])}" for one in faults[:8]]
    if line.strip():
        words.append(await _tried(ctx, line, body, (corrections or {}).get("", {})))
    else:
        words.append(ctx.say("write a line to try"))
    stored = await _stored(ctx)
    shown = _Shown(texts, learned if stored.learned is not None else None, base, line, "", "\n".join(words),
                   stored.has_before)  # fmt: skip
    return _result(ctx, shown, "\n".join(words[-1].splitlines()[:2]))


async def _tried(ctx: ToolContext, line: str, body: Mapping[str, Any], learned: Mapping[str, str]) -> str:
    match = await matcher(ctx, "", None, own=own_rules_of(body), any_level=True)
    (result,) = await match_all(replace(match, corrections=learned), [Request(line)])
    rows = [ctx.say(STATUSES[result["status"]])]
    if result["chosen"] is None and result["doubts"]:
        rows[0] += f" ({', '.join(ctx.say(DOUBTS[each]) if each in DOUBTS else each for each in result['doubts'])})"
    elif result["source"]:
        rows[0] += f" ({ctx.say(BY[result['source']])})"
    for one in result["candidates"][:5]:
        parts = one["score_parts"]
        why = [
            *parts["agrees"],
            *(f"− {each}" for each in parts["missing"]),
            *(f"✗ {each}" for each in parts["conflicts"]),
        ]
        rows.append(f"{one['score']:.2f} {one['code']} {one['name']} {one['spec']}: {', '.join(why)}")
    return "\n".join(rows)


def undoing(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Bring the rules for matching back to what they were before")


@tool("app.write", title=N_("Undo the last change of the rules"), approval_text=undoing)
async def undo_rules(ctx: ToolContext) -> ToolResult:
    """The rules as they were before they were last kept; that is a change too, and can be undone."""
    may_write(ctx)
    document = await BOOK.find(ctx, RULES)
    if document is None or document.version < 2:
        raise ToolError("NOTHING", ctx.say("there is nothing to undo"))
    older = await BOOK.get(ctx, RULES, document.version - 1)
    await BOOK.put(ctx, RULES, older.body, base=document.version)
    return _result(ctx, await _stored(ctx), ctx.say("The rules are as they were before."))


# ---------------------------------------------------------------- learned choices


def _learned_text(body: Mapping[str, Any]) -> str:
    rows = []
    for customer, entries in sorted(body.items()):
        head = f"[{customer}] " if customer else ""
        rows += [f"{head}{text} {_ARROW} {code}" for text, code in sorted(entries.items())]
    return "\n".join(rows)


def _read_learned(text: str, faults: list[RuleTextFault]) -> dict[str, dict[str, str]]:
    body: dict[str, dict[str, str]] = {}
    for number, row in enumerate(filter(str.strip, text.splitlines()), 1):
        customer, rest = "", row.strip()
        if rest.startswith("["):
            customer, _bracket, rest = rest[1:].partition("]")
        words, arrow, code = rest.rpartition(_ARROW)
        if not arrow or not words.strip() or not code.strip():
            faults.append(RuleTextFault("learned", number, row.strip()[:60], "single"))
            continue
        body.setdefault(customer, {})[folded(words)] = code.strip()
    return body


# ---------------------------------------------------------------- the card


def _result(ctx: ToolContext, shown: _Shown, words: str = "") -> ToolResult:
    """`words` say what was done; what was tried stands below its own field."""
    names = ("synonyms", "forbidden", "equivalent", *(("learned",) if shown.learned is not None else ()))
    counts = [len(text.splitlines()) for text in asdict(shown.texts).values()]
    summary = words or ctx.say("{n} rules for matching", n=sum(counts))
    base = {"base": shown.base}
    actions = [
        CardAction("save", ctx.say("Keep the rules"), "save_rules", base, "primary", fills=names),
        CardAction("try", ctx.say("Try on the line"), "try_rules", base, fills=(*names, "line")),
    ]
    if shown.has_before:
        actions.append(CardAction("undo", ctx.say("Undo"), "undo_rules"))
    card = Card(
        "form",
        {"title": ctx.say("Matching rules"), "note": "" if shown.tried else words, "fields": _fields(ctx, shown)},
    )
    data = {
        **asdict(shown.texts),
        "learned": shown.learned,
        "version": shown.base,
        "tried": shown.tried,
        "words": summary,
    }
    return ToolResult.success(data, summary, display=as_answer(card, summary, actions))


def _fields(ctx: ToolContext, shown: _Shown) -> Sequence[Mapping[str, Any]]:
    texts = shown.texts
    groups = ctx.say("one group per line, elbow = bend; the first stands for all")
    fields = [
        ("synonyms", ctx.say("Words of one meaning"), texts.synonyms, groups),
        ("forbidden", ctx.say("Never the same"), texts.forbidden, ctx.say("one pair per line: hot ≠ cold")),
        ("equivalent", ctx.say("Equal sizes"), texts.equivalent, ctx.say('one group per line: 3/4" = dn25')),
    ]
    if shown.learned is not None:
        fields.append(
            ("learned", ctx.say("Learned of your choices"), shown.learned,
             ctx.say("words → code; what you delete is forgotten"))
        )  # fmt: skip
    rows = [{"name": name, "label": label, "kind": "lines", "value": value, "hint": hint}
            for name, label, value, hint in fields]  # fmt: skip
    hint = shown.tried or ctx.say("shows what it is matched to with the rules above, before they are kept")
    return [*rows, {"name": "line", "label": ctx.say("Try a line"), "kind": "text", "value": shown.line, "hint": hint}]


TOOLS = (show_matching_rules, save_rules, try_rules, undo_rules)
