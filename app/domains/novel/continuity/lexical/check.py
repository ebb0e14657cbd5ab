"""What the word lists find: two values of one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...model.project import Book
from ..english import is_english
from ..finding import ContinuityFinding
from ..sentences import StorySentence
from .clauses import Cast, clauses_in
from .lexicon import Lexicon, lexicon
from .values import Claim, ValueReader

_SHOWN = {
    "colour": "颜色", "material": "材质", "form": "形状", "side": "左右", "number": "数目", "direction": "朝向",
    "work": "职业", "animal_sex": "公母", "sound": "左右",
}  # fmt: skip


def contradictions(
    book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    """In Chinese books. Warnings: a word list does not tell what the author means."""
    chinese = [one for one in sentences if not is_english(one.text)]
    if not chinese:
        return
    words = lexicon("zh")
    cast = Cast(book, chinese)
    reader = ValueReader(words, cast)
    standing: dict[tuple[str, str], list[Claim]] = {}
    for clause in clauses_in(book, chinese, cast, words):
        for claim in reader.read(clause):
            earlier = standing.setdefault((claim.head, claim.group), [])
            if claim.owner == "?":
                continue
            other = next((one for one in reversed(earlier) if _same_thing(one, claim)), None)
            if claim.changes and other is not None:
                earlier.remove(other)
            elif other is not None and _differ(words, other, claim):
                if clause.sentence.chapter.id in wanted:
                    yield _finding(other, claim)
                continue
            earlier.append(claim)


def _same_thing(one: Claim, other: Claim) -> bool:
    if one.owner and other.owner:
        return one.owner == other.owner
    if one.owner or other.owner:
        return False
    return one.alone and other.alone


def _differ(words: Lexicon, one: Claim, other: Claim) -> bool:
    if one.group == "number":
        if "+" not in one.value and "+" not in other.value:
            return one.value != other.value
        return not (_spans(one.value, other.value) or _spans(other.value, one.value))
    if one.group == "sound":
        return one.value == other.value.lstrip("!") and one.value != other.value
    return not words.are_alike(one.group, one.value, other.value)


def _spans(rounded: str, value: str) -> bool:
    """一百多 may be 138."""
    low = int(rounded.rstrip("+"))
    step = 10 ** (len(str(low)) - len(str(low).rstrip("0")))
    return rounded.endswith("+") and low <= int(value.rstrip("+")) <= low + max(step, 2)


def _finding(earlier: Claim, claim: Claim) -> ContinuityFinding:
    sentence, other = claim.clause.sentence, earlier.clause.sentence
    subject = f"{claim.owner}的{claim.head}" if claim.owner else claim.head
    return ContinuityFinding(
        "N03", "warn", sentence.chapter.id, sentence.start, sentence.end, sentence.quote(), subject,
        re.sub(r"[!+]", "", earlier.value), re.sub(r"[!+]", "", claim.value), other.chapter.id, other.quote(),
        {"attribute": _SHOWN.get(claim.group, claim.group)},
    )  # fmt: skip
