"""Words for copies of the data: when, why, how large."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.text.i18n import N_, _
from app.core.text.moments import MINUTE, time_text

_WHY: Mapping[str, str] = {
    "regular": N_("by itself"),
    "manual": N_("by you"),
    "fresh": N_("after erasing"),
    "before-restore": N_("before a restore"),
    "before-import": N_("before an import"),
}


def why_title(why: str) -> str:
    if why.startswith("before-v"):
        return _("before an update")
    return _(_WHY[why]) if why in _WHY else why


def moment_text(seconds: float) -> str:
    """Local time; 0 is a time nobody knows."""
    return time_text(seconds, MINUTE) or _("at an unknown time")


def size_text(count: int) -> str:
    """12 kB, 3.4 MB, 1.2 GB."""
    if count < 1_000_000:
        return _("{n:.0f} kB").format(n=max(1.0, count / 1_000) if count else 0.0)
    if count < 1_000_000_000:
        return _("{n:.1f} MB").format(n=count / 1_000_000)
    return _("{n:.1f} GB").format(n=count / 1_000_000_000)
