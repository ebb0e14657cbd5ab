"""Whether a plan of a game is safe: fifteen codes, found by terms in Chinese and English and by age.

`text` folds a text and cuts it into clauses, `terms` has the words, `check` puts them together. A wrong alarm costs a
changed word; a missed one may cost a child. Where a text is unclear it is therefore a finding.
"""

from .check import Flags, SafetyFinding, check_game_safety, is_blocked

__all__ = ["Flags", "SafetyFinding", "check_game_safety", "is_blocked"]
