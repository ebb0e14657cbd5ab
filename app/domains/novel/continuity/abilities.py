"""What somebody may be unable or unwilling to do (`data/abilities.toml`): how a book says so, and how it tells that it
is done."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from app.core.resources import domain_dir

_CANNOT = (
    r"(?:could not|couldn.t|cannot|can.t|can not|never (?:learned|learnt) (?:how )?to|did not know how to|"
    r"(?:was |is )?unable to|had never learned to|had never learnt to|never could)"
)
KEPT = frozenset(
    (
        "有兄弟姐妹",
        "有子女",
        "brothers or sisters",
        *"婚姻 双胞胎 游泳 骑马 识字 开车 外语 弹琴 戴眼镜 glasses swimming riding reading driving".split(),
    )
)
"""Who can do it does not lose it by itself."""


class AbilityForms(NamedTuple):
    unable: re.Pattern[str]
    does: re.Pattern[str]
    but: re.Pattern[str] | None
    """In a sentence of which it tells something else."""


@cache
def abilities(language: str) -> Mapping[str, AbilityForms]:
    """By name; `language` is zh or en."""
    rows = tomllib.loads((domain_dir("novel") / "data" / "abilities.toml").read_text("utf-8"))[language]
    return {
        name: AbilityForms(
            _compiled(row["unable"]), _compiled(row["does"]), _compiled(row["but"]) if "but" in row else None
        )
        for name, row in rows.items()
    }


def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form.replace("{cannot}", _CANNOT), re.IGNORECASE)


@cache
def _any_unable(language: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one.unable.pattern})" for one in abilities(language).values()), re.IGNORECASE)


def unable_in(clause: str, language: str) -> list[str]:
    """The names of what a clause says somebody cannot or will not do."""
    if _any_unable(language).search(clause) is None:
        return []
    return [name for name, forms in abilities(language).items() if forms.unable.search(clause)]
