"""The dialogs of the window: each opened once, over it, and never by a nested loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QDialog


class DialogManager:
    def __init__(self) -> None:
        self._open: dict[str, QDialog] = {}

    def show(self, name: str, make: Callable[[], QDialog]) -> None:
        """The dialog of that name: made, or brought to the front if it is open."""
        if (known := self._open.get(name)) is not None:
            known.raise_()
            known.activateWindow()
            return
        dialog = self._open[name] = make()
        # Dialogs delete themselves when they close; after that nobody may hold them.
        dialog.destroyed.connect(partial(self._forget, name))
        dialog.open()

    def close(self) -> None:
        for dialog in tuple(self._open.values()):
            dialog.close()

    def _forget(self, name: str, _gone: object = None) -> None:
        self._open.pop(name, None)
