"""The fields of the preferences that depend on what is installed: the agents there are, the services of domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.setting import SettingInfo, describe
from app.core.text.i18n import N_, _
from app.core.tools.endpoint import Endpoint

PREFIX = "endpoint:"
"""Of the name of a field that holds the address of a service."""
NETWORK = N_("Network and privacy")


def fields(profiles: Sequence[AgentProfile], endpoints: Sequence[Endpoint]) -> list[SettingInfo]:
    ids = tuple(profile.id for profile in profiles)
    own = [
        replace(info, kind="choice", choices=ids) if info.name == "default_agent" else info
        for info in describe(Preferences)
    ]
    return [*own, *map(_address_field, endpoints)]


def field_words(profiles: Sequence[AgentProfile]) -> dict[str, dict[str, str]]:
    return {"default_agent": {profile.id: profile.title for profile in profiles}}


def further_words(endpoints: Sequence[Endpoint]) -> dict[str, str]:
    """What else each address is found by, in both languages."""
    return {PREFIX + one.id: f"{one.words} {_(one.words)}" for one in endpoints if one.words}


def values_of(preferences: Preferences, endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    addresses = {PREFIX + one.id: preferences.endpoints.get(one.id, "") for one in endpoints}
    return {**preferences.model_dump(), **addresses}


def changed(preferences: Preferences, values: Mapping[str, Any]) -> Preferences:
    """Raises pydantic's ValidationError."""
    addresses = {name.removeprefix(PREFIX): text for name, text in values.items() if name.startswith(PREFIX)}
    endpoints_before = preferences.endpoints
    chosen = {id: text for id, text in addresses.items() if text or id in endpoints_before}
    own = {name: value for name, value in values.items() if not name.startswith(PREFIX)}
    return Preferences.model_validate({**preferences.model_dump(), **own, "endpoints": {**endpoints_before, **chosen}})


def _address_field(endpoint: Endpoint) -> SettingInfo:
    return SettingInfo(
        name=PREFIX + endpoint.id, kind="str", optional=False, default="", low=None, high=None, max_length=500,
        choices=(), title=endpoint.label, help=endpoint.help, group=NETWORK, widget="text", unit="", clamp=False,
    )  # fmt: skip
