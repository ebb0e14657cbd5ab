"""The arguments of a tool call: read forgivingly, run exactly.

    hints    what a signature says beside its types: other names, synonyms, units
    shapes   one way to look at a JSON schema
    judge    every fault of a value against a schema
    mend     the one pass before hooks, check and permission: what has one meaning only becomes what is due
    values   single values: numbers, choices, days, lists written as text
    refusal  what is said when arguments cannot be used, in the language of the run

Pure: who calls is `agent/tools` before a tool runs, and the planner's reader before a plan is shown.
"""

from .judge import judge
from .mend import Mended, Note, mend

__all__ = ["Mended", "Note", "judge", "mend"]
