"""Around every model request: a red flag is answered by a fixed text, names leave as stand-ins, a plan is handed in."""

from __future__ import annotations

import re

from app.core.domain import FixedReply, HandIn, Scrub
from app.core.profile import AgentProfile
from app.core.stores import DocumentStore
from app.core.tools.card import Card
from app.domains.kit.wording import say_in

from .rules.final import analysis_faults, final_json, is_analysis, is_plan, plan_faults
from .rules.privacy import pseudonyms_of
from .rules.red_flags import HELP, NO_GAME, red_flags
from .store import stored_child

LAST_REQUEST = (
    "If a game or an analysis of interests was asked for, output its final JSON now, whole, with every field, and"
    " nothing after it."
)
_HAN = re.compile("[\u4e00-\u9fff]")


def red_flag_gate(text: str, _profile: AgentProfile) -> FixedReply | None:
    """In the language of the text: who writes in fear does not look for a setting."""
    flags = red_flags(text)
    if not flags:
        return None
    language = "zh_CN" if _HAN.search(text) else "en"
    parts = [say_in(language, HELP[one.kind]) for one in flags]
    reply = "\n\n".join([*parts, say_in(language, NO_GAME)])
    return FixedReply(reply, Card("document", {"markdown": reply}))


async def names_of_the_child(documents: DocumentStore) -> Scrub:
    """Also without a profile: telephone numbers, addresses and schools never leave."""
    profile = await stored_child(documents)
    pseudonyms = pseudonyms_of(profile)
    return Scrub(pseudonyms.outgoing, pseudonyms.incoming, is_needed=profile is not None)


def json_handed_in(answer: str) -> HandIn | None:
    """The plan of a game at the end of an answer goes to save_game_plan, which checks its safety, an analysis of
    interests to show_interests, which puts the computed numbers in."""
    value = final_json(answer)
    if value is None:
        return None
    if is_plan(value):
        return HandIn("save_game_plan", {"plan": value}, tuple(plan_faults(value)))
    if is_analysis(value):
        return HandIn("show_interests", {"analysis": value}, tuple(analysis_faults(value)))
    return None
