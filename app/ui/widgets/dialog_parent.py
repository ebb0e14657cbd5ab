"""What a dialog opens over: a window that knows the theme of this moment."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow

from app.ui.theme import Theme


class DialogParent(QMainWindow):
    theme: Theme
    """Changes while the window is open: read it when something is made, do not keep it."""
