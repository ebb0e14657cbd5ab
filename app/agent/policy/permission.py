"""May this call run? One gate for every mode, asked with the final arguments.

A deny anywhere wins. Otherwise the profile's rules decide, the last match first; then the word
the profile gives the tool; then the class of the tool (agents.md 1.2). Plans, modes and dialects
give no permission. What the model says plays no part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, Literal

from app.core.domain import PermissionPreset
from app.core.profile import PermissionRule, PermissionWord
from app.core.skills import SKILL_TOOLS
from app.core.tools.tool import PermissionClass, Tool, ToolResult, canonical_args

from .patterns import EVERY, escaped, pattern
from .subject import Subject
from .taint import Taint

CLASS_WORDS: Mapping[PermissionClass, PermissionWord] = {
    "pure": "allow",
    "app.read": "allow",
    "app.write": "allow",
    "fs.read": "allow",
    "fs.write": "ask",
    "net": "ask",
    "mcp": "ask",
    "exec": "ask",
    "user": "allow",
}
"""`exec` is not offered by any shipped profile; where a person turns it on it asks every time."""

ALWAYS_ASKS: frozenset[PermissionClass] = frozenset({"exec"})
"""Classes that no grant makes silent."""

WRITING: frozenset[PermissionClass] = frozenset({"app.write", "fs.write", "mcp", "exec"})
"""What may change something. A server's tool may do anything, whatever it says of itself."""

KEYS = "keys and passwords"
"""The rule of a call that asks by what it names (`Tool.asks`)."""
SKILL = "a skill's allowed-tools"
"""The rule of a call that a loaded skill has left out."""
CEILING = "ceiling"
"""What a decision's `rule` begins with where the run around this one decided."""

Choice = Literal["once", "run", "always", "deny"]
_ONCE: tuple[Choice, ...] = ("once", "deny")
_ORDER: tuple[PermissionWord, ...] = ("deny", "ask", "allow")
"""The strictest first."""


@dataclass(frozen=True, slots=True)
class Decision:
    word: PermissionWord
    rule: str
    """What decided, for the card and the log: `class net`, `tools web_*`, `rule 2`, `grant run`."""
    sources: tuple[str, ...] = ()
    """Where untrusted content came from, where that is why it asks."""
    private: tuple[str, ...] = ()
    """What of the arguments is private and would go out."""
    choices: tuple[Choice, ...] = ("once", "run", "always", "deny")
    """What the person may answer."""

    def is_about_secrets(self, tool: Tool) -> bool:
        """Whether it asks because files of keys are named; what changes its own data asks for reasons of its own."""
        return self.rule == KEYS and tool.permission in ("fs.read", "fs.write")


@dataclass
class Permissions:
    """The rules of one run and what the person has granted during it.

    `decide` is called for every tool call: of a run, an inner run, a plan step, the next agent of a pipeline, and a
    click on a card.
    """

    words: Mapping[str, PermissionWord] = field(default_factory=dict)
    rules: Sequence[PermissionRule] = ()
    ceiling: Permissions | None = None
    """Those of the run this one is inside of, or was handed over by: they only narrow."""
    granted: list[PermissionRule] = field(default_factory=list)
    standing: Callable[[Subject], bool] = lambda _subject: False
    """What the person has allowed for good: asked where it would ask otherwise."""
    narrowed: list[tuple[str, ...]] = field(default_factory=list)
    """What skills leave of the tools: each list by itself, for the rest of the run."""
    preset: PermissionPreset | None = None
    """What `under` was given."""
    may_last: bool = True
    """Whether "always" is offered: nothing said in a temporary session outlives it, and what is granted for good is
    granted to the agent of the session, so not where another one asks."""

    def under(self, preset: PermissionPreset | None) -> Permissions:
        """With what the preset says in place of the agent's words; a deny of the agent stays one, and a tool that it
        has not is not given to it."""
        if preset is None:
            return self
        own = {name: word for name, word in preset.tools.items() if self.word(name) in ("allow", "ask")}
        return replace(self, words={**self.words, **own}, rules=(*self.rules, *preset.permissions), preset=preset)

    def offered(self, name: str) -> bool:
        """Whether the agent has the tool at all."""
        return self.word(name) in ("allow", "ask")

    def word(self, name: str) -> PermissionWord | None:
        """What the agent's words say of it: its own name first, then the globs."""
        return self.words.get(name) or _last_word(self.words, name)

    def decide(
        self,
        tool: Tool,
        args: Mapping[str, Any],
        *,
        taint: Taint | None = None,
        clicked: bool = False,
        subject: Subject | None = None,
    ) -> Decision:
        """After untrusted content what writes, and what goes where the arguments say, asks whatever was allowed
        before; what would carry private text out asks every time (security-reliability.md d.1). A page that a search
        of this run has found is read without a question, unless a rule of the person asks for one.

        `clicked`: the person pressed a card's button for exactly this call. It answers what would ask for the
        program's own store and for a new file in the export folder, and nothing else. `subject` is what these
        arguments are about, where it has been looked up already.
        """
        decision = self._decide(subject or Subject.read(tool, args), taint)
        is_limit = decision.word == "deny" or decision.rule.startswith(CEILING)
        if not is_limit and tool.asks is not None and tool.asks(args):
            decision = Decision("ask", KEYS, choices=_ONCE)
        if taint is not None and taint.sources and decision.word != "deny":
            decision = self._after_others_text(decision, tool, args, taint)
        if clicked and decision.word == "ask" and _answered_by_click(tool) and not decision.rule.startswith(CEILING):
            return Decision("allow", "click")
        lasts = tool.permission not in ALWAYS_ASKS and not decision.rule.startswith((CEILING, KEYS))
        if decision.private or decision.sources or not lasts:
            return replace(decision, choices=_ONCE)
        return decision if self.may_last else replace(decision, choices=("once", "run", "deny"))

    def _after_others_text(self, decision: Decision, tool: Tool, args: Mapping[str, Any], taint: Taint) -> Decision:
        sources = taint.beyond_folder() if tool.confined else tuple(taint.sources)
        if not sources:
            return decision
        if tool.goes_out and (pieces := taint.shared_with(args)):
            return Decision("ask", "private text would go out", sources, pieces)
        if decision.word == "ask":
            return replace(decision, sources=sources)
        if _reads_what_was_found(tool, args, taint):
            return decision
        guarded = (tool.permission in WRITING and not tool.bookkeeping) or (tool.permission == "net" and tool.anywhere)
        return Decision("ask", f"after untrusted content from {', '.join(sources)}", sources) if guarded else decision

    def touches_disk(self, subject: Subject) -> bool:
        """Whether `decide` has to know where a path leads."""
        return any(leaf.kind == "path" for leaf in subject.leaves) or self.is_about_paths(subject.tool.name)

    def look_up(self, subject: Subject) -> None:
        """All that `decide` needs the disk for, which may take its time."""
        subject.look_up(paths_in_text=self.is_about_paths(subject.tool.name))

    def is_about_paths(self, name: str) -> bool:
        """Whether some rule for this tool reads arguments as paths, whatever they are called."""
        own = any(fnmatchcase(name, rule.tool) and pattern(rule.subject).is_about_paths for rule in self.rules)
        return own or (self.ceiling is not None and self.ceiling.is_about_paths(name))

    def _decide(self, subject: Subject, taint: Taint | None = None) -> Decision:
        tool = subject.tool
        decision = self._ruled(subject) or Decision(CLASS_WORDS[tool.permission], f"class {tool.permission}")
        limit = self.ceiling.limit(subject) if self.ceiling is not None else None
        if decision.word == "deny":
            return decision
        if limit is not None and limit.word == "deny":
            return Decision("deny", f"{CEILING} {limit.rule}")
        if decision.word == "ask" and tool.permission not in ALWAYS_ASKS:
            if any(fits(rule, subject, fixed=True) for rule in self.granted):
                decision = Decision("allow", "grant run")
            elif self.standing(subject):
                decision = Decision("allow", "grant always")
            elif not decision.rule.startswith("rule ") and _reads_what_was_found(tool, subject.args, taint):
                decision = Decision("allow", "found by a search")
        if decision.word == "allow" and limit is not None and limit.word == "ask":
            return Decision("ask", f"{CEILING} {limit.rule}")
        return decision

    def limit(self, subject: Subject) -> Decision | None:
        """What these rules leave to a run inside: the strictest of theirs and of those above; None: not a word."""
        own = self._ruled(subject)
        above = self.ceiling.limit(subject) if self.ceiling is not None else None
        return min(filter(None, (own, above)), key=lambda one: _ORDER.index(one.word), default=None)

    def _ruled(self, subject: Subject) -> Decision | None:
        """What rules and words say of it; None where they say nothing."""
        tool = subject.tool
        if any(not _stays(tool, names) for names in self.narrowed):
            return Decision("deny", SKILL)
        matching = [(number, rule) for number, rule in enumerate(self.rules, 1) if fits(rule, subject)]
        if any(rule.word == "deny" for _number, rule in matching):
            return Decision("deny", "rule deny")
        word = self.word(tool.name)
        if word == "deny":
            return Decision("deny", f"tools {tool.name}")
        decision = Decision(matching[-1][1].word, f"rule {matching[-1][0]}") if matching else None
        if decision is None and word is not None:
            decision = Decision(word, f"tools {tool.name}")
        if decision is not None and decision.word == "allow" and tool.permission in ALWAYS_ASKS:
            return None  # its class decides
        return decision

    def narrow(self, result: ToolResult) -> None:
        """A skill may leave fewer tools than there were; nothing a result says makes them more."""
        names = result.meta.get("narrows")
        if isinstance(names, list):
            self.narrowed.append(tuple(map(str, names)))

    def grant(self, subject: Subject) -> None:
        """Allow this tool for the rest of the run; with this subject, if it names one."""
        exact = subject.suggestion if subject.tool.subject else EVERY
        if exact is not None:
            text = exact if exact == EVERY else escaped(exact)
            self.granted.append(PermissionRule(tool=subject.tool.name, subject=text, word="allow"))


def _stays(tool: Tool, names: Sequence[str]) -> bool:
    """What a skill cannot take away: other skills, the person's answers, the run's own notes."""
    if tool.name in SKILL_TOOLS or tool.bookkeeping or tool.permission == "user":
        return True
    plain = [name.lower() for name in names if "(" not in name]
    return any(fnmatchcase(tool.name, name) or tool.name.startswith(f"{name}_") for name in plain)


def _answered_by_click(tool: Tool) -> bool:
    return tool.permission == "app.write" or (tool.permission == "fs.write" and tool.only_exports)


def _reads_what_was_found(tool: Tool, args: Mapping[str, Any], taint: Taint | None) -> bool:
    """Only where a search service has named the address, to the letter: what pages say about addresses counts for
    nothing."""
    return tool.permission == "net" and tool.anywhere and taint is not None and taint.goes_only_to_found(args)


def call_hash(tool: Tool, args: Mapping[str, Any]) -> str:
    """What an approval is bound to: the tool, where it comes from, and its canonical arguments after every hook."""
    return hashlib.sha256(f"{tool.name}\n{tool.origin}\n{canonical_args(args)}".encode()).hexdigest()


def _last_word(words: Mapping[str, PermissionWord], name: str) -> PermissionWord | None:
    matching = [word for pattern, word in words.items() if fnmatchcase(name, pattern)]
    return "deny" if "deny" in matching else matching[-1] if matching else None


def fits(rule: PermissionRule, subject: Subject, *, fixed: bool = False) -> bool:
    """Whether a rule is about this call: what allows reads it strictly, what asks or forbids loosely."""
    if not fnmatchcase(subject.tool.name, rule.tool):
        return False
    about = pattern(rule.subject)
    return about.allows(subject, fixed=fixed) if rule.word == "allow" else about.forbids(subject)
