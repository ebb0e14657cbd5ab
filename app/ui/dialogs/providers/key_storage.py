"""Where keys lie: asked where no keyring keeps one, shown, and changed by moving them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.providers.key_storage import KeyPlaces
    from app.services.providers.service import ProviderService
    from app.services.settings.settings import SettingsService

KeyPlace = Literal["file", "session"]
Offer = Literal["", "keyring", "file", "again"]
"""What can be done about it: move the keys there, or look once more."""


class KeyStorageLine(QWidget):
    """Where keys lie, in a sentence, and what can be done about it."""

    wanted = Signal(str)
    """An `Offer`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offer: Offer = ""
        self.text = SafeLabel(role="meta")
        self.text.setWordWrap(True)
        self.button = QPushButton()
        self.button.setAccessibleName(_("Where keys are kept"))
        self.button.setProperty("kind", "link")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._want)
        self.button.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        layout.addWidget(self.text)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_places(self, places: KeyPlaces) -> None:
        text, self._offer = _words(places)
        offers = {
            "keyring": _("Move them to the keyring"),
            "file": _("Keep them in a file instead…"),
            "again": _("Look again"),
        }
        self.text.setText(text)
        self.button.setText(offers.get(self._offer, ""))
        self.button.setAccessibleName(offers.get(self._offer, _("Where keys are kept")))
        self.button.setVisible(bool(self._offer))

    def _want(self) -> None:
        self.wanted.emit(self._offer)


def _words(places: KeyPlaces) -> tuple[str, Offer]:
    match places.kind, places.keyring:
        case "file", "there":
            return _("Keys are kept in a file only you can read, though there is a keyring."), "keyring"
        case "keyring", _keyring:
            if places.in_file:
                return _("Keys are kept in the system's keyring; earlier ones lie in a file still."), "keyring"
            return _("Keys are kept in the system's keyring."), "file"
        case "file", "silent":
            return _("The keyring does not answer: keys are kept in a file only you can read."), "again"
        case "file", _keyring:
            return _("There is no keyring: keys are kept in a file only you can read."), ""
        case "session", "absent":
            return _("There is no keyring: keys are kept for this session only."), ""
        case "session", _keyring:
            return _("Keys are kept for this session only."), ""
        case _kind, "silent":
            return _("The keyring does not answer: you will be asked where to keep a key."), "again"
        case _:
            return _("There is no keyring: you will be asked where to keep a key."), ""


def ask_to_move_into_file(parent: QWidget, theme: Theme) -> AskDialog:
    answers = [("", _("Cancel"), ""), ("file", _("Move them to the file"), "primary")]
    text = _("The file is not encrypted; anyone with your account can read it. New keys go there too.")
    title = _("Keep keys in a file?")
    question = AskDialog(parent, theme, title, text, answers)
    question.open()
    return question


def ask_where_keys_go(parent: QWidget, theme: Theme, *, title: str = "") -> AskDialog:
    """What is chosen is a `KeyPlace`. Saying nothing keeps nothing."""
    answers = [
        ("", _("Cancel"), ""),
        ("file", _("A file only I can read"), ""),
        ("session", _("This session only"), "primary"),
    ]
    text = _(
        "No keyring keeps it: this computer has none, or it is locked or does not answer. A file is not encrypted; "
        "anyone with your account can read it."
    )
    question = AskDialog(parent, theme, title or _("Where should the key be kept?"), text, answers)
    question.open()
    return question


Work = Callable[[], Coroutine[Any, Any, None]]


class SecretKeeper:
    """Work that stores secret values: where nobody knows yet where they are kept, the person is asked."""

    def __init__(
        self, parent: QWidget, theme: Theme, providers: ProviderService, settings: SettingsService, *, title: str = ""
    ) -> None:
        """`title` of the question; "" for that of a key."""
        self._parent, self._theme, self._title = parent, theme, title
        self._providers, self._settings = providers, settings

    async def do(self, work: Work) -> bool:
        """At once, or again after the answer. False if no place was named: then nothing was stored."""
        try:
            await work()
        except TriptychError as error:
            if error.code != "KEY_STORAGE_MISSING" or not shiboken6.isValid(self._parent):
                raise
        else:
            return True
        where = await self._asked()
        if where is None:
            return False
        self._providers.key_storage.choose(where)
        preferences = self._settings.preferences.model_copy(update={"keys_in_file": where == "file"})
        await self._settings.save_preferences(preferences)
        await work()
        return True

    async def _asked(self) -> KeyPlace | None:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def settle(place: str) -> None:
            if not answer.done():
                answer.set_result(place)

        question = ask_where_keys_go(self._parent, self._theme, title=self._title)
        question.answered.connect(settle)
        question.destroyed.connect(lambda _gone: settle(""))
        place = await answer
        return "file" if place == "file" else "session" if place == "session" else None
