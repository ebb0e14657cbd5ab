"""Which copies stay, whatever the clock does."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.storage.db.backup import Backup
from app.storage.db.backup_rule import DAILY, MONTHLY, NEVER_PRUNED, WEEKLY, is_due, superfluous

DAY = 86_400.0
START = 1_700_000_000.0


def copy(number: int, made: float) -> Backup:
    return Backup(Path(f"{number}.db"), number, made, "regular", 1)


def after(days: int, every: float) -> list[Backup]:
    """What is left of a copy each `every` seconds, pruned after each, newest first."""
    rows: list[Backup] = []
    now = START
    for number in range(int(days * DAY / every)):
        now = START + number * every
        rows.insert(0, copy(number, now))
        gone = superfluous(rows, now)
        rows = [row for row in rows if row not in gone]
    return rows


def test_R08_eight_months_leave_what_the_rule_says() -> None:
    rows = after(240, DAY / 8)
    now = rows[0].made
    ages = [(now - row.made) / DAY for row in rows]
    young = [age for age in ages if age < 2]
    assert len(young) == 16, "all of two days"
    older = ages[len(young) :]
    assert len(older) <= DAILY + WEEKLY + MONTHLY
    daily = older[:DAILY]
    assert all(b - a <= 1.1 for a, b in pairwise(daily)), "one a day"
    assert daily[-1] - daily[0] > DAILY - 2
    weekly = older[DAILY : DAILY + WEEKLY]
    assert max(weekly) > 60
    assert max(ages) > 200, "the oldest is of many months ago"


@given(st.lists(st.floats(-3e8, 3e8), min_size=1, max_size=40), st.floats(-3e8, 3e8))
def test_R09_the_newest_three_stay_whatever_the_clock_says(jumps: list[float], now: float) -> None:
    rows = [copy(number, START + jump) for number, jump in enumerate(jumps)][::-1]
    gone = superfluous(rows, START + now)
    assert not {row.number for row in rows[:NEVER_PRUNED]} & {row.number for row in gone}
    assert all(row.made <= START + now for row in gone), "what is dated in the future is left alone"


def test_one_is_due_when_the_data_changed_and_the_time_is_over() -> None:
    rows = [copy(1, 1_000.0)]
    assert not is_due(rows, changed=999.0, now=9_000.0, every=1_800.0)
    assert not is_due(rows, changed=1_500.0, now=2_000.0, every=1_800.0)
    assert is_due(rows, changed=1_500.0, now=2_900.0, every=1_800.0)
    assert is_due([], changed=1.0, now=1_800.0, every=1_800.0)


def test_R09_a_copy_of_the_future_does_not_stop_new_ones() -> None:
    assert is_due([copy(1, 9e9)], changed=1_500.0, now=2_000.0, every=1_800.0)
