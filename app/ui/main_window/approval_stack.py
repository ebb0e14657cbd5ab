"""What waits for an answer, above the composer: as tall as it is, and scrolled where the window has less room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QVBoxLayout, QWidget

from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.layout.viewport import viewport_of


class ApprovalStack(PageArea):
    """Squeezed cards would show half their letters; these are whole, and the answers come after what they answer."""

    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        self._inner = QWidget()
        super().__init__(self._inner, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._cards = QVBoxLayout(self._inner)
        self._cards.setContentsMargins(0, 0, 0, 0)
        self._cards.setSpacing(spacing)
        self._room = 0
        self._inner.installEventFilter(self)
        if (application := QApplication.instance()) is not None:
            application.focusChanged.connect(self._follow)  # type: ignore[attr-defined]
        self.hide()

    def add(self, card: QWidget) -> None:
        self._cards.addWidget(card)
        self.show()
        self._fit()

    def take(self, card: QWidget) -> None:
        self._cards.removeWidget(card)
        card.hide()
        card.deleteLater()
        self._fit()

    def set_room(self, pixels: int) -> None:
        """How tall it may be."""
        if pixels != self._room:
            self._room = pixels
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inner and event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Wherever the focus comes from, what has it is seen."""
        if now is not None and self._inner.isAncestorOf(now):
            self.ensureWidgetVisible(now)

    def _fit(self) -> None:
        cards = self._cards
        wanted = cards.totalMinimumSize().height()
        if cards.hasHeightForWidth():
            wanted = max(wanted, cards.totalHeightForWidth(viewport_of(self).width()))
        else:
            wanted = max(wanted, cards.totalSizeHint().height())
        has_room = not self._room or wanted <= self._room
        # Without this a bar comes and goes while a card grows.
        never, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(never if has_room else needed)
        self.setFixedHeight(wanted if has_room else self._room)
        self.setVisible(cards.count() > 0)
