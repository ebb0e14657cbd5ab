"""Modes and cards of plug-ins, put into the window: its shell was there before it could know of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.run.mode import MODE_IDS, mode_ids
from app.services.tools.plugins import PluginFault, fault_notice
from app.ui.cards import RENDERERS
from app.ui.cards import plugin_cards as added
from app.ui.texts import mode_tip, mode_title, notice_text
from app.ui.widgets.fields.mode_selector import ModeChoice, ModeSelector

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from app.services.settings.settings import SettingsService
    from app.ui.widgets.notice_bar import NoticeBar


def take_plug_ins(modes: ModeSelector, settings: SettingsService, card_plugins: Sequence[EntryPoint]) -> None:
    """What cannot be taken is told at the start."""
    if len(mode_ids()) > len(MODE_IDS):
        modes.set_modes([ModeChoice(id, mode_title(id), mode_tip(id)) for id in mode_ids()])
    for fault in added.load(card_plugins, RENDERERS):
        settings.add_notice(fault_notice(fault))


class CardFaults(QObject):
    """A card of a plug-in that fails later is told when it fails."""

    def __init__(self, notice: NoticeBar) -> None:
        super().__init__(notice)
        self._notice = notice
        self.close = added.listen(self._failed)

    def _failed(self, fault: PluginFault) -> None:
        notice = fault_notice(fault)
        self._notice.tell(notice_text(notice.code, notice.text, notice.params), "warn")
