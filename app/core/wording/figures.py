"""Durations and counts as a person reads them."""

from __future__ import annotations

from ..text.i18n import _, ngettext


def seconds_text(seconds: float) -> str:
    """3.2 s, 48 s, 2:05 min. Nothing that took its time took 0.0 s: those are milliseconds."""
    if 0 < seconds < 0.05:
        return _("{n} ms").format(n=max(1, round(seconds * 1_000)))
    if seconds < 10:
        return _("{n:.1f} s").format(n=seconds)
    if seconds < 60:
        return _("{n:.0f} s").format(n=seconds)
    return _("{m}:{s:02d} min").format(m=int(seconds) // 60, s=int(seconds) % 60)


def took_text(milliseconds: float) -> str:
    """How long one thing took: 83 ms, 3.2 s, 2:05 min."""
    if round(milliseconds) < 1_000:
        return _("{n} ms").format(n=max(1, round(milliseconds)))
    return seconds_text(milliseconds / 1_000)


def clock_text(seconds: float) -> str:
    """Whole seconds that count on: 3 s, 48 s, 2:05 min."""
    return _("{n:.0f} s").format(n=int(seconds)) if seconds < 60 else seconds_text(seconds)


def bytes_text(count: int) -> str:
    """812 bytes, 6.2 kB, 1.4 MB."""
    if count < 1_000:
        return ngettext("{n} byte", "{n} bytes", count).format(n=count)
    if count < 1_000_000:
        return _("{n:.1f} kB").format(n=count / 1_000)
    return _("{n:.1f} MB").format(n=count / 1_000_000)


def kept_text(age: float) -> str:
    """Of a result that was fetched in an earlier run; `age` in seconds."""
    minutes = int(age) // 60
    if minutes < 1:
        return _("kept from a moment ago")
    if minutes < 120:
        return ngettext("kept from {n} minute ago", "kept from {n} minutes ago", minutes).format(n=minutes)
    return _("kept from {n} hours ago").format(n=minutes // 60)


def tokens_text(count: int) -> str:
    if count >= 10_000:
        return _("{n:.1f}k tokens").format(n=count / 1000)
    return ngettext("{n:,} token", "{n:,} tokens", count).format(n=count)
