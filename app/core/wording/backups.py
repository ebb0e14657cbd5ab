"""What a backup holds beside the sessions, counted in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from app.core.text.i18n import _, ngettext


def items_text(kinds: Iterable[str]) -> str:
    """`kinds`: settings, provider, agent, skill, knowledge; "" for none."""
    counts = Counter(kinds)
    words = {
        "provider": ngettext("{n} provider", "{n} providers", counts["provider"]),
        "agent": ngettext("{n} agent", "{n} agents", counts["agent"]),
        "skill": ngettext("{n} skill", "{n} skills", counts["skill"]),
        "knowledge": ngettext("{n} knowledge base", "{n} knowledge bases", counts["knowledge"]),
    }
    listed = [_("settings")] if counts["settings"] else []
    listed += [text.format(n=counts[kind]) for kind, text in words.items() if counts[kind]]
    return _(", ").join(listed)
