from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import cast

import pytest

from app.core.run.price import Price
from app.services.runs.runs import RunService, UsageRow
from app.ui.dialogs.data import usage
from app.ui.dialogs.data.usage import MOST, Sum, UsagePage, cost_text, gathered, sum_all, sums_by
from app.ui.theme import Theme
from tests.ui.dialogs.agents import Titles
from tests.ui.dialogs.work import Work

ROWS = [
    UsageRow("2026-11-20", "travel", "a/big", 2, 1_000, 200, 9.0),
    UsageRow("2026-11-20", "novel", "a/small", 1, 100, 50, 2.0),
    UsageRow("2026-11-19", "travel", "a/small", 1, 10, 5, 1.0, session="s1", title="A trip"),
]


class Runs:
    """As much of the run service as is asked here."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def usage(self, *, since: float, by_session: bool) -> list[UsageRow]:
        assert by_session
        self.asked.append(since)
        return ROWS if since < 50 * 86_400 else []


def test_sums_by_day_are_newest_first_and_others_by_what_they_spent() -> None:
    assert [(one.name, one.total) for one in sums_by(ROWS, "day")] == [("2026-11-20", 1_350), ("2026-11-19", 15)]
    assert [(one.name, one.runs) for one in sums_by(ROWS, "agent")] == [("travel", 3), ("novel", 1)]
    assert [one.name for one in sums_by(ROWS, "model")] == ["a/big", "a/small"]
    assert sum_all(ROWS).seconds == 12.0


def test_money_is_summed_by_model_and_what_has_no_price_is_marked() -> None:
    prices = {"a/small": Price(10_000.0, 100_000.0, currency="USD")}
    assert [cost_text(one) for one in sums_by(ROWS, "model", prices.get)] == ["", "$6.60"]
    assert [cost_text(one) for one in sums_by(ROWS, "day", prices.get)] == ["≥ $6.00", "$0.60"]


async def test_time_and_grouping_are_chosen(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "time", SimpleNamespace(time=partial(float, 60 * 86_400)))
    runs = Runs()
    dialog = UsagePage(
        cast("RunService", runs),
        Theme(),
        spawn=work,
        titles=Titles(),
        price_of={"a/small": Price(10_000.0, 100_000.0, currency="USD")}.get,
    )
    dialog.show()
    await work.settled()
    assert runs.asked == [30 * 86_400.0]
    assert "4 runs, 1,365 tokens" in dialog.whole.text()
    assert dialog.whole.text().endswith(", ≥ $6.60")
    dialog.by.setCurrentIndex(1)
    assert dialog.bars.accessibleDescription() == "Travel: 1,215; Novel: 150"
    assert not dialog.grab().isNull()
    dialog.span.setCurrentIndex(0)
    await work.settled()
    assert runs.asked[-1] == 53 * 86_400.0
    assert (dialog.whole.isVisible(), dialog.empty.isVisible()) == (False, True)
    assert dialog.empty.sentence.text() == "Nothing was asked in this time."
    dialog.close()


async def test_agents_models_and_the_open_session_can_be_chosen(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "time", SimpleNamespace(time=float))
    dialog = UsagePage(cast("RunService", Runs()), Theme(), spawn=work, titles=Titles(), session="s1")
    dialog.show()
    await work.settled()
    assert [dialog.agent.itemText(n) for n in range(dialog.agent.count())] == ["Every agent", "Novel", "Travel"]
    dialog.agent.setCurrentIndex(1)
    assert "1 run, 150 tokens" in dialog.whole.text()
    dialog.model.setCurrentIndex(dialog.model.findData("a/big"))
    only = dialog.whole.text()
    dialog.agent.setCurrentIndex(0)
    dialog.model.setCurrentIndex(0)
    assert "4 runs" in dialog.whole.text() != only
    dialog.session.setCurrentIndex(1)
    assert "1 run, 15 tokens" in dialog.whole.text()
    dialog.session.setCurrentIndex(0)
    dialog.by.setCurrentIndex(dialog.by.findData("session"))
    assert dialog.bars.accessibleDescription() == "New session: 1,350; A trip: 15"
    dialog.close()


def test_more_lines_than_one_can_read_are_one_line() -> None:
    sums = gathered([Sum(f"s{n}", 1, 10, 5, 1.0, {"USD": 0.5}) for n in range(MOST + 10)])
    assert len(sums) == MOST
    assert sums[-1] == Sum("11 more", 11, 110, 55, 11.0, {"USD": 5.5})
    assert len(gathered([Sum("a"), Sum("b")])) == 2
