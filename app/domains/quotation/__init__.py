"""The quotation agent's trade: price lists, which product a line means, and the quotation of a whole sheet.

All of it is computed without a model: `reading` turns sheets of others into items and lines, `matching` finds the
product of a line and says why, `filling` writes into a copy and changes nothing else. Amounts are exact decimals.
"""

from app.core.domain import Domain, Hook
from app.core.resources import domain_dir

from .hooks import after_call, before_call
from .settings import QuotationSettings
from .slots import SLOTS
from .tools import export, matching, price_lists, quotes, registers, rule_screen, rules, sheet_edits

TOOLS = (
    *price_lists.TOOLS,
    *matching.TOOLS,
    *quotes.TOOLS,
    *export.TOOLS,
    *sheet_edits.TOOLS,
    *registers.TOOLS,
    *rules.TOOLS,
    *rule_screen.TOOLS,
)
DOMAIN = Domain(
    "quotation",
    TOOLS,
    domain_dir("quotation"),
    settings=QuotationSettings,
    slots=SLOTS,
    hooks=(Hook(before_call, after_call),),
)

__all__ = ["DOMAIN", "TOOLS"]
