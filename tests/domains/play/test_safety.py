"""The safety codes on paraphrases: plans that would hurt are blocked, plans that only use the words are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.domains.play.rules.safety import Flags, check_game_safety, is_blocked

DATA = Path(__file__).parent / "data"


def rows(name: str, columns: int) -> Iterator[tuple[str, ...]]:
    for line in (DATA / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield tuple(line.split("|", columns - 1))


def flags_of(text: str) -> Flags:
    kind, _, words = text.partition(":")
    return Flags(allergies=(words,) if kind == "a" else (), cautions=(words,) if kind == "c" else ())


def plan_with(instruction: str) -> dict[str, Any]:
    """One step between three harmless ones, with everything a plan must name."""
    steps = ["Sit on the floor face to face.", instruction, "把毯子摊开，轮流钻进去。", "Wave goodbye to the game."]
    return {
        "title": "Our game", "summary": "A short game on the floor", "goal": "take turns", "environment": "indoor",
        "materials": [{"name": "a blanket"}],
        "steps": [{"title": f"Step {n}", "instruction": text} for n, text in enumerate(steps, 1)],
        "calm_down_plan": "Slow down, sit close, breathe.", "stop_signs": ["he turns away"], "safety_notes": [],
    }  # fmt: skip


def test_hostile_plans_are_blocked_with_their_code() -> None:
    missed, number = [], 0
    for code, months, flags, text in (
        *rows("hostile.txt", 4), *rows("hostile_more.txt", 4), *rows("hostile_by_others.txt", 4),
        *rows("hostile_by_hazard.txt", 4)
    ):  # fmt: skip
        found = check_game_safety(plan_with(text), int(months), flags_of(flags))
        number += 1
        if code not in {one.code for one in found if one.severity == "block"}:
            missed.append((code, text, [(one.code, one.words) for one in found]))
    assert number >= 460
    assert len(missed) <= 4, missed


def test_harmless_plans_pass() -> None:
    blocked = []
    for months, flags, text in (
        *rows("harmless.txt", 3), *rows("harmless_more.txt", 3), *rows("harmless_by_others.txt", 3),
        *rows("harmless_by_hazard.txt", 3)
    ):  # fmt: skip
        found = check_game_safety(plan_with(text), int(months), flags_of(flags))
        if is_blocked(found):
            blocked.append((text, [(one.code, one.words) for one in found]))
    assert len(blocked) <= 2, blocked


def test_what_is_dangerous_depends_on_the_age_as_authorities_say() -> None:
    """Small parts below three years, water beads below six, honey below one, whole nuts and grapes below five,
    balloons below eight; magnets and button cells at no age."""
    told = {
        "sort the marbles": ("S01", 35, 36), "squish the orbeez": ("S01", 71, 72), "a lick of honey": ("S06", 11, 12),
        "eat a whole grape": ("S06", 59, 60), "bat the balloon": ("S02", 95, 96),
    }  # fmt: skip
    for text, (code, blocked, allowed) in told.items():
        at = {age: check_game_safety(plan_with(text), age, Flags()) for age in (blocked, allowed)}
        codes = {age: {one.code for one in found if one.severity == "block"} for age, found in at.items()}
        assert (code in codes[blocked], code in codes[allowed]) == (True, False), text
    for text in ("a magnet on a string", "swap the button cell"):
        assert is_blocked(check_game_safety(plan_with(text), 200, Flags())), text


def test_what_a_child_does_by_itself_ends_the_game_and_blocks_none() -> None:
    plan = {**plan_with("If he climbs onto the table, lift him down."), "stop_signs": ["he climbs onto the sill"]}
    plan["steps"][0]["watch_for"] = ["她往马路上跑"]
    assert not is_blocked(check_game_safety(plan, 30, Flags()))
    asked = plan_with("Let him climb onto the table and jump into your arms.")
    assert is_blocked(check_game_safety(asked, 30, Flags()))
