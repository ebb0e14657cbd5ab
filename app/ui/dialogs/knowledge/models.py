"""The two models documents may be searched with beside their words: one for vectors, one that ranks what was found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.knowledge.models import KnowledgeModels, ModelTest
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.layout.flow import FieldRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn


class ModelsView(QWidget):
    """A choice counts at once, when the field is left or a line of its list is taken."""

    failed = Signal(str)

    def __init__(self, models: KnowledgeModels, theme: Theme, *, spawn: Spawn) -> None:
        super().__init__()
        self._models, self._spawn = models, spawn
        self.state = SafeLabel("", role="meta")
        self.state.setWordWrap(True)
        self._theme, self._column = theme, QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space(0.5))
        embedding, reranking = models.suggested()
        self.embedding = self._row(
            _("Embedding model"), embedding, lambda ref: models.set(embedding=ref), models.test_embedding
        )
        self.reranking = self._row(
            _("Rerank model"), reranking, lambda ref: models.set(reranking=ref), models.test_reranking
        )
        about = SafeLabel(
            _(
                "With an embedding model, documents and facts are found by what they mean, too; their text is sent to "
                "it. A rerank model orders the passages found. Without them search goes by words."
            ),
            role="meta",
        )
        about.setWordWrap(True)
        self._column.addWidget(about)
        self._column.addWidget(self.state)
        self.refresh()

    def _row(
        self,
        title: str,
        suggested: Sequence[str],
        save: Callable[[str], Coroutine[Any, Any, None]],
        test: Callable[[str], Awaitable[ModelTest]],
    ) -> CalmCombo:
        combo, button = CalmCombo(), QPushButton(_("Test"))
        combo.setEditable(True)
        combo.setInsertPolicy(CalmCombo.InsertPolicy.NoInsert)
        combo.addItems(["", *suggested])
        combo.setAccessibleName(title)
        if (field := combo.lineEdit()) is not None:
            field.setPlaceholderText(_("none – provider/model, such as ollama/bge-m3"))
            field.editingFinished.connect(lambda: self._spawn(self._saved(save(combo.currentText().strip()))))
        combo.activated.connect(lambda _index: self._spawn(self._saved(save(combo.currentText().strip()))))
        button.setAutoDefault(False)
        button.setAccessibleName(_("Test {service}").format(service=title))
        button.clicked.connect(partial(self._try, combo, test))
        label = SafeLabel(title)
        label.setMinimumWidth(self._theme.space(19))
        self._column.addWidget(FieldRow(self._theme.space(1), label, combo, button))
        return combo

    def refresh(self) -> None:
        for combo, ref in ((self.embedding, self._models.embedding), (self.reranking, self._models.reranking)):
            if not combo.hasFocus():
                combo.setCurrentText(ref)

    def _try(self, combo: CalmCombo, test: Callable[[str], Awaitable[ModelTest]], _checked: bool = False) -> None:
        self.state.setText(_("Asking…"))
        self._spawn(self._tested(test(combo.currentText().strip())))

    async def _tested(self, asked: Awaitable[ModelTest]) -> None:
        result = await asked
        if shiboken6.isValid(self):
            self.state.setText(result.text)

    async def _saved(self, work: Coroutine[Any, Any, None]) -> None:
        why = ""
        try:
            await work
        except (TriptychError, OSError) as error:
            why = _("Not saved: {error}").format(error=fault_text(error))
        if shiboken6.isValid(self):
            self.failed.emit(why)
