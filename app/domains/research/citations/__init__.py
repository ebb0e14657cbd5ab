"""Checks the citations of any report, by its text alone.

text      the draft, normalised character by character     headings  which headings are of sources
listing   the sources it lists                             marks     the references in its text
figures   sentences that state a figure                    quotes    quotations and their references
check     the problems, by code and place
"""

from .check import NAMES, WARNINGS, CitationReport, Problem, Retrieved, check

__all__ = ["NAMES", "WARNINGS", "CitationReport", "Problem", "Retrieved", "check"]
