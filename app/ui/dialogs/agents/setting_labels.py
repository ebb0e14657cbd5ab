"""The words of the fixed choices in settings, by field and value."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.text.i18n import N_, _

_PANE = {"open": N_("Open"), "fold": N_("Open, folded at the end"), "closed": N_("Closed")}
_PREFERENCES: Mapping[str, Mapping[str, str]] = {
    "language": {"": N_("As the system"), "zh_CN": "简体中文", "en": "English"},
    "theme": {"system": N_("As the system"), "light": N_("Light"), "dark": N_("Dark")},
    "map_service": {
        "osm": N_("OpenStreetMap"),
        "amap": N_("Amap"),
        "baidu": N_("Baidu Maps"),
        "google": N_("Google Maps"),
        "apple": N_("Apple Maps"),
        "bing": N_("Bing Maps"),
    },
    "send_key": {"enter": N_("Enter"), "ctrl_enter": N_("Ctrl+Enter")},
    "reasoning_direct": _PANE,
    "reasoning_react": _PANE,
    "reasoning_plan": _PANE,
}
_PROFILE: Mapping[str, Mapping[str, str]] = {
    "reply_style": {
        "": N_("As the system prompt says"),
        "warm": N_("Warm"),
        "friendly": N_("Friendly"),
        "professional": N_("Professional"),
        "playful": N_("Playful"),
        "brief": N_("Brief"),
    },
    "reasoning_effort": {
        "auto": N_("As the service does"),
        "off": N_("Off, or the least"),
        "low": N_("Low"),
        "medium": N_("Medium"),
        "high": N_("High"),
    },
    "dialect": {
        "auto": N_("Chosen by the model"),
        "native": N_("As the service offers it"),
        "tags": N_("As tags in the text"),
        "json": N_("As JSON in the text"),
    },
    "reflection_style": {"guided": N_("Guided"), "scored": N_("Scored")},
    "long_results": {"cut": N_("Cut in the middle"), "summarise": N_("Summarise by the model")},
    "memory_confirm": {
        "ask": N_("Confirm each"),
        "requests": N_("Keep what you ask it to remember"),
        "auto": N_("Keep all"),
    },
    "plan_review": {"always": N_("Always"), "writes": N_("When it writes or goes out"), "never": N_("Never")},
}
_SYNONYMS: Mapping[str, str] = {
    "language": N_("Chinese English translation"),
    "theme": N_("dark mode light mode night colours appearance"),
    "text_font": N_("typeface letters"),
    "code_font": N_("monospace typeface"),
    "zoom": N_("font size larger smaller zoom scale"),
    "reduced_motion": N_("animation accessibility blinking"),
    "export_folder": N_("files documents download save"),
    "map_service": N_("maps open place navigation"),
    "map_tiles": N_("maps tiles streets background online"),
    "map_tile_address": N_("maps tiles server URL"),
    "map_tile_credit": N_("maps tiles attribution copyright"),
    "send_key": N_("Enter new line shortcut message"),
    "notifications": N_("notify alert message desktop"),
    "approval_minutes": N_("permission timeout time-out confirm ask"),
    "default_model": N_("LLM provider standard"),
    "default_agent": N_("assistant standard new session"),
    "direct_fallback": N_("automatic change mode"),
    "earlier_plans": N_("learning memory history privacy"),
    "tool_hints": N_("learning rating thumbs history privacy"),
    "plan_words": N_("automatic mode rules keywords"),
    "react_words": N_("automatic mode rules keywords"),
    "direct_words": N_("automatic mode rules keywords"),
    "reasoning_direct": N_("right pane thinking panel sidebar"),
    "reasoning_react": N_("right pane thinking panel sidebar"),
    "reasoning_plan": N_("right pane thinking panel sidebar"),
    "session_budget": N_("limit cost money tokens spending"),
    "day_budget": N_("limit cost money tokens spending"),
    "proxy": N_("network internet VPN HTTP SOCKS"),
    "offline": N_("internet network airplane privacy"),
    "update_feed": N_("update newer version release check"),
}
"""What else a person may type who looks for it."""
PERMISSIONS: Mapping[str, str] = {"deny": N_("Deny"), "ask": N_("Ask"), "allow": N_("Allow")}


def preference_words() -> dict[str, dict[str, str]]:
    return _translated(_PREFERENCES)


def preference_synonyms() -> dict[str, str]:
    """In both languages: who learned a word in one looks for it in the other."""
    return {name: f"{words} {_(words)}" for name, words in _SYNONYMS.items()}


def profile_words() -> dict[str, dict[str, str]]:
    return _translated(_PROFILE)


def _translated(table: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {name: {value: _(word) for value, word in words.items()} for name, words in table.items()}
