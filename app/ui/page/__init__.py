"""The page beside the chat (core/page.py): the texts of a folder, read and written, and boards about them."""

from app.ui.page.pane import PagePane

__all__ = ["PagePane"]
