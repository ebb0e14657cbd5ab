"""Beside Send: what a question is likely to take, by the runs this agent has had in this mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.run.analysis.run_stats import Expected, RunFigures, expected
from app.core.run.price import PriceOf, cost_of, money_text
from app.core.text.i18n import ngettext
from app.core.wording.figures import seconds_text, tokens_text

if TYPE_CHECKING:
    from app.ui.chat.composer import Composer
    from app.ui.widgets.fields.mode_selector import ModeSelector


class ExpectedCosts(QObject):
    def __init__(self, composer: Composer, modes: ModeSelector, price_of: PriceOf) -> None:
        super().__init__(composer)
        self._composer, self._modes, self._price_of = composer, modes, price_of
        self._runs: Sequence[RunFigures] = ()
        self._model = ""
        modes.mode_changed.connect(self._tell)

    def show_runs(self, runs: Sequence[RunFigures]) -> None:
        """Of the agent that is chosen."""
        self._runs = runs
        self._tell()

    def show_model(self, model: str) -> None:
        """Where a question would go now, by its reference."""
        if model != self._model:
            self._model = model
            self._tell()

    def _tell(self) -> None:
        estimate = expected(self._runs, self._modes.mode(), self._model)
        if estimate is None:
            self._composer.show_expected("", "")
            return
        self._composer.show_expected(_figures(estimate, self._model, self._price_of), _basis(estimate))


def _figures(found: Expected, model: str, price_of: PriceOf) -> str:
    """ "≈ 3,400 tokens · 9 s · ¥0.02"."""
    money, _is_whole = cost_of([(model, found.usage)], price_of)
    parts = [tokens_text(found.usage.total) if found.usage.total else "", seconds_text(found.seconds)]
    return "≈ " + " · ".join(filter(None, [*parts, money_text(money) if money else ""]))


def _basis(found: Expected) -> str:
    words = ngettext(
        "Middle of the last {n} run of this agent in this mode; instructions and tools are counted, waiting is not.",
        "Middle of the last {n} runs of this agent in this mode; instructions and tools are counted, waiting is not.",
        found.runs,
    )
    return words.format(n=found.runs)
