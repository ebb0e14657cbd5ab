"""The fields of the preferences that depend on what is installed: the agents there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.setting import SettingInfo, describe


def fields(profiles: Sequence[AgentProfile]) -> list[SettingInfo]:
    ids = tuple(profile.id for profile in profiles)
    return [
        replace(info, kind="choice", choices=ids) if info.name == "default_agent" else info
        for info in describe(Preferences)
    ]


def field_words(profiles: Sequence[AgentProfile]) -> dict[str, dict[str, str]]:
    return {"default_agent": {profile.id: profile.title for profile in profiles}}


def changed(preferences: Preferences, values: Mapping[str, Any]) -> Preferences:
    """Raises pydantic's ValidationError."""
    return Preferences.model_validate({**preferences.model_dump(), **values})
