"""The citations of a report, read from its text alone: nobody has to have written it with this program.

text      the draft folded sign by sign     headings  which heading is one of sources
listing   the sources it lists              marks     the references in its text
figures   sentences that state a figure     quotes    quotations and their references
check     what is wrong, by code and place
"""

from .check import NAMES, WARNINGS, CitationReport, Problem, Retrieved, check

__all__ = ["NAMES", "WARNINGS", "CitationReport", "Problem", "Retrieved", "check"]
