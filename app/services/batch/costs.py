"""What a batch has cost: one row for each agent, mode and model, and one for all."""

from __future__ import annotations

import csv
import io
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.core.run.price import money_text
from app.core.text.i18n import _

from .answers import BatchAnswer
from .budget import BatchSpending

FIRST_NUMBER: Final = 3
"""The first column that holds a number."""


@dataclass(slots=True)
class CostRow:
    """Of the answers of one agent, mode and model; of all where the agent is ""."""

    agent: str = ""
    mode: str = ""
    model: str = ""
    answered: int = 0
    failed: int = 0
    spent: BatchSpending = field(default_factory=BatchSpending)
    seconds: list[float] = field(default_factory=list)
    """Of each question."""

    def add(self, answer: BatchAnswer) -> None:
        self.answered += answer.ok
        self.failed += not answer.ok
        self.spent.add(answer)
        self.seconds.append(answer.seconds)

    def cells(self) -> tuple[str, ...]:
        return (
            self.agent or _("all"), self.mode or "–", self.model or "–",
            f"{self.answered + self.failed:,}", f"{self.answered:,}", f"{self.failed:,}",
            f"{self.spent.input:,}", f"{self.spent.output:,}",
            money_text(self.spent.money) if self.spent.money else "–",
            f"{sum(self.seconds):.1f}", f"{statistics.median(self.seconds):.1f}", f"{percentile(self.seconds, 95):.1f}",
        )  # fmt: skip


def cost_rows(answers: Iterable[BatchAnswer]) -> list[CostRow]:
    """The row of all comes last, where there is more than one."""
    rows: dict[tuple[str, str, str], CostRow] = defaultdict(CostRow)
    whole = CostRow()
    for one in answers:
        key = (one.agent, one.mode, one.model)
        if key not in rows:
            rows[key] = CostRow(*key)
        rows[key].add(one)
        whole.add(one)
    groups = [rows[key] for key in sorted(rows)]
    return [*groups, whole] if len(groups) > 1 else groups


def heads() -> tuple[str, ...]:
    return (
        _("agent"), _("mode"), _("model"), _("questions asked"), _("answered"), _("failed"),
        _("tokens in"), _("tokens out"), _("price"), _("time together (s)"), _("median (s)"), _("95 % within (s)"),
    )  # fmt: skip


def costs_csv(rows: Sequence[CostRow]) -> str:
    """With a dot in every number and one column for each currency."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    currencies = sorted({currency for row in rows for currency in row.spent.money})
    writer.writerow([*(head for head in heads() if head != _("price")), *currencies])
    for row in rows:
        writer.writerow(
            [
                row.agent or _("all"), row.mode, row.model, row.answered + row.failed, row.answered, row.failed,
                row.spent.input, row.spent.output, round(sum(row.seconds), 3),
                round(statistics.median(row.seconds), 3), round(percentile(row.seconds, 95), 3),
                *(round(row.spent.money.get(currency, 0.0), 6) for currency in currencies),
            ]
        )  # fmt: skip
    return out.getvalue()


def percentile(values: Sequence[float], percent: float) -> float:
    """Between two values the line from one to the other."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
