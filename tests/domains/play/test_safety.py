"""The safety codes on paraphrases: plans that would hurt are blocked, plans that only use the words are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.core.resources import domain_dir
from app.domains.play.rules.safety import Flags, check_game_safety, is_blocked
from app.domains.play.rules.safety.lessened import MAY_BE, why_lessened
from app.domains.play.rules.safety.weights import FILE, weight_of
from building import play_weights

DATA = Path(__file__).parent / "data"


def rows(name: str, columns: int) -> Iterator[tuple[str, ...]]:
    for line in (DATA / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield tuple(line.split("|", columns - 1))


def flags_of(text: str) -> Flags:
    kind, _, words = text.partition(":")
    return Flags(allergies=(words,) if kind == "a" else (), cautions=(words,) if kind == "c" else ())


def plan_with(instruction: str) -> dict[str, Any]:
    """One step beside a harmless one, with everything a plan must name."""
    steps = ["把毯子摊开，轮流钻进去。", instruction]
    return {
        "environment": "indoor", "steps": [{"instruction": text} for text in steps],
        "calm_down_plan": "Slow down, sit close, breathe.", "stop_signs": ["he turns away"], "safety_notes": [],
    }  # fmt: skip


def test_hostile_plans_are_blocked_with_their_code() -> None:
    missed, number = [], 0
    for code, months, flags, text in (
        *rows("hostile.txt", 4), *rows("hostile_more.txt", 4), *rows("hostile_by_others.txt", 4),
        *rows("hostile_by_hazard.txt", 4), *rows("hostile_by_context.txt", 4)
    ):  # fmt: skip
        found = check_game_safety(plan_with(text), int(months), flags_of(flags))
        number += 1
        if code not in {one.code for one in found if one.severity == "block"}:
            missed.append((code, text, [(one.code, one.words) for one in found]))
    assert number >= 740
    assert len(missed) <= 5, missed


def test_hostile_plans_are_blocked_whatever_code_names_them() -> None:
    for name, least, most_missed in (
        ("hostile_by_weight.txt", 180, 2),
        ("hostile_by_class.txt", 400, 12),
        ("hostile_by_day.txt", 130, 4),
    ):
        texts = list(rows(name, 4))
        missed = [
            text for _, months, flags, text in texts
            if not is_blocked(check_game_safety(plan_with(text), int(months), flags_of(flags)))
        ]  # fmt: skip
        assert len(texts) >= least
        assert len(missed) <= most_missed, missed


def test_harmless_plans_pass() -> None:
    blocked = []
    for months, flags, text in (
        *rows("harmless.txt", 3), *rows("harmless_more.txt", 3), *rows("harmless_by_others.txt", 3),
        *rows("harmless_by_hazard.txt", 3), *rows("harmless_by_context.txt", 3),
        *rows("harmless_by_weight.txt", 3)
    ):  # fmt: skip
        found = check_game_safety(plan_with(text), int(months), flags_of(flags))
        if is_blocked(found):
            blocked.append((text, [(one.code, one.words) for one in found]))
    assert len(blocked) <= 8, blocked


def test_harmless_plans_full_of_hazardous_words_mostly_pass() -> None:
    texts = [*rows("harmless_by_class.txt", 3), *rows("harmless_by_day.txt", 3)]
    blocked = [
        text for months, flags, text in texts
        if is_blocked(check_game_safety(plan_with(text), int(months), flags_of(flags)))
    ]  # fmt: skip
    assert len(texts) >= 615
    assert len(blocked) <= 41, blocked


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


def test_a_reading_speaks_of_its_own_danger_alone() -> None:
    """What makes one thing harmless excuses neither what is said next nor a child that does it itself."""
    cases = {
        "珠子太小，今天不用；再把硬币倒出来让他抓": "S01", "让他把硬币扔进垃圾桶": "S01", "花生切碎了吃": "S06",
        "The oven is off but still hot: touch the tray.": "S09", "Let him put the coins away in the drawer.": "S01",
        "Keep the beads in his mouth, not in the box.": "S01",
        "Grapes? Whole ones, rolling race, eat the loser's.": "S06",
        "Stay at arm's length and hold his head under water for three.": "S04",
        "大人扶着他站到窗台上挥手": "S08", "不怕烫的勇士把热锅端过来": "S09",
    }  # fmt: skip
    missed = []
    for text, code in cases.items():
        found = check_game_safety(plan_with(text), 30, Flags(allergies=("花生",)))
        if code not in {one.code for one in found if one.severity == "block"}:
            missed.append((text, found))
    assert not missed, missed


def test_what_a_child_does_by_itself_ends_the_game_and_blocks_none() -> None:
    plan = {**plan_with("If he climbs onto the table, lift him down."), "stop_signs": ["he climbs onto the sill"]}
    plan["steps"][0]["watch_for"] = ["她往马路上跑"]
    assert not is_blocked(check_game_safety(plan, 30, Flags()))
    asked = plan_with("Let him climb onto the table and jump into your arms.")
    assert is_blocked(check_game_safety(asked, 30, Flags()))


def test_weights_are_learned_from_the_texts_as_they_are() -> None:
    first = (domain_dir("play") / "data" / FILE).read_text("utf-8").partition("\n")[0]
    assert first == f"# {play_weights.digest()}", "run: python -m building.play_weights"


def test_words_that_no_rule_knows_block_together_and_two_words_say_nothing() -> None:
    assert weight_of("to you").score == 0
    text = "he is shy of the neighbour, so march him over there and hold on to him however loudly he weeps"
    assert weight_of(text).code == "S11"
    padded = text + ". " + "you sit together on the rug and smile. " * 40
    assert weight_of(padded).score >= weight_of(text).score - 0.6, "kind words around it do not hide it"


def test_a_block_becomes_a_warning_for_a_reason_that_is_shown_and_never_where_a_child_is_forced_or_treated() -> None:
    harmless = "妈妈坐在旁边扶着他，把绳子放在地上，轻轻走过去，他想停就停，抱抱他，再一起笑一笑"
    for code in ("S01", "S02", "S03", "S06", "S07", "S11", "S12", "S13"):
        assert why_lessened(code, "绳子", harmless) == "", code
    for text in (
        "大人先把药片收好，停药以后轻轻抱抱他，他想停就停",
        "妈妈轻轻按住他的手，抱抱他，把剪刀收好，他想停就停",
    ):
        assert why_lessened("S09", text[:4], text) == "", text
    warned = [
        one for months, flags, text in rows("harmless_by_class.txt", 3)
        for one in check_game_safety(plan_with(text), int(months), flags_of(flags)) if one.reason
    ]  # fmt: skip
    assert warned
    assert {one.code for one in warned} <= set(MAY_BE)
    assert {one.severity for one in warned} == {"warn"}
    passed = [
        (text, one) for name in ("hostile.txt", "hostile_more.txt", "hostile_by_others.txt", "hostile_by_class.txt")
        for _, months, flags, text in rows(name, 4)
        for one in check_game_safety(plan_with(text), int(months), flags_of(flags)) if one.reason
    ]  # fmt: skip
    assert len(passed) <= 2, passed
