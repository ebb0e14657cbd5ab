"""The page of skills: taken in after a review, accepted again, written, changed, given out, removed – by clicks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.resources import resource_dir
from app.core.text.i18n import using_language
from app.services.skills.service import SkillService
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.skills.editor import SkillEditor
from app.ui.dialogs.skills.page import SkillsPage
from app.ui.dialogs.skills.review import SkillReview, SkillText
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work

TEXT = "---\nname: probe\ndescription: what it is for\nallowed-tools: read_file no_such\n---\nDo it well.\n"


@pytest.fixture
async def walk(qtbot: QtBot, tmp_path: Path, work: Work) -> Walk:
    return Walk(qtbot, tmp_path, work)


class Walk:
    def __init__(self, qtbot: QtBot, place: Path, work: Work) -> None:
        self.skills = SkillService(resource_dir() / "skills", place / "own")
        self.work, self.opened = work, list[QUrl]()
        tools = ["read_file", "list_folder"]
        self.page = SkillsPage(self.skills, tools, Theme(), spawn=work, open_url=self._opened)
        qtbot.addWidget(self.page)
        self.page.resize(1000, 680)
        self.page.show()

    def _opened(self, url: QUrl) -> bool:
        self.opened.append(url)
        return True

    async def click(self, button: QWidget) -> None:
        assert button.isVisible()
        assert button.isEnabled()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await self.work.settled()

    async def choose(self, path: Path) -> None:
        """In the file dialog that is open."""
        chooser = self.page.findChildren(QFileDialog)[-1]
        chooser.fileSelected.emit(str(path))
        chooser.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        await self.work.settled()

    def open_sheet(self, kind: type[Any]) -> Any:
        return next(one for one in self.page.findChildren(kind) if one.isVisible())

    async def answer(self, text: str) -> None:
        buttons = self.open_sheet(AskDialog).findChildren(QPushButton)
        await self.click(next(one for one in buttons if one.text() == text))

    def row(self) -> str:
        return self.page.list.list.currentItem().text()


async def test_shipped_skills_speak_the_language_of_the_window_and_the_model_reads_one_text(walk: Walk) -> None:
    described = {one.name: one.skill.description for one in walk.skills.skills() if one.skill is not None}
    seen: dict[str, set[str]] = {"zh_CN": set(), "en": set()}
    for language, texts in seen.items():
        with using_language(language):
            walk.page.refresh()
            await walk.work.settled()
            for row in range(walk.page.list.list.count()):
                walk.page.list.list.setCurrentRow(row)
                texts |= {walk.row(), walk.page.detail.title.full_text(), walk.page.detail.purpose.text()}
            assert "weekly-report" in walk.page.detail.state.text(), "what commands and models call it"
        assert {one.name: one.skill.description for one in walk.skills.skills() if one.skill} == described
    assert "周报" in seen["zh_CN"]
    assert not [text for text in seen["zh_CN"] if re.search("[a-z]{4}", text)]
    assert not [text for text in seen["en"] if re.search("[一-鿿]", text)]


async def test_a_skill_is_imported_reviewed_accepted_exported_and_removed(walk: Walk, tmp_path: Path) -> None:
    page, detail = walk.page, walk.page.detail
    await walk.work.settled()
    assert page.list.list.count() == 6
    assert (detail.remove.isVisible(), detail.accept.isVisible()) == (False, False)
    assert "ships" in detail.state.text()
    source = tmp_path / "in" / "probe"
    source.mkdir(parents=True)
    (source / "SKILL.md").write_text(TEXT)
    await walk.click(page.folder)
    await walk.choose(source)
    review = walk.open_sheet(SkillReview)
    text = review.findChildren(SkillText)[0].view.text()
    assert (text, walk.skills.own.exists()) == ("Do it well.", False)
    await walk.click(review.take)
    assert (walk.row(), walk.skills.named("probe").state) == ("probe", "ready")
    assert detail.text.view.text() == "Do it well."
    assert "no_such" in detail.more.text().splitlines()[-2]

    lies = walk.skills.own / "probe" / "SKILL.md"
    lies.write_text(TEXT.replace("well", "badly"))
    page.refresh()
    await walk.work.settled()
    assert "changed" in walk.row()
    assert not detail.edit.isVisible()
    lies.write_text(TEXT.replace("well", "worse"))
    await walk.click(detail.accept)
    assert "changed" in detail.told.text()  # it is not what was shown
    assert walk.skills.named("probe").state == "changed"
    await walk.click(detail.accept)
    assert walk.skills.named("probe").state == "ready"

    await walk.click(detail.export)
    await walk.choose(tmp_path / "probe.zip")
    before = (tmp_path / "probe.zip").read_bytes()
    await walk.click(detail.export)
    await walk.choose(tmp_path / "probe.zip")
    assert "already" in detail.told.text()
    assert (tmp_path / "probe.zip").read_bytes() == before
    await walk.click(detail.folder)
    assert walk.opened[-1].toLocalFile().endswith("/own/probe")
    await walk.click(detail.remove)
    await walk.answer("Remove")
    assert page.list.list.count() == 6
    await walk.click(page.zip)
    await walk.choose(tmp_path / "probe.zip")
    await walk.click(walk.open_sheet(SkillReview).take)
    assert walk.row() == "probe"
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    await walk.click(page.zip)
    await walk.choose(tmp_path / "bad.zip")
    assert "cannot be read" in detail.told.text()


async def test_a_skill_is_written_and_changed_and_nothing_typed_is_lost(walk: Walk) -> None:
    page, detail = walk.page, walk.page.detail
    await walk.work.settled()
    await walk.click(page.add)
    editor = walk.open_sheet(SkillEditor)
    assert (editor.create_button.isEnabled(), editor.told.isVisible()) == (False, False)
    QTest.keyClicks(editor.name, "My Skill")
    assert "small letters" in editor.told.text()
    editor.name.clear()
    QTest.keyClicks(editor.name, "weekly-report")
    QTest.keyClicks(editor.description, 'For "notes" of mine')
    QTest.keyClicks(editor.tools, "read_file no_such")
    assert not editor.create_button.isEnabled()
    QTest.keyClicks(editor.body, "1. Read.")
    assert "no_such" in editor.note.text()
    await walk.click(editor.create_button)
    assert "weekly-report" in editor.told.text()  # there is one of that name: it is not written over
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    await walk.answer("Keep writing")
    assert editor.isVisible()
    await walk.click(editor.name)
    QTest.keyClick(editor.name, Qt.Key.Key_End)
    QTest.keyClicks(editor.name, "-of-mine")
    await walk.click(editor.create_button)
    assert walk.row() == "weekly-report-of-mine"
    assert detail.purpose.text() == 'For "notes" of mine'
    own = walk.skills.named("weekly-report-of-mine")
    assert own.skill is not None
    assert own.skill.allowed_tools == ("read_file", "no_such")

    page.show_item("meeting-minutes")
    await walk.click(detail.edit)
    editor = walk.open_sheet(SkillEditor)
    assert not editor.create_button.isVisible(), "what is changed is stored when its field is left"
    QTest.keyClicks(editor.body, "X")
    await walk.click(editor.done_button)
    await walk.work.settled()
    changed = walk.skills.named("meeting-minutes")
    assert (changed.origin, changed.state, changed.files) == ("own", "ready", ("assets/form.md",))
    assert changed.skill is not None
    assert "X" in changed.skill.body
    await walk.click(detail.edit)
    editor = walk.open_sheet(SkillEditor)
    editor.description.clear()
    await walk.click(editor.done_button)
    await walk.answer("Back to them")
    assert editor.isVisible(), "a skill without its sentence is no skill"
    QTest.keyClicks(editor.description, "Y")
    await walk.click(editor.done_button)
    assert not page.findChildren(SkillEditor)
    written = walk.skills.named("meeting-minutes").skill
    assert written is not None
    assert written.description == "Y"
    await walk.click(detail.edit)
    editor = walk.open_sheet(SkillEditor)
    editor.body.clear()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    await walk.answer("Discard")
    assert not page.is_dirty
    assert walk.skills.named("meeting-minutes").skill == written
