"""What rounds say of themselves: verdict, price, sum."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.core.run.analysis.round_report import RoundReport
from app.core.text.i18n import _, ngettext
from app.core.wording.figures import seconds_text, tokens_text
from app.core.wording.tools import tool_title

_NAMES_ITSELF = re.compile(r"\s*(still )?(missing|lacking)\b|\s*(还|仍)?(缺|差|需要|不够)", re.IGNORECASE)
"""What the model wrote says by itself that something is missing."""


def verdict_words(report: RoundReport) -> str:
    """ "Missing: the price → Search the web"."""
    if report.verdict == "enough":
        return _("Enough")
    if not report.verdict:
        return ""
    words = _("Missing: {what}").format(what=report.missing) if report.missing else _("Not enough yet")
    if _NAMES_ITSELF.match(report.missing):
        words = report.missing
    titles = ", ".join(map(tool_title, report.next))
    return f"{words} → {titles}" if titles else words


def cost_words(report: RoundReport) -> str:
    parts = []
    if report.tokens:
        parts.append(tokens_text(report.tokens))
    if report.seconds >= 0.05:
        parts.append(seconds_text(report.seconds))
    return " · ".join(parts)


def total_words(reports: Sequence[RoundReport]) -> str:
    """ "3 rounds in total · 4,700 tokens · 15 s"."""
    words = [ngettext("{n} round in total", "{n} rounds in total", len(reports)).format(n=len(reports))]
    if tokens := sum(report.tokens for report in reports):
        words.append(tokens_text(tokens))
    if (seconds := sum(report.seconds for report in reports)) >= 0.05:
        words.append(seconds_text(seconds))
    return " · ".join(words)


def use_words(report: RoundReport) -> str:
    """With its price, where the answer still has to be written."""
    words = _("Use the answer of round {n}").format(n=report.number)
    if report.draft or not report.answer_tokens:
        return words
    return _("{button} (≈ {tokens})").format(button=words, tokens=tokens_text(report.answer_tokens))
