"""The built-in agents' trades, one folder each: their tools, rules and data.

`compose` takes `BUILTIN` and what plug-ins bring by the same door (core/domain.py), and knows no domain by name. A
domain knows core only and no other domain; who runs a tool, asks for permission or paints its card is left to the
floors above. To take a domain away, delete its folder here and in `resources`, and its line below.
"""

from app.core.domain import Domain

from .novel import DOMAIN as NOVEL
from .play import DOMAIN as PLAY
from .quotation import DOMAIN as QUOTATION
from .research import DOMAIN as RESEARCH
from .travel import DOMAIN as TRAVEL
from .workspace import DOMAIN as WORKSPACE

BUILTIN: tuple[Domain, ...] = (TRAVEL, RESEARCH, QUOTATION, WORKSPACE, NOVEL, PLAY)
"""To add a domain: its folder, an import and a name here."""
