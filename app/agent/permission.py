"""May this call run? One gate for every mode, asked with the final arguments.

A deny anywhere wins. Otherwise the profile's rules decide, the last match first; then the word
the profile gives the tool; then the class of the tool (agents.md 1.2). Plans, modes and dialects
give no permission. What the model says plays no part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Literal

from app.core.profile import PermissionRule, PermissionWord
from app.core.tool import PermissionClass, Tool, canonical_args

CLASS_WORDS: Mapping[PermissionClass, PermissionWord] = {
    "pure": "allow",
    "app.read": "allow",
    "app.write": "allow",
    "fs.read": "allow",
    "fs.write": "ask",
    "net": "ask",
    "exec": "ask",
    "user": "allow",
}
"""`exec` is not offered by any shipped profile; where a person turns it on it asks every time."""

ALWAYS_ASKS: frozenset[PermissionClass] = frozenset({"exec"})
"""Classes that no grant makes silent."""

WRITING: frozenset[PermissionClass] = frozenset({"app.write", "fs.write", "exec"})

Choice = Literal["once", "run", "always", "deny"]


@dataclass(frozen=True, slots=True)
class Decision:
    word: PermissionWord
    rule: str
    """What decided, for the card and the log: `class net`, `tools web_*`, `rule 2`, `grant run`."""


@dataclass
class Permissions:
    """The rules of one run and what the person has granted during it."""

    words: Mapping[str, PermissionWord] = field(default_factory=dict)
    rules: Sequence[PermissionRule] = ()
    ceiling: Sequence[PermissionRule] = ()
    """Only narrows: what a parent run or a session does not allow, nothing here allows."""
    granted: list[PermissionRule] = field(default_factory=list)

    def offered(self, name: str) -> bool:
        """Whether the agent has the tool at all."""
        word = self.words.get(name) or _last_word(self.words, name)
        return word in ("allow", "ask")

    def decide(self, tool: Tool, args: Mapping[str, Any], *, tainted_by: Sequence[str] = ()) -> Decision:
        """`tainted_by`: sources of untrusted content in this run; then writing asks whatever was granted."""
        decision = self._decide(tool, args)
        if decision.word == "allow" and tainted_by and tool.permission in WRITING:
            return Decision("ask", f"after untrusted content from {', '.join(tainted_by)}")
        return decision

    def _decide(self, tool: Tool, args: Mapping[str, Any]) -> Decision:
        subject = tool.subject(args) if tool.subject else canonical_args(args)
        decision = self._by_profile(tool, subject)
        if decision.word == "deny":
            return decision
        limit = _last_match(self.ceiling, tool.name, subject)
        if limit is not None and limit[1].word == "deny":
            return Decision("deny", f"ceiling {limit[0]}")
        if decision.word == "ask" and tool.permission not in ALWAYS_ASKS:
            grant = _last_match(self.granted, tool.name, subject)
            if grant is not None and grant[1].word == "allow":
                decision = Decision("allow", "grant run")
        if decision.word == "allow" and limit is not None and limit[1].word == "ask":
            return Decision("ask", f"ceiling {limit[0]}")
        return decision

    def grant(self, tool: Tool, args: Mapping[str, Any]) -> None:
        """Allow this tool with this subject for the rest of the run."""
        subject = tool.subject(args) if tool.subject else "*"
        self.granted.append(PermissionRule(tool=tool.name, subject=subject, word="allow"))

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
    """What an approval is bound to: the tool and its canonical arguments, after every hook."""
    return hashlib.sha256(f"{tool.name}\n{canonical_args(args)}".encode()).hexdigest()


def _last_word(words: Mapping[str, PermissionWord], name: str) -> PermissionWord | None:
    matching = [word for pattern, word in words.items() if fnmatchcase(name, pattern)]
    return "deny" if "deny" in matching else matching[-1] if matching else None


def _last_match(rules: Sequence[PermissionRule], name: str, subject: str) -> tuple[int, PermissionRule] | None:
    found = [(n, rule) for n, rule in enumerate(rules, 1) if _matches(rule, name, subject)]
    return found[-1] if found else None


def _matches(rule: PermissionRule, name: str, subject: str) -> bool:
    return fnmatchcase(name, rule.tool) and fnmatchcase(subject, rule.subject)
