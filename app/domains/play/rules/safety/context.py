"""Why a dangerous thing is none where it is named: forbidden, put away, cold, a picture, out of reach, too large.

The readings stand in `contexts.toml`. Each looks at a short piece of the sentence before or after the thing, so the
work is in proportion to the text. That somebody took the thing away does not hold where the child is the one.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from app.core.resources import domain_dir

FILE = "contexts.toml"
What = Literal["thing", "act", "conduct"]
NEAR = 64
"""Characters before and after a thing that are read."""


@dataclass(frozen=True, slots=True)
class Context:
    name: str
    side: Literal["before", "after", "around"]
    pattern: re.Pattern[str]
    codes: frozenset[str]
    is_held_by_child: bool
    """It holds even where the child is the one who does it."""
    is_for_acts: bool
    needs: re.Pattern[str] | None
    unless: re.Pattern[str] | None

    def reads(self, before: str, words: str, after: str) -> bool:
        around = before + words + after
        hit = {"before": before, "after": after, "around": around}[self.side]
        found = self.pattern.search(hit)
        if found is None or (self.needs is not None and not self.needs.search(around)):
            return False
        if self.unless is not None and self.unless.search(around):
            return False
        data = _data()
        return self.is_held_by_child or not (data.child_acts.search(before) or data.child_within.search(found[0]))


def harmless_as(code: str, before: str, words: str, after: str, what: What = "thing") -> str:
    """The name of the reading under which it harms nobody; empty where there is none.

    `before` and `after` are the rest of the sentence."""
    before, after = before[-NEAR:], after[:NEAR]
    return next((one.name for one in _contexts(code, what) if one.reads(before, words, after)), "")


@cache
def _contexts(code: str, what: What) -> tuple[Context, ...]:
    """Those that speak of it: of an act only some, of conduct those that name its code."""
    if what == "conduct":
        return tuple(one for one in _data().contexts if code in one.codes)
    ours = (one for one in _data().contexts if not one.codes or code in one.codes)
    return tuple(one for one in ours if one.is_for_acts or what == "thing")


@dataclass(frozen=True, slots=True)
class _Data:
    contexts: tuple[Context, ...]
    child_acts: re.Pattern[str]
    """Before a thing: the child is the one who handles it."""
    child_within: re.Pattern[str]


@cache
def _data() -> _Data:
    with (domain_dir("play") / "data" / FILE).open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    persons: dict[str, str] = data["persons"]
    acts = [_spelled(text, "before", persons) for text in data["child_acts"]["before"]]
    within = [_spelled(text, "around", persons) for text in data["child_acts"]["within"]]
    return _Data(
        tuple(_context(one, persons) for one in data["context"]),
        re.compile("|".join(acts)), re.compile("|".join(within)),
    )  # fmt: skip


def _context(one: dict[str, Any], persons: dict[str, str]) -> Context:
    side = one["side"]
    parts = [_spelled(text, side, persons) for text in one.get("zh", ())]
    parts += [_spelled(text if side == "after" else rf"\b{text}", side, persons) for text in one.get("en", ())]
    return Context(
        one["name"], side, re.compile("|".join(parts)), frozenset(one.get("codes", "").split()),
        bool(one.get("child")), bool(one.get("acts")), _optional(one.get("needs")), _optional(one.get("unless")),
    )  # fmt: skip


def _optional(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


def _spelled(text: str, side: str, persons: dict[str, str]) -> str:
    """One line of the data as a regular expression, tied to the thing it stands beside."""
    for name, words in persons.items():
        text = text.replace(f"{{{name}}}", words)
    gap = r"[^,，。.;；!?！？]{0,16}"
    if side == "after":
        gap = r"[^,，。.;；!?！？吃舔尝含咬嚼塞吞玩捏抠串倒喂]{0,12}"
    text = re.sub(r"(?<![,\[])，\?", r"[^,，。.;；!?！？]{0,8}[,，]?", text)
    text = re.sub(r"(?<![,\[])，(?![?,\]])", r"[^,，。.;；!?！？]{0,8}[,，]", text)
    text = text.replace("…", gap).replace("{list}", r"[^.;。；!?！？]{0,36}")
    return {"before": f"(?:{text})$", "after": f"^(?:{text})", "around": text}[side]
