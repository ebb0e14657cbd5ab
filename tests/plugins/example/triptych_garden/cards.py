"""A card: a function of payload and theme that gives a widget. Only the window imports this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QProgressBar, QWidget

from app.ui.theme import Theme


def gauge(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    bar = QProgressBar()
    bar.setObjectName("gardenGauge")
    bar.setFixedHeight(theme.space(1))
    bar.setTextVisible(False)
    bar.setRange(0, 100)
    bar.setValue(round(100 * float(payload["share"])))
    bar.setAccessibleName(f"{bar.value()} %")
    return bar
