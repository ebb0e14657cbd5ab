"""A plan of a chapter, checked against its target, the beats of its outline and the names the book knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..model.project import Book, Chapter

FEWEST, MOST = 3, 6
TOLERANCE = 0.10
_COVERED = 0.5
FaultCode = Literal["SCHEMA", "WORDS_MISMATCH", "UNKNOWN_CHARACTER", "BEAT_MISSING", "UNKNOWN_FORESHADOW"]


@dataclass(slots=True)
class ChapterStep:
    title: str
    content: str
    goal_words: int
    characters: list[str] = field(default_factory=list)
    place: str = ""
    purpose: str = ""
    hook: str = ""


@dataclass(slots=True)
class ChapterPlan:
    goal: str
    chapter: str
    target_words: int
    steps: list[ChapterStep] = field(default_factory=list)
    must_include: list[str] = field(default_factory=list)
    avoid: list[str] = field(default_factory=list)
    plant: list[str] = field(default_factory=list)
    pay: list[str] = field(default_factory=list)
    ending_hook: str = ""
    new_characters: list[str] = field(default_factory=list)
    based_on: list[str] = field(default_factory=list)
    minimal: bool = False
    """Made of the outline because none was handed in."""


@dataclass(frozen=True, slots=True)
class ChapterPlanFault:
    code: FaultCode
    where: str
    """`steps`, `steps[2].characters`: the field it concerns."""
    found: str
    expected: str = ""


def faults_of(plan: ChapterPlan, book: Book, chapter: Chapter) -> list[ChapterPlanFault]:
    """Every fault at once; none: the plan may be shown."""
    faults: list[ChapterPlanFault] = []
    if not FEWEST <= len(plan.steps) <= MOST:
        faults.append(ChapterPlanFault("SCHEMA", "steps", str(len(plan.steps)), f"{FEWEST}–{MOST}"))
    for place, step in enumerate(plan.steps):
        if not step.content.strip():
            faults.append(ChapterPlanFault("SCHEMA", f"steps[{place}].content", ""))
        if step.goal_words <= 0:
            faults.append(ChapterPlanFault("SCHEMA", f"steps[{place}].goal_words", str(step.goal_words), "> 0"))
    total = sum(step.goal_words for step in plan.steps)
    if abs(total - plan.target_words) > plan.target_words * TOLERANCE:
        faults.append(ChapterPlanFault("WORDS_MISMATCH", "steps", str(total), str(plan.target_words)))
    faults += _names(plan, book)
    faults += _beats(plan, book, chapter)
    titles = {one.title for one in book.foreshadows}
    for title in plan.pay:
        if title not in titles:
            faults.append(
                ChapterPlanFault("UNKNOWN_FORESHADOW", "foreshadow.pay", title, "、".join(sorted(titles)[:8]))
            )
    return faults


def _names(plan: ChapterPlan, book: Book) -> list[ChapterPlanFault]:
    new = {name.casefold() for name in plan.new_characters}
    return [
        ChapterPlanFault("UNKNOWN_CHARACTER", f"steps[{place}].characters", name)
        for place, step in enumerate(plan.steps)
        for name in step.characters
        if name.strip() and book.character(name) is None and name.casefold() not in new
    ]


def _beats(plan: ChapterPlan, book: Book, chapter: Chapter) -> list[ChapterPlanFault]:
    from ..continuity.time.order import beat_share

    text = " ".join(
        [plan.goal, *plan.must_include, *(f"{step.title} {step.content} {step.purpose}" for step in plan.steps)]
    )
    names = {name for who in book.characters for name in who.names}
    return [
        ChapterPlanFault("BEAT_MISSING", "steps", beat)
        for beat in chapter.outline.beats
        if beat_share(beat, text.casefold(), names) < _COVERED
    ]


def minimal_plan(book: Book, chapter: Chapter, target: int) -> ChapterPlan:
    """From the beats of the outline, or of nothing but its purpose: three to six steps that share the target."""
    beats = [beat for beat in chapter.outline.beats if beat.strip()] or [
        words for words in (chapter.outline.purpose, chapter.summary, chapter.title) if words.strip()
    ]
    groups = _grouped(beats or [chapter.id])
    share = target // len(groups)
    names = [name for name in chapter.outline.characters if book.character(name) is not None]
    steps = [
        ChapterStep(group[0][:40], "；".join(group), share, [name for name in names if name in "".join(group)] or names)
        for group in groups
    ]
    steps[-1].goal_words += target - share * len(groups)
    steps[-1].hook = chapter.outline.hook
    return ChapterPlan(
        chapter.outline.purpose or chapter.title or chapter.id,
        chapter.id,
        target,
        steps,
        plant=list(chapter.outline.plant),
        pay=list(chapter.outline.pay),
        ending_hook=chapter.outline.hook,
        based_on=["get_outline"],
        minimal=True,
    )


def _grouped(beats: Sequence[str]) -> list[list[str]]:
    if len(beats) < FEWEST:
        # A beat is begun, carried on and brought to its end, so that there are steps to show progress by.
        return [[beats[min(place, len(beats) - 1)]] for place in range(FEWEST)]
    size = -(-len(beats) // MOST)
    return [list(beats[place : place + size]) for place in range(0, len(beats), size)]
