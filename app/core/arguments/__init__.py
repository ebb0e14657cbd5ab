"""The arguments of a tool call: read forgivingly, run exactly.

    hints    what a signature says beyond its types: other names, synonyms, units
    shapes   one way to read a JSON schema
    judge    every fault of a value against a schema
    mend     the one pass before hooks, check and permission: corrects what has exactly one meaning
    values   single values: numbers, choices, days, lists written as text
    refusal  the message for arguments that cannot be used, in the language of the run

Pure functions. `agent/tools` calls them before a tool runs, the planner's reader before a plan is shown.
"""

from .judge import judge
from .mend import Mended, Note, mend

__all__ = ["Mended", "Note", "judge", "mend"]
