"""The built-in agents' trades, one folder each: their tools, rules and data.

`compose` takes `BUILTIN` and what plug-ins bring by the same door (core/domain.py), and knows no domain by name. A
domain knows core only and no other domain; who runs a tool, asks for permission or paints its card is left to the
floors above. To take a domain away, delete its folder here and in `resources`, and its name below.
"""

from app.core.domain import Domain, DomainByName
from app.core.resources import domain_dir

NAMES = ("travel", "research", "quotation", "workspace", "novel", "play")
"""To add a domain: its folder, its name here. A domain is imported when one of its agents is first used."""

BUILTIN: tuple[Domain, ...] = tuple(DomainByName.at(id, domain_dir(id), f"{__name__}.{id}") for id in NAMES)
