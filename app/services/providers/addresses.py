"""Checks the address of a provider; an error names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from app.core.errors import BadInput
from app.core.text.value_faults import value_fault
from app.providers.registry.catalog import ProviderConfig, base_address


def checked_config(values: Mapping[str, Any]) -> ProviderConfig:
    """Raises BadInput."""
    try:
        config = ProviderConfig.model_validate(values)
    except ValidationError as error:
        fault = value_fault(error)
        raise BadInput(fault.clause("en"), **fault.params) from error
    if not config.address:
        raise BadInput("the address is missing", hint="such as https://host/v1", reason="NO_ADDRESS", place="base_url")
    check_address(config.address)
    return config


def service_address(address: str) -> str:
    """The address to use instead of `address`, if that is the one of a single call; "" if it is not."""
    return base_address(address)


def check_address(address: str, hint: str = "") -> None:
    """Raises BadInput for the address of one call: every question would be asked at a path that is not there."""
    if base := service_address(address):
        raise BadInput(
            f"{address} is the address of one call, not of the service",
            hint=hint or f"use {base}", reason="CALL_ADDRESS", place="base_url", address=base,
        )  # fmt: skip
