"""The things of a book. Field names are those of the files in the author's folder (`store`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .patch import Edit

ChapterStatus = Literal["draft", "in-progress", "completed", "edited"]
ForeshadowStatus = Literal["planted", "advanced", "paid", "dropped"]
Life = Literal["alive", "dead", "absent", "unknown"]


@dataclass(slots=True)
class Project:
    title: str = ""
    author: str = ""
    genre: str = ""
    style: str = ""
    synopsis: str = ""
    tags: list[str] = field(default_factory=list)
    target_audience: str = ""
    word_count_goal: int = 0
    highlights: list[str] = field(default_factory=list)
    writing_requirements: list[str] = field(default_factory=list)
    status: str = "draft"
    pov: str = ""
    """`first` or `third`; "" is not decided."""
    tense: str = ""
    language: str = "zh"
    style_sample: str = ""
    forbidden_terms: list[str] = field(default_factory=list)
    length_unit: str = "字"


@dataclass(slots=True)
class ChapterOutline:
    """What a chapter shall hold, before it is written."""

    purpose: str = ""
    beats: list[str] = field(default_factory=list)
    characters: list[str] = field(default_factory=list)
    place: str = ""
    time_in_story: str = ""
    plant: list[str] = field(default_factory=list)
    pay: list[str] = field(default_factory=list)
    """Titles of foreshadows."""
    hook: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.purpose or self.beats or self.characters or self.place or self.hook)


@dataclass(slots=True)
class Chapter:
    id: str
    title: str = ""
    number: int = 0
    """As the author counts; 0: it has none (a preface). The place in the book is `order`."""
    order: int = 0
    volume: str = ""
    status: ChapterStatus = "draft"
    summary: str = ""
    notes: str = ""
    word_count_goal: int = 0
    previous: str = ""
    """Id of the version that its text replaced."""
    outline: ChapterOutline = field(default_factory=ChapterOutline)
    text: str = ""


@dataclass(slots=True)
class Version:
    """A text that a chapter has, had or may get."""

    id: str
    chapter: str
    created: str
    author: Literal["user", "agent"]
    text: str
    plan: str = ""
    note: str = ""
    accepted: bool = False
    complete: bool = True
    marks: list[int] = field(default_factory=list)
    """Of a draft: where in its text each finished step of its plan ends."""
    base: str = ""
    """SHA-256 of the chapter's text that it was written for."""
    edits: list[Edit] = field(default_factory=list)
    """What it changes one by one, where it is a patch; its text has all of them."""


@dataclass(slots=True)
class Relationship:
    name: str
    type: str = ""
    description: str = ""


@dataclass(slots=True)
class CharacterState:
    chapter: int
    status: Life = "unknown"
    place: str = ""
    facts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Character:
    name: str
    aliases: list[str] = field(default_factory=list)
    role: str = ""
    gender: str = ""
    age: str = ""
    personality: list[str] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)
    description: str = ""
    background: str = ""
    notes: str = ""
    voice_notes: str = ""
    relationships: list[Relationship] = field(default_factory=list)
    state_by_chapter: list[CharacterState] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [name for name in (self.name, *self.aliases) if name]

    def state_at(self, chapter: int) -> CharacterState | None:
        """The newest state that was noted for this chapter or an earlier one."""
        states = [state for state in self.state_by_chapter if state.chapter <= chapter]
        return max(states, key=lambda state: state.chapter) if states else None


@dataclass(slots=True)
class WorldNote:
    title: str
    kind: Literal["place", "faction", "item", "rule", "term", "history"] = "term"
    text: str = ""
    aliases: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [name for name in (self.title, *self.aliases) if name]


@dataclass(slots=True)
class StoryFact:
    """What the book has said, with the words it said it in."""

    subject: str
    attribute: str
    value: str
    since_chapter: int = 0
    until: int | None = None
    """The last chapter it holds in; None: it still does."""
    chapter: str = ""
    quote: str = ""


@dataclass(slots=True)
class Foreshadow:
    title: str
    kind: str = ""
    planted_in: int = 0
    expected_by: int | None = None
    status: ForeshadowStatus = "planted"
    note: str = ""

    def phase_at(self, chapter: int) -> Literal["planned", "planted", "due", "overdue", "paid", "dropped"]:
        """On the board, as the book stands at the end of a chapter."""
        if self.status in ("paid", "dropped"):
            return "paid" if self.status == "paid" else "dropped"
        if self.planted_in > chapter:
            return "planned"
        if self.expected_by is None or chapter < self.expected_by - 1:
            return "planted"
        return "overdue" if chapter > self.expected_by else "due"


@dataclass(slots=True)
class TimelineEvent:
    when: str
    chapter: int
    text: str


@dataclass(slots=True)
class Book:
    """All of it, as the files say."""

    project: Project = field(default_factory=Project)
    chapters: list[Chapter] = field(default_factory=list)
    characters: list[Character] = field(default_factory=list)
    world: list[WorldNote] = field(default_factory=list)
    facts: list[StoryFact] = field(default_factory=list)
    foreshadows: list[Foreshadow] = field(default_factory=list)
    timeline: list[TimelineEvent] = field(default_factory=list)

    def chapter(self, wanted: str) -> Chapter | None:
        """By id, by number, or by title."""
        key = wanted.strip().casefold()
        by_id = {one.id.casefold(): one for one in self.chapters}
        if key in by_id:
            return by_id[key]
        number = int(digits) if (digits := key.removeprefix("ch").strip(" -第章")).isdecimal() else None
        for one in self.chapters:
            if (number is not None and one.number == number) or (key and one.title.casefold() == key):
                return one
        return None

    def before(self, chapter: Chapter) -> list[Chapter]:
        """The chapters that stand before it."""
        return [one for one in self.chapters if one.order < chapter.order]

    def character(self, name: str) -> Character | None:
        """By name or alias."""
        key = name.strip().casefold()
        return next((one for one in self.characters if key in (each.casefold() for each in one.names)), None)
