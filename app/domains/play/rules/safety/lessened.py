"""When a rule's block is only a warning: where the sentence itself says what makes the thing harmless.

A low weight of all words alone is not enough: it says that such words stood in harmless texts, not why this one is.
Needed are both, a reason that can be named and shown, and nothing in the sentence that speaks against it. Only dangers
of things and places that depend on how they are used can be lessened. What is never: force and restraint, diagnosis,
cures and medicines, a child without a grown-up, what chokes or poisons, lights with seizures, hurting oneself.
"""

from __future__ import annotations

import re

from app.core.text.i18n import N_

from .weights import EXCUSES_BELOW, weight_of
from .word_classes import classes_of

MAY_BE = ("S04", "S05", "S08", "S09", "S15")
"""Water, cords, heights, heat and tools, outdoors."""
REASONS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    (N_("it is put away, cold or not used"), frozenset({"put_away", "off_cold"}), frozenset(MAY_BE)),
    (N_("a grown-up does it"), frozenset({"adult_does"}), frozenset({"S05", "S09"})),
    (N_("a grown-up holds on or stays beside"), frozenset({"adult_beside"}), frozenset({"S04", "S08", "S15"})),
    (N_("it is pretended, or done to a toy"), frozenset({"pretend", "figure"}), frozenset({"S05", "S08"})),
)
"""In words, the classes of words that say so, and the codes they count for: a bath is no safer for a toy in it, nor is
a hot iron. Chosen on 1,559 texts that would hurt, each weighed by what was learned from other files: none is lessened;
with negations as a reason, and toys for heat and tools as well, four were."""
_AGAINST = frozenset(
    "medicine chemical alcohol_drug diagnosis cure given_up therapy_unproven plant_poison magnet_battery balloon "
    "bag_film openings insert into_mouth neck_body tying cover_face breath grip hurt shame threat secret_post withhold "
    "persist ignored lock_in sleep_loss adult_leaves alone self_does sibling_screen undress electric".split()
)
_SELF_HARM = re.compile(
    r"(?:撞|磕|砸|打|咬|抓|抠|掐)(?:自己|头|脑袋)|自(?:伤|残)|\b(?:bang|hit|bite|scratch|hurt)\w* (?:him|her|them)sel|"
    r"\bhead[- ]?bang|\b(?:bang|hit|knock)\w* (?:his|her|their) (?:own )?head|\bself[- ](?:harm|injur)"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？；;\n])")


def why_lessened(code: str, words: str, text: str) -> str:
    """The reason, marked for translation; empty where the block stands. Both texts are folded."""
    if code not in MAY_BE or weight_of(text).score >= EXCUSES_BELOW or _SELF_HARM.search(text):
        return ""
    sentences = [one for one in _SENTENCE.split(text) if words.strip() in one]
    if not sentences:
        return ""
    reasons = [_reason(code, sentence) for sentence in sentences]
    return reasons[0] if all(reasons) else ""


def _reason(code: str, sentence: str) -> str:
    classes = classes_of(sentence)
    if classes & _AGAINST:
        return ""
    return next((words for words, names, codes in REASONS if code in codes and classes & names), "")
