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

from app.core.profile import PermissionRule, PermissionWord
from app.core.tools.tool import PermissionClass, Tool, canonical_args

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

Choice = Literal["once", "run", "always", "deny"]


@dataclass(frozen=True, slots=True)
class Decision:
    word: PermissionWord
    rule: str
    """What decided, for the card and the log: `class net`, `tools web_*`, `rule 2`, `grant run`."""
    sources: tuple[str, ...] = ()
    """Where untrusted content came from, where that is why it asks."""
    private: tuple[str, ...] = ()
    """What of the arguments is private and would go out."""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What the person may answer: after untrusted content nothing for good, and what is private never again."""
        if self.private:
            return ("once", "deny")
        return ("once", "run", "deny") if self.sources else ("once", "run", "always", "deny")


@dataclass
class Permissions:
    """The rules of one run and what the person has granted during it."""

    words: Mapping[str, PermissionWord] = field(default_factory=dict)
    rules: Sequence[PermissionRule] = ()
    ceiling: Sequence[PermissionRule] = ()
    """Only narrows: what a parent run or a session does not allow, nothing here allows."""
    granted: list[PermissionRule] = field(default_factory=list)
    granted_knowing: list[PermissionRule] = field(default_factory=list)
    """Granted after untrusted content had come, by a person who was told so."""
    standing: Callable[[Tool, str], bool] = lambda _tool, _subject: False
    """What the person has allowed for good: asked with the tool and the subject, where it would ask otherwise."""

    def offered(self, name: str) -> bool:
        """Whether the agent has the tool at all."""
        return self.word(name) in ("allow", "ask")

    def word(self, name: str) -> PermissionWord | None:
        """What the agent's words say of it: its own name first, then the globs."""
        return self.words.get(name) or _last_word(self.words, name)

    def decide(self, tool: Tool, args: Mapping[str, Any], *, taint: Taint | None = None) -> Decision:
        """After untrusted content what writes, and what goes where the arguments say, asks whatever was allowed
        before; what would carry private text out asks every time (security-reliability.md d.1)."""
        decision = self._decide(tool, args)
        if taint is None or not taint.sources or decision.word == "deny":
            return decision
        sources = tuple(taint.sources)
        if tool.goes_out and (pieces := taint.shared_with(args)):
            return Decision("ask", "private text would go out", sources, pieces)
        if decision.word == "ask":
            return replace(decision, sources=sources)
        guarded = (tool.permission in WRITING and not tool.bookkeeping) or (tool.permission == "net" and tool.anywhere)
        if not guarded or self._is_granted(self.granted_knowing, tool, args):
            return decision
        return Decision("ask", f"after untrusted content from {', '.join(sources)}", sources)

    def _is_granted(self, grants: Sequence[PermissionRule], tool: Tool, args: Mapping[str, Any]) -> bool:
        grant = _last_match(grants, tool.name, subject_of(tool, args))
        return grant is not None and grant[1].word == "allow" and tool.permission not in ALWAYS_ASKS

    def _decide(self, tool: Tool, args: Mapping[str, Any]) -> Decision:
        subject = subject_of(tool, args)
        decision = self._by_profile(tool, subject)
        if decision.word == "deny":
            return decision
        limit = _last_match(self.ceiling, tool.name, subject)
        if limit is not None and limit[1].word == "deny":
            return Decision("deny", f"ceiling {limit[0]}")
        if decision.word == "ask" and self._is_granted(self.granted, tool, args):
            decision = Decision("allow", "grant run")
        if decision.word == "ask" and tool.permission not in ALWAYS_ASKS and self.standing(tool, subject):
            decision = Decision("allow", "grant always")
        if decision.word == "allow" and limit is not None and limit[1].word == "ask":
            return Decision("ask", f"ceiling {limit[0]}")
        return decision

    def grant(self, tool: Tool, args: Mapping[str, Any], *, knowing: bool = False) -> None:
        """Allow this tool with this subject for the rest of the run. `knowing`: the person was told of the
        untrusted content; then the grant is for these arguments if the tool names no subject."""
        subject = tool.subject(args) if tool.subject else canonical_args(args) if knowing else "*"
        rule = PermissionRule(tool=tool.name, subject=escaped(subject) if subject != "*" else subject, word="allow")
        self.granted.append(rule)
        if knowing:
            self.granted_knowing.append(rule)

    def _by_profile(self, tool: Tool, subject: str) -> Decision:
        if any(r.word == "deny" and _matches(r, tool.name, subject) for r in self.rules):
            return Decision("deny", "rule deny")
        word = self.words.get(tool.name) or _last_word(self.words, tool.name)
        if word == "deny":
            return Decision("deny", f"tools {tool.name}")
        rule = _last_match(self.rules, tool.name, subject)
        if rule is not None:
            return Decision(rule[1].word, f"rule {rule[0]}")
        if word is not None and tool.permission not in ALWAYS_ASKS:
            return Decision(word, f"tools {tool.name}")
        return Decision(CLASS_WORDS[tool.permission], f"class {tool.permission}")


def call_hash(tool: Tool, args: Mapping[str, Any]) -> str:
    """What an approval is bound to: the tool, where it comes from, and its canonical arguments after every hook."""
    return hashlib.sha256(f"{tool.name}\n{tool.origin}\n{canonical_args(args)}".encode()).hexdigest()


def subject_of(tool: Tool, args: Mapping[str, Any]) -> str:
    """What patterns of rules are compared with."""
    return tool.subject(args) if tool.subject else canonical_args(args)


def escaped(subject: str) -> str:
    """As a pattern that fits this subject alone."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in subject)


def _last_word(words: Mapping[str, PermissionWord], name: str) -> PermissionWord | None:
    matching = [word for pattern, word in words.items() if fnmatchcase(name, pattern)]
    return "deny" if "deny" in matching else matching[-1] if matching else None


def _last_match(rules: Sequence[PermissionRule], name: str, subject: str) -> tuple[int, PermissionRule] | None:
    found = [(n, rule) for n, rule in enumerate(rules, 1) if _matches(rule, name, subject)]
    return found[-1] if found else None


def _matches(rule: PermissionRule, name: str, subject: str) -> bool:
    return fnmatchcase(name, rule.tool) and fnmatchcase(subject, rule.subject)
