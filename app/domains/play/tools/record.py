"""Everything kept of a child to be read by people: the words of the cards. For programs there is JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from app.core.stores import Document
from app.core.tools.card_markdown import card_markdown
from app.core.tools.tool import ToolContext
from app.domains.kit.wording import N_, listed

from ..cards import KIND, printed
from ..model.child import child_from_json
from ..model.observation import observation_from_json
from ..model.session import session_from_json
from ..model.vocabulary import CAPACITIES, DIMENSIONS, LEVELS, SENSES, TRAITS
from ..store import CHILDREN, OBSERVATIONS, PLANS, SESSIONS, body_of
from .profile import TEXTS
from .sessions import facts_of

NAMES = {
    CHILDREN.kind: N_("Profile"), OBSERVATIONS.kind: N_("Observations"), PLANS.kind: N_("Games"),
    SESSIONS.kind: N_("Play sessions"),
}  # fmt: skip
_STATUS = {
    "emerging": N_("begins to"), "comes_and_goes": N_("comes and goes"), "steady": N_("steady"),
    "unsure": N_("not sure"),
}  # fmt: skip
Fact = tuple[str, object]


def markdown(ctx: ToolContext, kept: Mapping[str, Sequence[Document]]) -> str:
    titles = {one.id: str(body_of(body_of(one.body).get("plan")).get("title", "")) for one in kept.get(PLANS.kind, ())}
    lines: list[str] = []
    for kind, documents in kept.items():
        lines += [f"# {ctx.say(NAMES[kind])}", ""]
        for document in documents:
            lines += [*_entry(ctx, kind, body_of(document.body), titles), ""]
    return "\n".join(lines)


def html(text: str) -> str:
    """What `markdown` gave, to be printed."""
    return f"<html><body>{''.join(map(_line, text.splitlines()))}</body></html>"


def _entry(ctx: ToolContext, kind: str, body: dict[str, Any], titles: Mapping[str, str]) -> list[str]:
    """One that is damaged is given as it is stored."""
    try:
        if kind == CHILDREN.kind:
            return _listed(str(body["nickname"]), _profile(ctx, body))
        if kind == OBSERVATIONS.kind:
            return _observation(ctx, body)
        if kind == PLANS.kind:
            plan = body_of(body["plan"])
            game = {**printed(ctx, plan, [], []), "title": ""}
            return [f"## {plan['title']}", "", *card_markdown(KIND, game).splitlines()]
        session = session_from_json(body)
        title = f"{session.started.date().isoformat()} {titles.get(session.plan, '')}".strip()
        return _listed(title, facts_of(ctx, session))
    except (KeyError, TypeError, ValueError, AttributeError):
        return _listed("-", list(body.items()))


def _listed(title: str, facts: Sequence[Fact]) -> list[str]:
    return [f"## {title}", "", *(f"- {name}: {value}" for name, value in facts if value not in ("", None, [], ()))]


def _profile(ctx: ToolContext, body: dict[str, Any]) -> list[Fact]:
    one = child_from_json(body)
    facts: list[Fact] = [
        (ctx.say("Month of birth"), one.birth_month),
        (ctx.say("Consent"), f"{one.consent.guardian}, {one.consent.date.isoformat()}"),
    ]
    texts = {
        "communication_level": ctx.say(LEVELS[one.communication]) if one.communication else "",
        "motor_notes": one.motor_notes, "play_space": one.play_space,
    }  # fmt: skip
    facts += [(ctx.say(TEXTS[name]), text) for name, text in texts.items()]
    lists = {
        "likes": one.likes, "dislikes": one.dislikes, "triggers": one.triggers, "calms": one.calms,
        "allergies": one.allergies, "medical_cautions": one.cautions,
    }  # fmt: skip
    facts += [(ctx.say(TEXTS[name]), listed(ctx.language, words)) for name, words in lists.items()]
    facts += [(ctx.say(SENSES[sense]), ctx.say(TRAITS[trait])) for sense, trait in one.sensory.items()]
    facts += [
        (ctx.say(CAPACITIES[number]), f"{ctx.say(_STATUS[noted.status])} {noted.note}".strip())
        for number, noted in sorted(one.capacities.items())
    ]
    facts.append((ctx.say("Names that never leave"), listed(ctx.language, [name.text for name in one.private_names])))
    facts.append((ctx.say("Diagnosis"), one.diagnosis))
    return facts


def _observation(ctx: ToolContext, body: dict[str, Any]) -> list[str]:
    seen = observation_from_json(body)
    facts: list[Fact] = [(ctx.say("Where"), seen.setting)]
    for one in seen.matches:
        numbers = {"intensity": f"{one.intensity:+g}", "weight": f"{one.weight:g}"}
        facts.append((ctx.say(DIMENSIONS[one.dimension]), ctx.say("liking {intensity}, related {weight}", **numbers)))
    title, _blank, *rest = _listed(f"{seen.date.isoformat()} ", facts)
    return [title.strip(), "", seen.text, "", *rest]


def _line(line: str) -> str:
    text = line.strip()
    for mark, tag in (("#### ", "h4"), ("## ", "h2"), ("# ", "h1")):
        if text.startswith(mark):
            return f"<{tag}>{escape(text.removeprefix(mark))}</{tag}>"
    plain = escape(text.replace("**", "").replace("\\", ""))
    return f"<p>{'• ' + plain.removeprefix('- ') if plain.startswith('- ') else plain}</p>" if plain else ""
