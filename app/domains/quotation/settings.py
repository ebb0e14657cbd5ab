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

    company: str = setting("", max_length=200, title=N_("Company"), group=N_("Letterhead"))
    company_lines: str = setting(
        "", max_length=1000, widget="long_text", title=N_("Address, telephone, bank"), group=N_("Letterhead")
    )
    logo: str = setting(
        "", max_length=2000, title=N_("Logo"), group=N_("Letterhead"), help=N_("A PNG or JPEG file on this computer.")
    )
    template: str = setting(
        "", max_length=2000, title=N_("Own workbook for quotations"), group=N_("Letterhead"),
        help=N_("An xlsx file on this computer with placeholders such as {{customer}}, and a row with {{line.name}}, "
                "{{line.price}} that stands once for each line. Formulas, styles and pictures stay."),
    )  # fmt: skip
    terms: str = setting("", max_length=4000, widget="long_text", title=N_("Terms"), group=N_("Letterhead"))
    valid_days: int = setting(
        30, ge=0, le=365, clamp=True, title=N_("Days a quotation is valid"), group=N_("Letterhead")
    )
    tax_rate: int = setting(
        0, ge=0, le=50, clamp=True, unit="%", title=N_("Tax added to the subtotal"), group=N_("Letterhead"),
        help=N_("0 where the prices of the lists hold it already."),
    )  # fmt: skip

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(self.accept_score / 100, self.accept_gap / 100, self.floor_score / 100)
