"""A press on a picture that stands elsewhere: the address is shown, and asked once the person says so (T01)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.dialogs import ask_to_load_picture

if TYPE_CHECKING:
    from app.ui.main_window.window import MainWindow
    from app.ui.render.parts.pictures import PictureLoader
    from app.ui.tasks import Tasks


def offer_to_load(window: MainWindow, pictures: PictureLoader, tasks: Tasks) -> None:
    """Each press is one question and at most one request; where the site sends on, that is asked anew."""

    def ask(address: str, source: str, *, moved: bool) -> None:
        def yes() -> None:
            tasks.spawn(load(address, source))

        ask_to_load_picture(window, window.theme, source, yes, moved=moved)

    async def load(address: str, source: str) -> None:
        location = await pictures.load(address, source)
        if location:
            ask(address, location, moved=True)

    pictures.wanted.connect(lambda address, _name: ask(address, address, moved=False))
