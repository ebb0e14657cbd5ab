"""An outside service a domain can use, and the address a person may put in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

CHOSEN = ".service"
"""Behind the id of a service: where the addresses name the one that is asked in its place."""


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
    formerly: str = ""
    """The name of the preference that held its address before domains had endpoints."""
    name: str = ""
    """Of the service itself where `label` says what it is for."""
    needs_key: bool = False
    home: str = ""
    """Where a key is had."""
    others: tuple[Endpoint, ...] = ()
    """Services that give the same; the person chooses which one is asked."""
    trial: tuple[tuple[str, str], ...] = ()
    """Arguments of its tool when the person tests the service; `{today}` is that day."""

    def every(self) -> Iterator[Endpoint]:
        yield self
        yield from self.others

    def chosen(self, addresses: Mapping[str, str]) -> Endpoint:
        """The service that is asked."""
        wanted = addresses.get(self.id + CHOSEN, "")
        return next((one for one in self.others if one.id == wanted), self)

    def at(self, addresses: Mapping[str, str]) -> str:
        """Its address, where `addresses` are those the person chose, by id."""
        return addresses.get(self.id, "").strip() or self.address

    def is_own(self, addresses: Mapping[str, str]) -> bool:
        """Whether the person has put an address of their own in its place: that one may be on their network."""
        return self.at(addresses) != self.address

    def host(self, addresses: Mapping[str, str]) -> str:
        """What the person is asked to allow; "" for an address that is none."""
        try:
            return urlsplit(self.chosen(addresses).at(addresses)).hostname or ""
        except ValueError:
            return ""
