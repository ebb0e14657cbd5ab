"""Modes and cards of plug-ins, put into the window: its shell was there before it could know of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.core.run.mode import MODE_IDS, mode_ids
from app.services.tools.plugins import PluginFault, fault_notice
from app.ui.cards import RENDERERS
from app.ui.cards import plugin_cards as added
from app.ui.texts import mode_tip, mode_title, notice_text
from app.ui.widgets.mode_selector import ModeChoice

if TYPE_CHECKING:
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow


def take_plug_ins(window: MainWindow, services: Services) -> Callable[[], None]:
    """What cannot be taken is told at the start, a card that fails later when it fails. Returns how to stop."""
    if len(mode_ids()) > len(MODE_IDS):
        window.modes.set_modes([ModeChoice(id, mode_title(id), mode_tip(id)) for id in mode_ids()])
    for fault in added.load(services.card_plugins, RENDERERS):
        services.settings.tell(fault_notice(fault))

    def failed(fault: PluginFault) -> None:
        notice = fault_notice(fault)
        window.notice.tell(notice_text(notice.code, notice.text, notice.params), "warn")

    return added.listen(failed)
