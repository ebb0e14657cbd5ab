"""What is wrong with the fields of a profile that their types do not tell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.agent.policy.hook_rules import hooks_of
from app.core.profile import AgentProfile
from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault

from .output_schemas import schema_fault


def first_fault(profile: AgentProfile, values: Mapping[str, Any]) -> ValueFault | None:
    """What is wrong and where; `values` are the fields somebody wrote, `profile` what was made of them."""
    fields = {**values, "output_schema": None}  # whose keys are its own
    dumped = profile.model_dump()
    for name, value in fields.items():
        if lost := _lost(value, dumped[name], name):
            return ValueFault(lost, N_("unknown field"))
    if values.get("output_schema") is not None:
        fault = schema_fault(json.dumps(values["output_schema"]))
        if fault is not None:
            detail = f"{fault.code}{': ' + fault.detail if fault.detail else ''}"
            return ValueFault("output_schema", N_("no JSON schema ({detail})"), {"detail": detail})
    if "hooks" in values and (faults := hooks_of(profile.hooks)[1]):
        return faults[0]
    return None


def _lost(given: Any, made: Any, place: str) -> str:
    """Where something was written that is not in what was made of it; "" for nowhere."""
    if isinstance(given, Mapping) and isinstance(made, Mapping):
        for key, value in given.items():
            if key not in made:
                return f"{place}.{key}"
            if lost := _lost(value, made[key], f"{place}.{key}"):
                return lost
    if isinstance(given, list) and isinstance(made, list | tuple):
        for number, (one, other) in enumerate(zip(given, made, strict=False)):
            if lost := _lost(one, other, f"{place}.{number}"):
                return lost
    return ""
