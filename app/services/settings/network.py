"""The network policy of the program: the preferences, and TRIPTYCH_OFFLINE over them."""

from __future__ import annotations

from collections.abc import Mapping

from .settings import SettingsService


class NetworkSettings:
    """A `NetworkPolicy` that follows the preferences."""

    def __init__(self, settings: SettingsService, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._always_offline = environ.get("TRIPTYCH_OFFLINE", "") not in ("", "0")

    @property
    def offline(self) -> bool:
        return self._always_offline or self._settings.preferences.offline

    @property
    def proxy(self) -> str:
        return self._settings.preferences.proxy
