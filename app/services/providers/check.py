"""What a test of a connection found: where it fails, and what the person needs to know to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from app.core.errors import ModelError, NotFound
from app.providers.registry.model_list import ConnectionReport

Place = Literal["", "address", "host", "certificate", "key", "model", "proxy", "path"]
"""Where a connection fails; "" where nothing of the form is to blame."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a test of the connection found; `message` is redacted."""

    ok: bool
    code: str
    message: str
    hint: str
    ms: int
    model_listed: bool | None = None
    """Whether the provider's list has the model; None if there is no list."""
    place: Place = ""
    host: str = ""
    proxy: str = ""
    suggested: str = ""
    """An address that answers where the given one does not."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Values of the error, as `core.errors` gives them."""


def result_of(report: ConnectionReport) -> CheckResult:
    error = report.error
    return CheckResult(
        report.ok,
        "OK" if error is None else error.code,
        report.host if error is None else error.message,
        error.hint if error else "",
        int(report.seconds * 1000),
        report.model_listed,
        place=_place(error, bool(report.models)),
        host=report.host,
        proxy=report.proxy,
        suggested=report.suggested_url,
        params=dict(error.params) if error else {},
    )


_PLACES: Mapping[str, Place] = {
    "NETWORK": "host",
    "TIMEOUT": "host",
    "CERTIFICATE": "certificate",
    "AUTH": "key",
    "QUOTA": "key",
    "PERMISSION": "model",
    "PROXY": "proxy",
    "NOT_A_STREAM": "path",
    "REDIRECT": "path",
}


def _place(error: ModelError | None, has_list: bool) -> Place:
    if isinstance(error, NotFound):
        # Where there is a list, the path is right.
        return "model" if has_list else "path"
    return _PLACES.get(error.code, "") if error is not None else ""
