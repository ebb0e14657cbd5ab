"""What a person sets for an agent of this trade, beside the settings every agent has."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.core.setting import setting
from app.core.text.i18n import N_

from .matching.decide import Thresholds


class QuotationSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    accept_score: int = setting(
        80, ge=50, le=100, clamp=True, unit="%", title=N_("Score taken without asking"), group=N_("Matching"),
        help=N_("Lower takes more lines by itself and more of them wrongly."),
    )  # fmt: skip
    accept_gap: int = setting(
        6, ge=0, le=50, clamp=True, unit="%", title=N_("Lead over the next product"), group=N_("Matching"),
        help=N_("A product whose next rival is closer than this is left to you."),
    )  # fmt: skip
    floor_score: int = setting(
        30, ge=5, le=80, clamp=True, unit="%", title=N_("Score below which nothing matches"), group=N_("Matching")
    )
    role: Literal["seller", "viewer"] = setting(
        "seller", title=N_("Role"), group=N_("Rights"),
        help=N_("A viewer may look up prices but change nothing."),
    )  # fmt: skip

    shows_costs: bool = setting(
        False, title=N_("Costs and margins may be shown"), group=N_("Rights"),
        help=N_("Off: no tool returns a cost, neither to you nor to a model."),
    )  # fmt: skip

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(self.accept_score / 100, self.accept_gap / 100, self.floor_score / 100)
