"""The research agent's trade: findings with their evidence, when it is enough, and reports with valid citations.

Pages and documents come from tools of no domain; what they read is stored in the session's sources (core/sources.py).
The rules are pure modules; `citations` checks any report by its text alone. The `tools` modules only read arguments
and word the results.
"""

from app.core.domain import Domain
from app.core.resources import domain_dir
from app.domains.kit.topic import TOPIC

from .settings import ResearchSettings
from .tools.citations import check_citations
from .tools.findings import note_finding
from .tools.report import check_report, export_report, finish_report
from .tools.sufficiency import evaluate_sufficiency

TOOLS = (note_finding, evaluate_sufficiency, check_citations, finish_report, check_report, export_report)
DOMAIN = Domain("research", TOOLS, domain_dir("research"), settings=ResearchSettings, slots=(TOPIC,))

__all__ = ["DOMAIN", "TOOLS"]
