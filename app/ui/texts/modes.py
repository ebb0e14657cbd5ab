"""Words for modes, and for what Auto chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.core.run.mode import DIRECT, PLAN, REACT, mode_name
from app.core.text.i18n import N_, _, ngettext
from app.core.wording.figures import seconds_text

if TYPE_CHECKING:
    from app.core.run.analysis.run_stats import Measured


_WITH_FIGURES = (DIRECT, REACT, PLAN)


def mode_title(mode: str) -> str:
    return _(mode_name(mode))


_MODE_ICONS: Mapping[str, str] = {DIRECT: "bolt", REACT: "route", PLAN: "list"}


def mode_icon(mode: str) -> str:
    """ "" for one without: an action of a card, a mode of a plug-in."""
    return _MODE_ICONS.get(mode, "")


_MODE_TIPS: Mapping[str, str] = {
    "auto": N_(
        "Chooses one of the three by words of your question, and says which and why.\n"
        "You can run the question again in another mode with one click."
    ),
    "direct": N_(
        "One answer, no tools, no rounds.\n"
        "For greetings, facts, rewording.\n"
        "Usually under 3 s, 100–800 tokens."
    ),
    "react": N_(
        "Thinks, calls tools, judges the results, goes on until it knows enough.\n"
        "For questions that need looking up.\n"
        "Usually 1–10 s, 200–2,000 tokens."
    ),
    "plan": N_(
        "Writes a plan you can edit, then works it off step by step with tools.\n"
        "For tasks with several parts.\n"
        "Usually 3–30 s, 400–3,000 tokens."
    ),
}  # fmt: skip


def mode_tip(mode: str, own: Measured | None = None) -> str:
    """`own`: what this person's runs took, in place of the general figures in the last line."""
    tip = _(_MODE_TIPS[mode]) if mode in _MODE_TIPS else ""
    if own is None or mode not in _WITH_FIGURES:
        return tip
    measured = ngettext("Your last {n} run: {low}–{high}, {least:,}–{most:,} tokens.",
                    "Your last {n} runs: {low}–{high}, {least:,}–{most:,} tokens.", own.runs)  # fmt: skip
    low, high = seconds_text(own.seconds[0]), seconds_text(own.seconds[1])
    figures = measured.format(n=own.runs, low=low, high=high, least=own.tokens[0], most=own.tokens[1])
    return "\n".join([*tip.split("\n")[:-1], figures])


_REASONS: Mapping[str, str] = {
    "greeting": N_("only a greeting"),
    "planning_words": N_("matched: {matched}"),
    "day_count": N_("matched: {matched}"),
    "lookup_words": N_("matched: {matched}"),
    "direct_words": N_("matched: {matched}"),
    "default": N_("the agent's default"),
    "preference": N_("you rated it higher for such questions"),
}


def mode_choice(mode: str, reason: str, matched: tuple[str, ...] = ()) -> str:
    """What Auto did, for the chip: "Plan – matched: 规划, 3日"."""
    why = _(_REASONS[reason]).format(matched=", ".join(matched)) if reason in _REASONS else reason
    return _("{mode} – {why}").format(mode=mode_title(mode), why=why) if why else mode_title(mode)
