"""An outside service a domain can use, and the address a person may put in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`label` and `help` are marked for translation where they are written (`N_`)."""

    id: str
    """`<domain>.<service>`, under which the preferences keep another address."""
    address: str
    label: str
    help: str = ""
    credit: str = ""
    """The line its data are shown with."""
    pace: float = 0.2
    """Seconds between two requests to its host."""
    words: str = ""
    """What else a person may type who looks for this setting; marked for translation."""
    formerly: str = ""
    """The name of the preference that held its address before domains had endpoints."""

    def at(self, addresses: Mapping[str, str]) -> str:
        """Its address, where `addresses` are those the person chose, by id."""
        return addresses.get(self.id, "").strip() or self.address

    def is_own(self, addresses: Mapping[str, str]) -> bool:
        """Whether the person has put an address of their own in its place: that one may be on their network."""
        return self.at(addresses) != self.address

    def host(self, addresses: Mapping[str, str]) -> str:
        """What the person is asked to allow; "" for an address that is none."""
        try:
            return urlsplit(self.at(addresses)).hostname or ""
        except ValueError:
            return ""
