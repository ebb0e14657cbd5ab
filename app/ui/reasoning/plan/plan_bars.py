"""The two bars of the plan: holding it while it runs, and keeping it as a template."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

from app.core.run.plan_template import PlanTemplate
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class RunBar(QWidget):
    """Pause; then one step at a time, or on from the step where it stands."""

    ordered = Signal(str)
    """pause, next or resume."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_paused = False
        self._told = SafeLabel(role="meta")
        self._told.setWordWrap(True)
        self.pause = QPushButton(_("Pause"))
        self.next = QPushButton(_("Run next"))
        self.resume = QPushButton()
        self.resume.setProperty("kind", "primary")
        for button, order in ((self.pause, "pause"), (self.next, "next"), (self.resume, "resume")):
            button.clicked.connect(partial(self._order, order))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        for button in (self.pause, self.next, self.resume):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(self._told)
        layout.addLayout(row)
        self.set_theme(theme)
        self.show_place(0, "")

    def set_paused(self, is_paused: bool) -> None:
        self.is_paused = is_paused
        self._arrange()

    def show_place(self, step: int, busy: str) -> None:
        """`step` comes next, 0 = none; `busy` names the one at work."""
        self._next, self._busy = step, busy
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        for button, icon, token in ((self.pause, "pause", "text"), (self.next, "skip", "text")):
            button.setIcon(theme.icon(icon, token))
            button.setIconSize(QSize(theme.space(2), theme.space(2)))
        self.resume.setIcon(theme.icon("play", "on_accent"))
        self.resume.setIconSize(QSize(theme.space(2), theme.space(2)))

    def _arrange(self) -> None:
        had_focus = any(button.hasFocus() for button in (self.pause, self.next, self.resume))
        may_step = self.is_paused and bool(self._next)
        (self.resume if self.is_paused else self.pause).show()
        if had_focus and not (self.next.hasFocus() and may_step):
            (self.resume if self.is_paused else self.pause).setFocus(Qt.FocusReason.OtherFocusReason)
        self.pause.setVisible(not self.is_paused)
        self.next.setVisible(self.is_paused)
        self.next.setEnabled(bool(self._next))
        self.resume.setVisible(self.is_paused)
        go_on = _("Continue from step {n}").format(n=self._next) if self._next else _("Continue")
        self.resume.setText(go_on)
        text = _("Paused. You can skip, change or fill in steps.")
        if self._busy:
            text = _("Pauses after what is at work: {step}").format(step=self._busy)
        self._told.setText(text)
        self._told.setVisible(self.is_paused)

    def _order(self, order: str, _checked: bool = False) -> None:
        self.set_paused(order != "resume")
        self.ordered.emit(order)


class TemplateBar(QWidget):
    """Keep the plan under a name; take one that was kept."""

    saved = Signal(str)
    used = Signal(object)
    deleted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suggestion = ""
        self._templates: tuple[PlanTemplate, ...] = ()
        self.button = QPushButton(_("Templates"), parent)
        self.button.setProperty("kind", "quiet")
        self.menu = QMenu(self)
        self.button.setMenu(self.menu)
        self.name = QLineEdit()
        self.name.setAccessibleName(_("Name of the template"))
        self.name.setPlaceholderText(_("Name of the template"))
        self.name.setMaxLength(120)
        self.name.returnPressed.connect(self._save)
        save = QPushButton(_("Save"))
        save.clicked.connect(self._save)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(1))
        row.addWidget(self.name, 1)
        row.addWidget(cancel)
        row.addWidget(save)
        self.hide()
        self._fill()

    def take_escape(self) -> bool:
        """The name is not wanted after all."""
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        return True

    def set_templates(self, templates: Sequence[PlanTemplate]) -> None:
        self._templates = tuple(templates)
        self._fill()

    def suggest(self, name: str) -> None:
        self._suggestion = name

    def _fill(self) -> None:
        self.menu.clear()
        self.menu.addAction(_("Save as a template…")).triggered.connect(self._ask_name)
        if not self._templates:
            return
        self.menu.addSeparator()
        for template in self._templates:
            self.menu.addAction(_menu_text(template.name)).triggered.connect(partial(self._use, template))
        self.menu.addSeparator()
        delete = self.menu.addMenu(_("Delete a template"))
        for template in self._templates:
            delete.addAction(_menu_text(template.name)).triggered.connect(partial(self._delete, template))

    def _ask_name(self) -> None:
        self.name.setText(self._suggestion[:120])
        self.name.selectAll()
        self.show()
        self.name.setFocus()

    def _save(self) -> None:
        if name := self.name.text().strip():
            self.hide()
            self.saved.emit(name)

    def _use(self, template: PlanTemplate, _checked: bool = False) -> None:
        self.used.emit(template)

    def _delete(self, template: PlanTemplate, _checked: bool = False) -> None:
        self.deleted.emit(template.id)


def _menu_text(name: str) -> str:
    """An ampersand in a name is no shortcut."""
    return name.replace("&", "&&")
