"""What a person sets for an agent of this trade, beside the settings every agent has."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from app.core.setting import setting
from app.core.text.i18n import N_


class ResearchSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    quality_limit: int = setting(
        70, ge=0, le=100, clamp=True, title=N_("Quality that is enough"), group=N_("Research"),
        help=N_("The agent answers when the question is resolved and its score reaches this number."),
    )  # fmt: skip
    confidence_limit: int = setting(
        60, ge=0, le=100, clamp=True, title=N_("Confidence that is enough"), group=N_("Research")
    )
