"""The lines of the plan card around its steps: goal, tools of changing, templates, holding it, answering it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.run.plan_template import PlanTemplate
from app.core.text.i18n import _
from app.ui.plan.words import changes_words
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

_NARROW = 62
"""Below so many steps of the grid the sum has a line of its own."""


class Head(QWidget):
    """What the plan is for; a field while it is changed; how it ended, and the fold, once it is over."""

    goal_edited = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._icon = QLabel()
        self._goal = SafeLabel(role="heading")
        self._goal.setWordWrap(True)
        self.field = QLineEdit()
        self.field.setAccessibleName(_("Goal"))
        self.field.textEdited.connect(self.goal_edited)
        self._note = SafeLabel(role="meta")
        self.pause = IconButton(theme, "pause", _("Pause the plan"), size=14)
        self.pause.setObjectName("planPauseButton")
        self.fold = IconButton(theme, "chevron-right", _("Show the steps"), size=14)
        line = self._line = QHBoxLayout(self)
        line.setSpacing(theme.space(1))
        line.addWidget(self._icon)
        line.addWidget(self._goal, 1)
        line.addWidget(self.field, 1)
        line.addWidget(self._note)
        line.addWidget(self.pause)
        line.addWidget(self.fold)
        self.set_theme(theme)
        self.show_quiet(is_quiet=False)

    def show_goal(self, goal: str, *, editing: bool) -> None:
        self._goal.setText(goal)
        if self.field.text() != visible(goal):
            self.field.setText(visible(goal))
            self.field.setCursorPosition(0)
        self._goal.setVisible(not editing)
        self.field.setVisible(editing)

    def show_quiet(self, *, is_quiet: bool) -> None:
        """One line among those of the answer, in line with its head."""
        role = "meta" if is_quiet else "heading"
        if self._goal.property("role") != role:
            self._goal.setProperty("role", role)
            self._goal.style().unpolish(self._goal)
            self._goal.style().polish(self._goal)
        space = self._theme.space
        self._line.setContentsMargins(0 if is_quiet else space(1), space(0.5), space(0.5), space(0.5))

    def show_note(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))

    def show_fold(self, *, is_shown: bool, is_folded: bool) -> None:
        self.fold.setVisible(is_shown)
        self.fold.set_icon(self._theme, "chevron-right" if is_folded else "chevron-down")
        self.fold.describe(_("Show the steps of the plan") if is_folded else _("Fold the plan"))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("list", "accent", 16, ratio=self.devicePixelRatioF()))


class ToolLine(QWidget):
    """Add, templates, and what can be undone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.add = QPushButton(_("Add a step"))
        self.add.setProperty("kind", "quiet")
        self.add.setAutoDefault(False)
        self.undo = QPushButton()
        self.undo.setProperty("kind", "quiet")
        self.undo.setAutoDefault(False)
        self.undo.setAccessibleName(_("Undo the last change"))
        set_safe_tooltip(self.undo, _("Undo the last change") + "  Ctrl+Z")
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self.add)
        self._line.addStretch(1)
        self._line.addWidget(self.undo)
        self.set_theme(theme)

    def add_templates(self, button: QWidget) -> None:
        self._line.insertWidget(1, button)

    def show_changes(self, count: int, *, is_full: bool) -> None:
        self.add.setEnabled(not is_full)
        self.undo.setText(changes_words(count))
        self.undo.setVisible(count > 0)

    def set_theme(self, theme: Theme) -> None:
        for button, icon in ((self.add, "plus"), (self.undo, "undo")):
            button.setIcon(theme.icon(icon, "text", 14))
            button.setIconSize(QSize(theme.space(1.75), theme.space(1.75)))


class Footer(QWidget):
    """What the plan takes, and the answers to it; one of them is primary."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sum = SafeLabel(role="meta", elide=True)
        self.cancel = QPushButton(_("Cancel"))
        self.restore = QPushButton(_("Revert"))
        self.keep = QPushButton(_("Keep, skip the step"))
        self.change = QPushButton(_("Change"))
        self.done = QPushButton(_("Finish"))
        self.next = QPushButton(_("Run next"))
        self.next.setObjectName("planNextButton")
        self.run = QPushButton(_("Run"))
        self.run.setObjectName("planRunButton")
        self.run.setProperty("kind", "primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space(0.5))
        buttons.addStretch(1)
        for button in (self.cancel, self.restore, self.keep, self.change, self.done, self.next, self.run):
            if button is not self.run:
                button.setProperty("kind", "quiet")
            button.setAutoDefault(False)
            buttons.addWidget(button)
        set_safe_tooltip(self.next, _("Run one step, then wait"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.space(0.5), 0, 0)
        column.setSpacing(theme.space(1))
        rule = QFrame()
        rule.setProperty("line", True)
        rule.setFixedHeight(1)
        column.addWidget(rule)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._box.setContentsMargins(theme.space(1), 0, 0, 0)
        self._box.setSpacing(theme.space(1))
        column.addLayout(self._box)
        self._box.addWidget(self._sum, 1)
        self._box.addLayout(buttons)
        self.set_theme(theme)

    def show_state(self, state: str) -> None:
        """read, waits, edited or differs."""
        self.setVisible(state != "read")
        visible_for = {
            "waits": (self.cancel, self.change),
            "edited": (self.restore, self.done, self.next),
            "differs": (self.keep, self.change),
        }.get(state, ())
        for button in (self.cancel, self.restore, self.keep, self.change, self.done, self.next):
            button.setVisible(button in visible_for)
        self.run.setText(_("Accept") if state == "differs" else _("Run"))
        self.run.setIcon(self._theme.icon("check" if state == "differs" else "play", "on_accent"))

    def show_sum(self, text: str, basis: str) -> None:
        self._sum.setText(text)
        set_safe_tooltip(self._sum, "\n".join(filter(None, (text, basis))))

    def sum(self) -> str:
        return self._sum.full_text()

    def show_width(self, width: int) -> None:
        """The sum beside the buttons where there is room, else above them."""
        is_narrow = width < self._theme.space(_NARROW)
        way = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        if self._box.direction() != way:
            self._box.setDirection(way)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for button, icon, token in ((self.run, "play", "on_accent"), (self.change, "pencil", "text")):
            button.setIcon(theme.icon(icon, token))
            button.setIconSize(QSize(theme.space(2), theme.space(2)))


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
