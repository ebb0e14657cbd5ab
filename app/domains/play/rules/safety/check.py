"""The fifteen codes over one plan: the texts are folded once, each clause is looked at for every hazard."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from app.core.text.i18n import N_

from ...model.plan import texts_of
from . import terms
from .allergens import allergen
from .conduct import conduct
from .context import harmless_as
from .lessened import why_lessened
from .ontology import BLOCKS_BELOW, dangers, folded_more, is_dry, is_ended, is_play, tidied
from .text import Clause, clauses, folded, is_forbidden, is_ruled_out, is_warned_of
from .weights import BLOCKS_FROM, weight_of

Severity = Literal["block", "warn"]


@dataclass(frozen=True, slots=True)
class Flags:
    """What of a child's profile changes what is safe."""

    allergies: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()
    """Senses."""
    mouths_things: bool = False


@dataclass(frozen=True, slots=True)
class SafetyFinding:
    code: str
    severity: Severity
    where: str
    words: str
    """What was found, as it stands in the folded text."""
    message: str
    """Marked for translation, as is `fix`."""
    fix: str
    reason: str = ""
    """Why what would be a block is a warning, marked for translation."""


@dataclass(frozen=True, slots=True)
class _Child:
    age: int
    flags: Flags
    allergen: re.Pattern[str] | None
    has_seizures: bool
    has_swallowing: bool
    plan_names_adult: bool
    adapted: str = field(default="")

    @property
    def traits(self) -> tuple[str, ...]:
        return ("seizures",) if self.has_seizures else ()


WORDING: dict[str, tuple[str, str]] = {
    "S01": (N_("Small parts can be swallowed or inhaled"), N_("Use things larger than a fist")),
    "S02": (N_("Balloons can choke a child, whole or in pieces"), N_("Use a soft ball or a scarf of paper")),
    "S03": (N_("Magnets and button batteries injure within hours when swallowed"), N_("Leave them out")),
    "S04": (
        N_("Water: a grown-up stays within arm's reach"),
        N_("Say who stays within arm's reach, and empty it after"),
    ),
    "S05": (N_("Long strings can catch a neck"), N_("Use strips shorter than 20 cm, or fabric that tears")),
    "S06": (N_("A food that the child is allergic to or may choke on"), N_("Choose a food that is known to be safe")),
    "S07": (N_("Flashing light with a history of seizures"), N_("Use steady, dim light")),
    "S08": (N_("Height, jumping or swinging"), N_("Soft ground, free space, hands near")),
    "S09": (N_("Heat, sharp things, glass or chemicals"), N_("Replace it by something soft and cool")),
    "S10": (N_("The material meets a sense the child avoids"), N_("Add a gentler way, or let the child choose")),
    "S11": (N_("Force, punishment or withheld food"), N_("Follow the child: a no ends the step")),
    "S12": (N_("A medical claim"), N_("Say what is played, not what it treats")),
    "S13": (N_("The child would be without a grown-up"), N_("A grown-up plays along the whole time")),
    "S14": (N_("Stop signs or a plan for calming down are missing"), N_("Name when to stop and how to calm down")),
    "S15": (N_("Outdoors a child may run off"), N_("Choose a fenced place and agree on who holds hands")),
    "inside": (N_("What is put into nose, ear or mouth gets stuck"), N_("Keep things in the hands")),
    "rush": (N_("A child chokes when it eats in motion or for speed"), N_("Eat sitting down, in small bites")),
    "harmful": (N_("This is no food or drink for a child"), N_("Choose a food that is known to be safe")),
    "cover": (
        N_("A child suffocates where its face is covered or a lid closes"),
        N_("Keep the face free and boxes open"),
    ),
    "sleep": (
        N_("A baby sleeps on its back, on a flat bed with nothing in it"),
        N_("End the game before the baby sleeps"),
    ),
    "fall": (N_("A fall from a height, or off what tips over"), N_("Stay on the floor or on low cushions")),
    "lift": (N_("Arms and necks are hurt by lifting, swinging or shaking"), N_("Hold the child round the chest")),
    "animal": (N_("Animals bite or sting when they are disturbed"), N_("Watch from afar, or play with a toy animal")),
    "poison": (
        N_("Poisonous when swallowed, breathed in or on the skin"),
        N_("Use water, paper or food that is known"),
    ),
    "power": (N_("Mains electricity"), N_("Use a toy without a plug")),
    "moving": (
        N_("Fingers or eyes are hurt by what turns, closes or flies"),
        N_("Use soft things that stay in the hand"),
    ),
    "traffic": (N_("A driver does not see a child"), N_("Play indoors or behind a fence")),
}
"""By code, and by the kind of a danger where its code says something else."""
_SIX_YEARS, _EIGHT_YEARS, _THREE_YEARS, _FIVE_YEARS = 72, 96, 36, 60
_AROUND = 160
ALLERGY = "allergy"
"""A food this child must not have: cutting it small changes nothing."""
_CONDUCT = ("S11", "S12", "S13")
_NOTICED = re.compile(r"^stop_signs\b|\bwatch_for\b")
"""Where a plan says what to look out for: what the child does there is what ends the game."""
_UNWEIGHED = re.compile(_NOTICED.pattern + r"|^materials\b|^title\b")
"""A name of a few words weighs nothing by itself."""
_SEIZURE = re.compile(r"癫痫|抽搐|惊厥|发作|光敏|seizure|epilep|convuls|photosens")
_SWALLOW = re.compile(r"吞咽|呛|误吸|异食|swallow|aspirat|chok|pica|mouth")
_FORCED, _CLAIMS, _ALONE = re.compile(terms.FORCED), re.compile(terms.CLAIMS), re.compile(terms.ALONE)
_PATIENT = re.compile(r"\b(?:wait|pause|count silently|stay quiet|give (?:him|her|them) time)\b[^.;]*$")
_DISCLAIMS = re.compile(
    r"\b(?:is|are|does|do|can|will|could|should|this is) ?(?:not|n't|never)|\bcannot\b|doesn'?t|isn'?t|不(?:是|能|会|可|用于|作|等于|做|构成|得)|并非|无法|请勿|切勿|不要|别"
)


def check_game_safety(
    plan: Mapping[str, Any], age_months: int | None, flags: Flags | None = None
) -> list[SafetyFinding]:
    """Findings in the order of the codes, one per code and place. An unknown age is read as the youngest."""
    flags = flags or Flags()
    texts = [(where, folded_more(folded(text))) for where, text in texts_of(plan)]
    whole = "\n".join(text for _, text in texts)
    cautions = folded(" ".join(flags.cautions))
    child = _Child(
        age_months if age_months is not None else 0, flags, allergen(tuple(folded(one) for one in flags.allergies)),
        bool(_SEIZURE.search(cautions)), bool(_SWALLOW.search(cautions)) or flags.mouths_things,
        bool(terms.ADULT.search(whole)), folded(str(plan.get("sensory_adaptations") or "").strip("[]")),
    )  # fmt: skip
    findings = [one for where, text in texts for one in _weighed(where, text, child)]
    findings += [
        _finding("S14", "block", name, name) for name in ("stop_signs", "calm_down_plan") if not _given(plan, name)
    ]
    environment = plan.get("environment")
    if environment in ("outdoor", "both"):
        findings.append(_finding("S15", "warn", "environment", str(environment)))
    unique = {(one.code, one.where, one.severity): one for one in reversed(findings)}
    return sorted(unique.values(), key=lambda one: (one.code, one.where))


def is_blocked(findings: list[SafetyFinding]) -> bool:
    return any(one.severity == "block" for one in findings)


def _weighed(where: str, text: str, child: _Child) -> list[SafetyFinding]:
    """What the rules find, and what all words of the text say together where the rules know none of them."""
    findings = list(_in_text(where, text, child))
    if is_blocked(findings):
        return findings if any(one.code in _CONDUCT for one in findings) else [_lessened(one, text) for one in findings]
    weight = weight_of(text)
    if weight.score > BLOCKS_FROM and not _UNWEIGHED.search(where) and _concerns(weight.code, child):
        findings.append(_finding(weight.code, "block", where, text))
    return findings


def _lessened(one: SafetyFinding, text: str) -> SafetyFinding:
    reason = why_lessened(one.code, one.words, text) if one.severity == "block" else ""
    return replace(one, severity="warn", reason=reason) if reason else one


def _concerns(code: str, child: _Child) -> bool:
    """Whether it is a danger for this child, of its age."""
    if code == "S07":
        return child.has_seizures
    below = None if code == "S06" and child.flags.allergies else BLOCKS_BELOW.get(code)
    return bool(code) and (below is None or child.age < below)


def _in_text(where: str, text: str, child: _Child) -> Iterator[SafetyFinding]:
    # A warning to stop ("stop when he cries") is about force only where it says to go on.
    for clause in clauses(tidied(terms.HARMLESS.sub("□", text))):
        for code, severity, words in _things(clause, child):
            yield _finding(code, severity, where, words)
    for sentence in re.split(r"[.!?\n。！？；;]+", text):
        for code, severity, words in _conduct(sentence):
            yield _finding(code, severity, where, words)
        tidy = tidied(sentence)
        yield from _acts(where, tidy, child)
        if tidy != sentence:  # a toy that is put away is no danger, but may be a punishment
            yield from (one for one in _acts(where, sentence, child) if one.code in _CONDUCT)


def _things(part: Clause, child: _Child) -> Iterator[tuple[str, Severity, str]]:
    age, clause = child.age, part.text
    rules: list[tuple[str, re.Pattern[str], Severity]] = [("S03", terms.MAGNET, "block")]
    if age < _THREE_YEARS or child.has_swallowing:
        rules.append(("S01", terms.SMALL_PARTS, "block"))
    if age < _EIGHT_YEARS:
        rules.append(("S02", terms.BALLOON, "block"))
    rules.append(("S04", terms.WATER, _severity("S04", child)))
    rules.append(("S05", terms.CORD, "block" if age < _THREE_YEARS or terms.NECK.search(clause) else "warn"))
    if child.allergen is not None:
        rules.append((ALLERGY, child.allergen, "block"))
    if (age < _FIVE_YEARS or child.has_swallowing) and not terms.CUT_FOOD.search(clause):
        rules.append(("S06", terms.CHOKING_FOOD, "block"))
    if child.has_seizures:
        rules.append(("S07", terms.FLASH, "block"))
    rules += [("S08", terms.HEIGHT, "warn"), ("S09", terms.SHARP_HEAT, "block"), ("S15", terms.OUTDOOR, "warn")]
    if not child.adapted:
        rules += [("S10", terms.SENSES[sense], "warn") for sense in child.flags.avoids if sense in terms.SENSES]
    for code, pattern, severity in rules:
        for hit in pattern.finditer(clause):
            start, end = hit.span()
            if not _excused(code, part, start, end):
                yield "S06" if code == ALLERGY else code, severity, hit[0]
                break
    known: set[str] = set()
    for found in dangers(clause, "clause", age, is_mouthing=child.has_swallowing, traits=child.traits):
        code, start, end = found.danger.code, found.start, found.end
        if code in known or _excused(code, part, start, end) or (code == "S06" and terms.CUT_FOOD.search(clause)):
            continue
        known.add(code)
        yield code, _severity(code, child), found.words


def _acts(where: str, sentence: str, child: _Child) -> Iterator[SafetyFinding]:
    for found in dangers(sentence, "sentence", child.age, is_mouthing=child.has_swallowing, traits=child.traits):
        code = found.danger.code
        near, start, end = _window(sentence, found.start, found.end)
        is_conduct = code in _CONDUCT
        begin = near.rfind("，", 0, start) + 1 if is_conduct else 0  # "不许他哭，哭就罚站" forbids no punishment
        if is_forbidden(near[begin:start]) or is_warned_of(near[begin:], start - begin, end - begin):
            continue
        if not is_conduct and (_NOTICED.search(where) or is_ended(near, start, end)):
            continue
        if not is_conduct and harmless_as(code, near[:start], near[start:end], near[end:], "act"):
            continue
        if is_conduct or not (terms.is_pretence(near, start, end) or is_play(code, near, start, end)):
            severity: Severity = "block" if found.danger.is_supervised_too else _severity(code, child)
            yield _finding(code, severity, where, found.words, found.danger.wording)


def _window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """What stands around a hit, and where the hit is in it: the work for one hit is the same in any text."""
    first = max(0, start - _AROUND)
    return text[first : end + _AROUND], start - first, end - first


def _excused(code: str, part: Clause, start: int, end: int) -> bool:
    """Warned of, pretended, a toy of it, or water that is none."""
    clause, start, end = _window(part.text, start, end)
    if harmless_as(code, part.before + clause[:start], clause[start:end], clause[end:] + part.after):
        return True
    if is_warned_of(clause, start, end) or terms.is_pretence(clause, start, end):
        return True
    if is_play("S06" if code == ALLERGY else code, clause, start, end):
        return True
    if code == "S09" and terms.TOY_SHARP.search(clause[:start]):
        return True
    return code == "S04" and is_dry(clause, clause[start:end])


def _conduct(sentence: str) -> Iterator[tuple[str, Severity, str]]:
    for code, words in conduct(sentence):
        yield code, "block", words
    for code, pattern in (("S11", _FORCED), ("S13", _ALONE), ("S12", _CLAIMS)):
        for hit in pattern.finditer(sentence):
            before = sentence[: hit.start()]
            if is_forbidden(before) or is_ruled_out(sentence[hit.end() :]):
                continue
            if harmless_as(code, before, hit[0], sentence[hit.end() :], "conduct"):
                continue
            if code == "S11" and _PATIENT.search(before) and hit[0].startswith("until"):
                continue
            clause_before = re.split(r"[,，、:：]", before)[-1]
            if code == "S12" and _DISCLAIMS.search(clause_before):
                continue
            yield code, "block", hit[0]
            break


def _severity(code: str, child: _Child) -> Severity:
    return "warn" if code == "S04" and (child.plan_names_adult or child.age >= _SIX_YEARS) else "block"


def _finding(code: str, severity: Severity, where: str, words: str, kind: str = "") -> SafetyFinding:
    message, fix = WORDING[kind or code]
    return SafetyFinding(code, severity, where, words.strip()[:80], message, fix)


def _given(plan: Mapping[str, Any], name: str) -> bool:
    value = plan.get(name)
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, list) and any(isinstance(one, str) and one.strip() for one in value)
