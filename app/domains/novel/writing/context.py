"""What the request for one step of a plan holds, in a fixed order of what matters, within a budget of characters.

Only what the step names comes in: characters, places and things that neither the step nor the last text mention stay
out, however full their cards are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..model.project import Book, Chapter, Character, WorldNote
from ..model.search import search
from ..planning.plan import ChapterPlan, ChapterStep

LAST_TEXT = 800
"""Characters of what was written before."""
BUDGET = 12_000
ORDER = ("step", "outline", "style", "last_text", "characters", "threads", "passages", "summaries")


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    text: str
    whole: int
    """Characters it would have had; more than `text` has where it was cut."""


def sections_of(
    book: Book, chapter: Chapter, plan: ChapterPlan, number: int, written: str, budget: int = BUDGET
) -> list[Section]:
    """`number` of the step, from 0; `written`: what this draft has so far. For the bar as well as for the request."""
    rest, sections = budget, []
    texts = dict(_texts(book, chapter, plan, plan.steps[number], number, written))
    for name in ORDER:
        text = texts.get(name, "").strip()
        if not text:
            continue
        # What was written last is cut at its front, everything else at its end.
        excerpt = _cut(text, rest, from_end=name == "last_text")
        sections.append(Section(name, excerpt, len(text)))
        rest -= len(excerpt)
    return sections


def _texts(
    book: Book, chapter: Chapter, plan: ChapterPlan, step: ChapterStep, number: int, written: str
) -> Iterator[tuple[str, str]]:
    last = written or _before(book, chapter)
    about = f"{step.title}\n{step.content}\n{step.place}\n{' '.join(step.characters)}"
    yield "step", _step(plan, step, number)
    outline = chapter.outline
    yield (
        "outline",
        "\n".join(filter(None, (chapter.title, outline.purpose, *outline.beats, outline.place, outline.hook))),
    )
    project = book.project
    rules = [project.style, *project.writing_requirements]
    rules += [f"pov: {project.pov}"] if project.pov else []
    rules += [f"tense: {project.tense}"] if project.tense else []
    rules += [f"never use: {', '.join(project.forbidden_terms)}"] if project.forbidden_terms else []
    yield "style", "\n".join(filter(None, (*rules, project.style_sample)))
    yield "last_text", last[-LAST_TEXT:]
    named = [one for one in book.characters if _is_named(one.names, about)]
    notes = [one for one in book.world if _is_named(one.names, f"{about}\n{last[-LAST_TEXT:]}")]
    yield "characters", "\n\n".join([*(_character(one, chapter) for one in named), *map(_note, notes)])
    due = [
        one for one in book.foreshadows if one.phase_at(chapter.number) in ("due", "overdue") or one.title in plan.pay
    ]
    yield "threads", "\n".join(f"{one.title}: {one.note}".strip(" :") for one in due)
    hits = search(book, about, ("chapter", "fact"), chapter.order, 6)
    yield "passages", "\n---\n".join(one.text for one in hits)
    yield "summaries", "\n".join(f"{one.title}: {one.summary}" for one in book.before(chapter)[-12:] if one.summary)


def _step(plan: ChapterPlan, step: ChapterStep, number: int) -> str:
    rows = [
        f"chapter goal: {plan.goal}", f"step {number + 1} of {len(plan.steps)}: {step.title}", step.content,
        f"length: {step.goal_words}", f"place: {step.place}" if step.place else "",
        f"purpose: {step.purpose}" if step.purpose else "", f"hook: {step.hook}" if step.hook else "",
        f"must include: {'; '.join(plan.must_include)}" if plan.must_include else "",
        f"avoid: {'; '.join(plan.avoid)}" if plan.avoid else "",
    ]  # fmt: skip
    if number + 1 == len(plan.steps) and plan.ending_hook:
        rows.append(f"end on: {plan.ending_hook}")
    if number + 1 < len(plan.steps):
        rows.append(f"what follows later, not to be told yet: {plan.steps[number + 1].title}")
    return "\n".join(filter(None, rows))


def _before(book: Book, chapter: Chapter) -> str:
    written = [one.text for one in book.before(chapter) if one.text.strip()]
    return written[-1] if written else ""


def _is_named(names: list[str], text: str) -> bool:
    return any(name in text for name in names)


def _character(who: Character, chapter: Chapter) -> str:
    state = who.state_at(max(0, chapter.number - 1))
    rows = [
        " / ".join(who.names), who.role, who.age, who.description, ", ".join(who.personality), who.voice_notes,
        "; ".join(f"{one.type} {one.name} {one.description}".strip() for one in who.relationships),
        f"now: {state.status} {state.place} {'; '.join(state.facts)}".strip() if state is not None else "",
    ]  # fmt: skip
    return "\n".join(filter(None, rows))


def _note(note: WorldNote) -> str:
    return f"{' / '.join(note.names)} ({note.kind})\n{note.text}"


def _cut(text: str, most: int, *, from_end: bool) -> str:
    if len(text) <= most:
        return text
    if most <= 0:
        return ""
    if from_end:
        piece = text[-most:]
        start = piece.find("\n")
        return piece[start + 1 :] if 0 <= start < most // 2 else piece
    piece = text[:most]
    end = max(piece.rfind("\n"), piece.rfind("。"), piece.rfind(". "))
    return piece[: end + 1] if end > most // 2 else piece
