"""The research agent's trade: findings with their evidence, when it is enough, and reports whose citations hold.

What is read of others comes from tools of no domain (web, documents) and stands in the session's sources
(core/sources.py). Rules stand in pure modules; `citations` reads a report of anybody's from its text alone. The `tools`
modules only read arguments and find the words.
"""

from app.core.domain import Domain
from app.core.resources import domain_dir

from .settings import ResearchSettings
from .slots import SLOTS
from .tools.citations import check_citations
from .tools.findings import note_finding
from .tools.report import check_report, export_report, finish_report
from .tools.sufficiency import evaluate_sufficiency

TOOLS = (note_finding, evaluate_sufficiency, check_citations, finish_report, check_report, export_report)
DOMAIN = Domain("research", TOOLS, domain_dir("research"), settings=ResearchSettings, slots=SLOTS)

__all__ = ["DOMAIN", "TOOLS"]
