"""What an agent's trade brings, from a built-in folder or an installed package: the same interface for both.

A domain declares tools, a folder of resources, services it may call, guards that run before a model request, and
readers of slots for the offline rules. Everything except `id` and `tools` is optional.

    resources/profiles/<agent>.toml    its agents (core/profile.py)
    resources/offline.toml             the rules its agents answer by without a model (providers/rules)
    resources/data/…                   its own data
    resources/skills/<name>/SKILL.md   skills; those of an installed package are looked at before they are used
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .run.mode_words import NO_WORDS, ModeWords
from .slots import NO_NAMES, Names, SlotArgument, SlotReader
from .tools.endpoint import Endpoint
from .tools.tool import Tool
from .workspace import FolderNotes

if TYPE_CHECKING:
    from pydantic import BaseModel

    from .memory import Recalled
    from .page import FolderPage
    from .profile import AgentProfile, PermissionRule, PermissionWord
    from .stores import DocumentStore
    from .tools.card import Card

OFFLINE_RULES = "offline.toml"
PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class FixedReply:
    """An answer given instead of asking a model."""

    text: str
    card: Card | None = None


class Guard(Protocol):
    """Looks at a text before any model sees it; pure and quick."""

    def __call__(self, text: str, profile: AgentProfile, /) -> FixedReply | None: ...


class BeforeCall(Protocol):
    def __call__(self, name: str, args: dict[str, Any]) -> dict[str, Any] | None: ...


class AfterCall(Protocol):
    def __call__(self, name: str, args: Mapping[str, Any], observation: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Hook:
    """Runs before and after the tool calls of this domain's agents, by the rules of agent/policy/hooks.py."""

    before: BeforeCall | None = None
    after: AfterCall | None = None


@dataclass(frozen=True, slots=True)
class PermissionPreset:
    """A named set of permissions; `label` is marked for translation."""

    id: str
    label: str
    tools: Mapping[str, PermissionWord] = field(default_factory=dict)
    permissions: tuple[PermissionRule, ...] = ()


class Restoring(Protocol):
    """Puts names back into the pieces of one text; what stands for a name may lie across two of them."""

    def feed(self, piece: str) -> str:
        """What of the text so far no later piece can change, and was not given yet."""

    def end(self) -> str:
        """The rest."""


@dataclass(frozen=True, slots=True)
class Scrub:
    """Takes out of a text what may not leave this computer, and puts it back into what comes."""

    outgoing: Callable[[str], str]
    incoming: Callable[[], Restoring]
    is_needed: bool = True
    """There is a name to protect. Where there is none, only what its own agents send is changed."""


class ScrubOf(Protocol):
    """The scrub of what is stored now: names of a profile, for one."""

    async def __call__(self, documents: DocumentStore, /) -> Scrub: ...


@dataclass(frozen=True, slots=True)
class HandIn:
    """An answer that is meant for a tool of the domain, as JSON."""

    tool: str
    args: Mapping[str, Any]
    faults: tuple[str, ...] = ()
    """What is wrong with its form; each names its field."""


class RecallOf(Protocol):
    """What its documents say of a query, best first: `fetch_memory` of its agents."""

    async def __call__(
        self, documents: DocumentStore, query: str, limit: int, kinds: tuple[str, ...], /
    ) -> list[Recalled]: ...


class Conversion(Protocol):
    """Between what an outside tool server speaks and what the program does."""

    @property
    def tools(self) -> frozenset[str]:
        """The tools of the server it is for."""

    def outgoing(self, args: Mapping[str, Any]) -> dict[str, Any]: ...

    def incoming(self, data: Any) -> Any: ...


class ServerAdapter(Protocol):
    """Recognises a kind of tool server by the names of its tools."""

    def __call__(self, tools: Collection[str]) -> Conversion | None: ...


@dataclass(frozen=True, slots=True)
class Domain:
    id: str
    """Also the folder in `resources` and the room in `domains`."""
    tools: tuple[Tool, ...] = ()
    resources: Path | None = None
    settings: type[BaseModel] | None = None
    """Fields that appear as a section of the agent dialog; tools find them as `ToolContext.settings`."""
    endpoints: tuple[Endpoint, ...] = ()
    guards: tuple[Guard, ...] = ()
    unguarded: frozenset[str] = frozenset()
    """Tools whose forms say what has long been known, as an illness in a profile: no guard answers these."""
    slots: tuple[SlotReader, ...] = ()
    """Readers of its own, beside those every rule book has."""
    slot_arguments: tuple[SlotArgument, ...] = ()
    """What a model's calls say of the question, shown like the slots that rules read."""
    names: Callable[[], Names] = NO_NAMES
    """The names in its data, for the offline rules; called when the first question is read."""
    mode_words: ModeWords = NO_WORDS
    """What Auto looks for in questions to its agents, beside the words that hold for all."""
    presets: tuple[PermissionPreset, ...] = ()
    hooks: tuple[Hook, ...] = ()
    scrub: ScrubOf | None = None
    """Asked before every request; with `guards` it is in `agent/policy/privacy.py`."""
    hand_in: Callable[[str], HandIn | None] | None = None
    """Reads a final answer; None where it is meant for the person alone."""
    last_request: str = ""
    """Added to the request in which no tool can be called any more: the form of the final answer, for one."""
    recall: RecallOf | None = None
    """Its documents are the memory of its agents, whether the profile's own memory is on or not."""
    most_calls: Mapping[str, int] = field(default_factory=dict)
    """How often one run may call a tool, by name; a further call is refused and the run continues."""
    folder_notes: Callable[[Path], FolderNotes] | None = None
    """Its agents work in a folder that the person picks for the session; this reads what the folder says of itself."""
    page: FolderPage | None = None
    """The texts of that folder, read and written beside the chat."""
    adapters: tuple[ServerAdapter, ...] = ()

    @property
    def is_loaded(self) -> bool:
        """Its code is imported."""
        return True

    @property
    def rules(self) -> Path | None:
        """The file of its offline rules, if it has one."""
        path = self.resources / OFFLINE_RULES if self.resources is not None else None
        return path if path is not None and path.is_file() else None


class DomainByName(Domain):
    """A domain whose code is imported when more is asked for than its id and its resources.

    So that nobody pays for a trade before it is asked for. In the window's thread `loaded` comes first.
    """

    __slots__ = ("_module",)
    _module: str

    @classmethod
    def at(cls, id: str, resources: Path, module: str) -> DomainByName:
        """`module` has the `DOMAIN`."""
        domain = object.__new__(cls)
        for name, value in (("id", id), ("resources", resources), ("_module", module)):
            object.__setattr__(domain, name, value)
        return domain

    @property
    def is_loaded(self) -> bool:
        try:
            object.__getattribute__(self, "tools")
        except AttributeError:
            return False
        return True

    def __getattr__(self, name: str) -> Any:
        """Called for fields that have no value yet."""
        if name == "_module" or name not in {one.name for one in fields(Domain)}:
            raise AttributeError(name)
        loaded = import_module(self._module).DOMAIN
        for one in fields(Domain):
            object.__setattr__(self, one.name, getattr(loaded, one.name))
        return getattr(loaded, name)


async def loaded(domains: Iterable[Domain]) -> None:
    """Returns when their code is imported, which happens in a thread: it takes longer than a frame."""
    if missing := [domain for domain in domains if not domain.is_loaded]:
        import asyncio  # not wanted before the first paint

        for domain in missing:
            await asyncio.to_thread(getattr, domain, "tools")
