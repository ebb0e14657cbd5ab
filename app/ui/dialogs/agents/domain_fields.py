"""The settings an agent has of its domain (`Domain.settings`), as a form inside the agent's form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel
from PySide6.QtWidgets import QWidget

from app.core.setting import describe
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import Editor
from app.ui.widgets.fields.form import Form

SettingsOf = Callable[[str], type[BaseModel] | None]
"""The settings that a domain declares, by its id; None: it has none."""


class DomainFields(Editor):
    """Which fields it has follows from the domain; what the domain does not know any more is kept as it is."""

    is_wide = True

    def __init__(self, theme: Theme, settings_of: SettingsOf) -> None:
        super().__init__(QWidget())
        self.row.removeWidget(self.control)  # the fields of the form are the controls
        self.control.setParent(self)
        self.control.hide()
        self._theme, self._settings_of = theme, settings_of
        self._form: Form | None = None
        self._domain = ""
        self._given: dict[str, Any] = {}

    @property
    def is_empty(self) -> bool:
        return self._form is None

    def show_domain(self, domain: str) -> None:
        if domain == self._domain:
            return
        self._domain = domain
        if self._form is not None:
            self.row.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
            self._form = None
        settings = self._settings_of(domain) if domain else None
        self._infos = describe(settings) if settings is not None else []
        if self._infos:
            names = {info.name: f"domain_{info.name}" for info in self._infos}
            self._form = Form(self._infos, self._theme, names=names)
            self._form.changed.connect(self.changed)
            self.row.addWidget(self._form)

    def value(self) -> dict[str, Any]:
        """What differs from the default, or was stored before."""
        if self._form is None:
            return dict(self._given)
        defaults = {info.name: info.default for info in self._infos}
        values = self._form.values()
        own = {name: value for name, value in values.items() if name in self._given or value != defaults[name]}
        return {**self._given, **own}

    def set_value(self, value: Any) -> None:
        self._given = dict(value) if isinstance(value, Mapping) else {}
        if self._form is not None:
            self._form.set_values({**{info.name: info.default for info in self._infos}, **self._given})

    def error(self) -> str:
        return next(iter(self._form.errors().values()), "") if self._form is not None else ""
