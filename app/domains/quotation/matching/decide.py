"""What becomes of a line: exact, single, needs_selection or unmatched. The rules of agents.md 6.3, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .features import features, folded
from .index import MatchIndex
from .ranking import in_order
from .scoring import Score, best_first, differ_where_open, score
from .tables import feature_tokens

NEAREST = 0.1
_CODED_WORDS, _CODED_BACK = 0.5, 0.1
_RIVALS, _RIVAL_GAP = 8, 2
"""How many of the next are looked at for variants of the first, and within how many times the lead asked for."""
_WHOLE, _ALL_WORDS = 0.9, 0.97
_SAME_WORDS, _TWIN, _NEXT_TO_NOTHING = 0.02, 0.7, 0.35
_WORDS_APART, _PLAIN = 0.3, 0.8
"""By how much less of the line another product may be meant as well, and the share of it that is said from which on it
is the same in fewer words."""
_UNSAID_WORDS = 0.85
"""Share of the line's words that a product must have which leaves the platform unsaid, to be meant as well."""
_STRANGE = 0.76
"""How telling a word only the product has may be: a magenta case is not taken for a case."""
_SWAPPED = 0.9
"""Share of the line's words below which one of them lacks; a product with words of its own has another in its place."""
_PROSE, _PROSE_SHARE = 80, 0.3
"""Characters from which on a specification is prose, and how much it adds."""
Status = Literal["exact", "single", "needs_selection", "unmatched"]


@dataclass(frozen=True, slots=True)
class Thresholds:
    accept: float = 0.80
    """Score from which a product may be taken without asking."""
    gap: float = 0.06
    """How far the next product must be behind it."""
    floor: float = 0.30
    """Below it nothing is a match; the nearest are still named."""
    back: float = 0.60
    """Share of what the product says that the line must say to have it taken without asking."""
    words: float = 0.72
    """Share of the line's words that the product must have to be taken without asking."""


@dataclass(frozen=True, slots=True)
class Request:
    name: str
    spec: str = ""
    code: str = ""
    unit: str = ""

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.name, self.spec)))

    @property
    def is_prose(self) -> bool:
        return len(self.spec) > _PROSE

    @property
    def key(self) -> str:
        """By which a correction is found again."""
        return folded(self.text)


@dataclass(slots=True)
class Match:
    status: Status
    candidates: list[Score]
    chosen: int | None = None
    source: str = ""
    """What decided: code, correction, text, score."""
    doubts: list[str] = field(default_factory=list)


def match(
    index: MatchIndex, request: Request, limits: Thresholds, corrections: Mapping[str, str], limit: int = 8
) -> Match:
    """`corrections`: folded texts and the code a person chose for them."""
    if (places := _by_code(index, request)) is not None:
        return _settled(index, request, places, "code")
    if (code := corrections.get(request.key)) and (places := index.by_code.get(_code_key(code))):
        return _settled(index, request, places, "correction")
    scores, line = scores_of(index, request)
    by_score = [one for one in best_first(scores) if one.value >= NEAREST and one.forbidden is None]
    ranked = in_order(by_score, line, index)
    if not ranked or by_score[0].value < limits.floor:
        return Match("unmatched", _falling(ranked[:limit]), doubts=_forbidden(scores))
    same = index.by_text.get(request.key, ())
    if len(same) == 1 and by_score[0].is_clean:
        first = next((one for one in ranked if one.place == same[0]), ranked[0])
        others = [one for one in ranked if one.place != first.place]
        if not any(_is_twin(one, first) or _says_all(one, first) for one in others[:_RIVALS]):
            first.value = 1.0
            return Match("exact", _falling([first, *others][:limit]), first.place, "text")
    doubts = _doubts(ranked, limits)
    best = _falling(ranked[:limit])
    if doubts:
        return Match("needs_selection", best, doubts=doubts)
    return Match("single", best, best[0].place, "score")


def _falling(ranked: list[Score]) -> list[Score]:
    """None shows more than the one before it."""
    for one, before in zip(ranked[1:], ranked, strict=False):
        one.value = min(one.value, before.value)
    return ranked


def scores_of(index: MatchIndex, request: Request) -> tuple[list[Score], str]:
    """Of the products that share the most with the line, and the text that decides. A specification of many words is
    prose: the name decides, and the prose only says which of equal ones is meant."""
    deciding, texts = "", [request.name, request.text] if request.is_prose else [request.text]
    scores: dict[int, Score] = {}
    for text in texts:
        line = features(text, index.lexicon)
        deciding = deciding or line.text
        near = {
            word: other for word in (*line.words, *line.models) if not index.knows(word) and (other := index.near(word))
        }
        for place in tuple(scores) or index.candidates({*feature_tokens(line), *near.values()}):
            one = score(index, place, line, near)
            if place in scores:
                scores[place].value = min(1.0, scores[place].value + _PROSE_SHARE * one.value)
            else:
                scores[place] = one
    return list(scores.values()), deciding


def _doubts(ranked: list[Score], limits: Thresholds) -> list[str]:
    """Why the first may not be taken without asking."""
    first = ranked[0]
    doubts = []
    # A maker's code that both have says more than all words: what else the one or the other says may then lack.
    words, back = (_CODED_WORDS, _CODED_BACK) if first.coded else (limits.words, limits.back)
    if first.value < limits.accept or first.words < words or (first.is_short and not first.coded):
        doubts.append("score")
    if first.conflicts:
        doubts.append("conflict")
    is_swapped = not first.coded and first.words < _SWAPPED and first.back < _WHOLE
    if first.missing or first.missing_code or is_swapped or (first.silent and not first.coded):
        doubts.append("missing")
    nearest = ranked[1:_RIVALS]
    rivals = [one for one in nearest if first.value - one.value < _RIVAL_GAP * limits.gap]
    is_open = any(differ_where_open(first, one) for one in rivals) or any(
        _may_be_it(one, first) or _says_all(one, first) for one in nearest
    )
    is_other = not first.coded and first.strange > _STRANGE
    if first.beyond or first.back < back or is_other or is_open:
        doubts.append("variant")
    if first.value - max((one.value for one in ranked[1:]), default=0.0) < limits.gap:
        doubts.append("gap")
    return doubts


def _may_be_it(one: Score, first: Score) -> bool:
    """Whether this may as well be what is meant: nothing speaks against it, and it has the deciding code too, or hardly
    less of the line, or says nothing beyond it. A list often has a product twice, once in more words."""
    if one.conflicts or one.missing or one.silent or one.missing_code or one.rival:
        return False
    if first.coded:
        return one.coded
    if first.words >= _ALL_WORDS and first.back >= _WHOLE:
        return first.words - one.words < _SAME_WORDS and one.back >= _TWIN
    return first.words - one.words < _WORDS_APART or (one.back >= _PLAIN and one.words >= _CODED_WORDS)


def _says_all(one: Score, first: Score) -> bool:
    """Whether this has all of the line and only more words, or leaves unsaid what lists often do, the platform: no rule
    tells a description or the name of the seller from another variant."""
    if one.conflicts or one.missing_code or one.rival or (first.coded and not one.coded):
        return False
    if one.unsaid and len(one.unsaid) == len(one.missing):
        return one.words >= _UNSAID_WORDS and one.back >= _TWIN
    return not one.missing and one.words >= _ALL_WORDS


def _is_twin(one: Score, first: Score) -> bool:
    """The same product once more, with words that say how it is sold or a number of the seller beyond its name."""
    return one.strange < _NEXT_TO_NOTHING and not one.beyond and _may_be_it(one, first)


def _forbidden(scores: list[Score]) -> list[str]:
    pairs = {one.forbidden for one in scores if one.forbidden}
    return [f"{left} ≠ {right}" for left, right in sorted(pairs)]


def _code_key(code: str) -> str:
    return folded(code).replace(" ", "")


def _by_code(index: MatchIndex, request: Request) -> Sequence[int] | None:
    """The products a code names. A short number in a name is no code: it may be a size."""
    if request.code and (places := index.by_code.get(_code_key(request.code))):
        return places
    key = _code_key(request.name)
    if not request.spec and len(key) >= 4 and (places := index.by_code.get(key)):
        return places
    return None


def _settled(index: MatchIndex, request: Request, places: Sequence[int], source: str) -> Match:
    scores = [Score(place, 1.0) for place in places]
    if len(places) > 1:
        return Match("needs_selection", scores[:8], source=source, doubts=["code"])
    return Match("exact", scores, places[0], source)
