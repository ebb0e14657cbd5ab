"""The research agent's trade: findings with their evidence, when it is enough, and reports whose citations hold.

What is read of others comes from tools of no domain (web, documents) and stands in the session's sources
(core/sources.py). Rules stand in pure modules; `citations` reads a report of anybody's from its text alone. The `tools`
modules only read arguments and find the words.
"""

from app.core.domain import Domain
from app.core.resources import domain_dir

from .tools.citations import check_citations

TOOLS = (check_citations,)
DOMAIN = Domain("research", TOOLS, domain_dir("research"))

__all__ = ["DOMAIN", "TOOLS"]
