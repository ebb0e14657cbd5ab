"""Icons of the commands that stand in a menu."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction

from app.ui.actions import COMMANDS, MENU, SHOWN
from app.ui.theme import Theme


def dress(actions: Mapping[str, QAction], theme: Theme) -> None:
    """Again with each theme. The others need none: drawing all would be felt at the start."""
    icons = {command.id: command.icon for command in COMMANDS}
    for id in (*SHOWN, *(id for section in MENU for id in section)):
        if id in actions and icons[id]:
            actions[id].setIcon(theme.icon(icons[id]))
