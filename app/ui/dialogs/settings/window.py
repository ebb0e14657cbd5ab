"""All settings in one window: pages at the side, one search over every field of them.

Not modal. A page is made when it is first shown or searched, and stays while the window is open: what was not saved
on one page is still there after a look at another. Nothing opens on top of the window: see `Sheet`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.settings.fields import SettingField, fields_of
from app.ui.dialogs.settings.navigation import Navigation
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.dialogs.settings.reveal import FoundMark, bring_to_sight
from app.ui.dialogs.settings.turns import ListAndPage
from app.ui.theme import Theme
from app.ui.widgets.fit import bring_into, open_at
from app.ui.widgets.sheet import has_sheet, take_sheets
from app.ui.widgets.tab_order import first_stop

_PLACE, _PAGE = "settings/geometry", "settings/page"
LEAST = 420
"""Pixels the window can be made small to, whatever the size of its text: its pages stack and scroll then."""
_MOST = 80
"""Hits that are listed."""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """`words` are further words the page is found by."""

    id: str
    title: str
    icon: str
    make: Callable[[], SettingsPage]
    words: str = ""


@dataclass(frozen=True, slots=True)
class _Hit:
    page: str
    title: str
    field: SettingField | None = None
    """None: the page itself."""


class SettingsWindow(QDialog):
    def __init__(
        self, specs: Sequence[PageSpec], theme: Theme, memory: QSettings, parent: QWidget | None = None
    ) -> None:
        """`memory` keeps the size and the page for the next time."""
        super().__init__(parent)
        self.setObjectName("settingsDialog")
        self.setWindowTitle(_("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        take_sheets(self)
        self._specs, self._theme, self._memory = {one.id: one for one in specs}, theme, memory
        self._pages: dict[str, SettingsPage] = {}
        self._current = ""
        self._hits: list[_Hit] = []
        self._fields: dict[str, list[SettingField]] = {}
        """By page, as long as one search lasts; not of the page in sight, which may be changed meanwhile."""
        self._unbuilt = list(self._specs)
        """Still to be made for the search. Each is tried once: one that cannot be made is reported, and left out."""
        self._mark: FoundMark | None = None
        self._is_ending = False
        self.navigation = Navigation(theme, [(one.id, one.title, one.icon) for one in specs])
        self.navigation.page_chosen.connect(self.go_to)
        self.navigation.searched.connect(self._search)
        self.navigation.hit_chosen.connect(self._go_to_hit)
        self.body = ListAndPage(theme, self.navigation)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.body)
        self._building = QTimer(self)
        self._building.setInterval(0)
        self._building.timeout.connect(self._build_next)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self._find)
        self._take_place()

    # ------------------------------------------------------------ pages

    @property
    def current(self) -> str:
        return self._current

    def page(self, id: str) -> SettingsPage:
        if id not in self._pages:
            page = self._pages[id] = self._specs[id].make()
            self.body.add(page)
        return self._pages[id]

    def go_to(self, id: str, item: str = "") -> None:
        """`item` is the agent, provider or server to show; "" leaves what is shown."""
        if id not in self._specs:
            id = next(iter(self._specs))
        is_known, page = id in self._pages, self.page(id)
        if id != self._current:
            self._fields.pop(self._current, None)
            self._current = id
            if is_known:
                page.refresh()
        self.body.show_page(page)
        if item:
            page.show_item(item)
        self.navigation.select(id)
        self._memory.setValue(_PAGE, id)
        unsaved = {known for known, one in self._pages.items() if known != id and one.is_refused}
        self.navigation.mark_unsaved(unsaved)

    def open_at_last(self) -> None:
        """The page that was open when the window was closed."""
        self.go_to(str(self._memory.value(_PAGE, "")))

    def focus_page(self) -> None:
        stop = first_stop(self.page(self._current))
        (stop or self.navigation.pages).setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ finding

    def _find(self) -> None:
        if not has_sheet(self):
            self.body.go_back()
            self.navigation.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.navigation.search.selectAll()

    def _search(self, text: str) -> None:
        self._drop_mark()
        if not text:
            self._hits = []
            self._fields.clear()
            self._building.stop()
            self.navigation.show_pages()
            return
        if self._unbuilt:
            self._building.start()
        self._show_hits()

    def _build_next(self) -> None:
        """One page between two frames, until all can be searched."""
        if not self._unbuilt:
            self._building.stop()
            self._show_hits()
        elif (id := self._unbuilt.pop(0)) not in self._pages:
            self.page(id)
            self._show_hits()

    def _show_hits(self) -> None:
        words = self.navigation.search.text().casefold().split()
        if not words:
            return
        hits: list[_Hit] = []
        for id, spec in self._specs.items():
            if all(word in f"{spec.title} {spec.words}".casefold() for word in words):
                hits.append(_Hit(id, spec.title))
        matches = [
            _Hit(id, one.title, one)
            for id in self._specs
            if id in self._pages
            for one in self._fields_of(id)
            if one.fits(words)
        ]
        in_title = [one for one in matches if all(word in one.title.casefold() for word in words)]
        hits += in_title + [one for one in matches if one not in in_title]
        self._hits = hits[:_MOST]
        if self._hits or not self._unbuilt:
            self.navigation.show_hits([(one.title, self._place(one)) for one in self._hits])

    def _fields_of(self, id: str) -> list[SettingField]:
        if id == self._current:
            return list(fields_of(self._pages[id]))
        if id not in self._fields:
            self._fields[id] = list(fields_of(self._pages[id]))
        return self._fields[id]

    def _place(self, hit: _Hit) -> str:
        page, group = self._specs[hit.page].title, hit.field.group if hit.field is not None else ""
        return f"{page} › {group}" if group and group not in (page, hit.title) else page

    def _go_to_hit(self, place: int) -> None:
        if place >= len(self._hits):
            return
        hit = self._hits[place]
        if hit.field is not None and not any(map(hit.field.is_same, fields_of(self._pages[hit.page]))):
            self._fields.pop(hit.page, None)  # the page has been filled anew
            self._show_hits()
            return
        self.go_to(hit.page)
        self._drop_mark()
        if hit.field is None:
            self.focus_page()
            return
        target = bring_to_sight(hit.field.widget, hit.field.row)
        if not target.isVisible():  # a list that has made room for what was chosen in it
            self.focus_page()
            return
        self._mark = FoundMark(target)
        stop = target if target.focusPolicy() & Qt.FocusPolicy.TabFocus else first_stop(target)
        (stop or target).setFocus(Qt.FocusReason.TabFocusReason)

    def _drop_mark(self) -> None:
        if self._mark is not None:
            self._mark.end()
            self._mark = None

    # ------------------------------------------------------------ leaving

    def reject(self) -> None:
        """Esc: one level back, then the window closes."""
        if self.navigation.give_up_search() or self.page(self._current).go_back() or self.body.go_back():
            return
        self.close()

    def unsaved(self) -> bool:
        return any(page.is_dirty for page in self._pages.values())

    def end(self) -> None:
        """The program ends or shows itself anew: closes without a question."""
        self._is_ending = True
        self.close()

    def leave(self, then: Callable[[], object] | None = None) -> None:
        """Closes once all is stored, or what cannot be is given up; then goes on with `then`."""
        dirty = next((id for id, page in self._pages.items() if page.is_dirty), None)
        if dirty is None:
            self.close()
            if then is not None:
                then()
            return
        self.go_to(dirty)
        if not has_sheet(self):
            self._pages[dirty].leave(partial(self.leave, then))

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.unsaved() and not self._is_ending:
            event.ignore()
            self.leave()
            return
        self._building.stop()
        for page in self._pages.values():
            page.finish()
        self._memory.setValue(_PLACE, self.saveGeometry())
        event.accept()

    def _take_place(self) -> None:
        theme = self._theme
        self.setMinimumSize(min(theme.space(50), LEAST), min(theme.space(45), LEAST))
        room = self.screen().availableGeometry()
        least = self.minimumSize()
        self.setMinimumSize(min(least.width(), room.width()), min(least.height(), room.height() - theme.space(6)))
        place = self._memory.value(_PLACE)
        if isinstance(place, QByteArray) and self.restoreGeometry(place):
            bring_into(room, self)
        else:
            open_at(self, theme.space(144), theme.space(92))
