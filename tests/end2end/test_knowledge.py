"""The page of memory and knowledge: what a person adds, reads, changes, forgets and removes there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPushButton, QTableWidget, QWidget

from app.services.providers.entries import ProviderEntry
from app.ui.cards import CardFrame
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.work_line import WorkLine
from app.ui.dialogs.knowledge.page import KnowledgePage
from app.ui.dialogs.knowledge.passage import PassageDialog
from app.ui.dialogs.knowledge.search import KnowledgeSearchDialog
from tests.end2end.conftest import Open
from tests.knowledge.formats import make_text_pdf
from tests.knowledge.vector_server import vector_server
from tests.ui.choosing import choose


def click(place: QWidget, name: str) -> None:
    buttons = [b for b in place.findChildren(QPushButton) if name in (b.text(), b.accessibleName()) and b.isVisible()]
    assert len(buttons) == 1, (name, [b.text() for b in place.findChildren(QPushButton) if b.isVisible()])
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)


def cells(table: QTableWidget) -> list[list[str]]:
    items = [[table.item(row, column) for column in range(4)] for row in range(table.rowCount())]
    return [[item.text() if item is not None else "" for item in row] for row in items]


async def test_K1_K2_documents_and_facts_are_seen_changed_and_removed(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    services: Any = driver.services
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "leave.md").write_text("15 days of leave", "utf-8")
    (folder / "bad.docx").write_bytes(b"no")
    make_text_pdf(folder / "washer.pdf", ["Error E18: the pump is blocked.", "Open the tap. Wool spins at 600 turns."])
    await services.memory.add("assistant", "likes tea")
    await services.memory.add("assistant", "lives in Bern")
    driver.desk.settings.show("knowledge")
    await driver.until(lambda: [w for w in QApplication.allWidgets() if isinstance(w, KnowledgePage)], "the page")
    (page,) = [w for w in QApplication.allWidgets() if isinstance(w, KnowledgePage)]
    facts, bases = page.facts.table, page.bases.table
    await driver.until(lambda: facts.rowCount() == 2, "the facts")
    assert not bases.isVisible()

    click(page, "Export…")
    choose(page, tmp_path / "facts.md")
    await driver.until((tmp_path / "facts.md").exists, "the file")
    assert "lives in Bern" in (tmp_path / "facts.md").read_text("utf-8")
    click(page, "Add a folder…")
    choose(page, folder)
    await driver.until(lambda: "bad.docx" in page.bases.state.text(), "the folder is read")
    await driver.until(lambda: bases.isVisible() and cells(bases)[0][2:] == ["2", "1"], "what was read and what not")

    item = facts.item(0, 1)
    assert item is not None
    QTest.mouseClick(facts.viewport(), Qt.MouseButton.LeftButton, pos=facts.visualItemRect(item).center())
    QTest.keyClick(facts, Qt.Key.Key_F2)
    (editor,) = facts.viewport().findChildren(QLineEdit)
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "lives in Basel")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    await driver.until(lambda: [row[1] for row in cells(facts)] == ["lives in Basel", "likes tea"], "the change")
    click(page, "Forget: likes tea")
    await driver.until(lambda: facts.rowCount() == 1, "one is forgotten")
    QTest.keyClicks(page.facts.search, "zzz")
    assert page.facts.empty.isVisible()

    with vector_server() as server:
        await services.providers.save_provider(ProviderEntry("near", "", "Near", server.address, needs_key=False))
        field = page.models.embedding.lineEdit()
        assert field is not None
        QTest.keyClicks(field, "near/m")
        QTest.keyClick(field, Qt.Key.Key_Return)
        await driver.until(lambda: services.settings.preferences.embedding_model == "near/m", "the model is set")
        click(page, "Test Embedding model")
        await driver.until(lambda: "vectors of 32 numbers" in page.models.state.text(), "what the test says")
        click(page, "Read again papers")
        await driver.until(lambda: "0 documents read" in page.bases.state.text(), "it is read again")
        assert await services.knowledge.vectors("papers") == (3, 3)

    click(page, "Search the documents…")
    await driver.until(
        lambda: [w for w in QApplication.allWidgets() if isinstance(w, KnowledgeSearchDialog)], "the search"
    )
    (search,) = [w for w in QApplication.allWidgets() if isinstance(w, KnowledgeSearchDialog)]
    QTest.keyClicks(search.field, "how fast does wool spin")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    await driver.until(lambda: not search.passage.picture.pixmap().isNull(), "the page of the hit")
    assert search.passage.title.full_text() == "washer.pdf"
    assert search.passage.place.full_text().startswith("page 2")
    search.field.clear()
    QTest.keyClicks(search.field, "leave")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    await driver.until(lambda: "15 days" in search.passage.text.toPlainText(), "the text of the hit")
    assert len(search.passage.text.extraSelections()) == 2
    QTest.keyClick(search, Qt.Key.Key_Escape)

    assert not (await services.knowledge.base("papers")).watched
    (switch,) = [box for box in page.findChildren(QCheckBox) if "papers" in box.accessibleName()]
    switch.click()
    await driver.until(lambda: services.knowledge.listed and services.knowledge.listed[0].watched, "it is watched")

    click(page, "Remove… papers")
    question = f"Remove {folder.name}?"
    await driver.until(lambda: [w for w in QApplication.allWidgets() if w.windowTitle() == question], "the question")
    click(page.window(), "Remove")
    await driver.until(lambda: not bases.isVisible(), "the base is gone")
    assert (folder / "leave.md").exists()
    assert [fact.text for fact in await services.memory.facts()] == ["lives in Basel"]


async def test_K2_a_server_for_shared_bases_is_set_up_and_tested(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    (tmp_path / "team").mkdir()
    driver.desk.settings.show("knowledge")
    await driver.until(lambda: [w for w in QApplication.allWidgets() if isinstance(w, KnowledgePage)], "the page")
    (page,) = [w for w in QApplication.allWidgets() if isinstance(w, KnowledgePage)]
    server = page.server
    assert server is not None
    assert not page.bases.shared_box.isVisible(), "there is no server yet"
    QTest.keyClicks(server.address, "http://nothing")
    click(page, "Test Server for shared bases")
    await driver.until(lambda: "postgresql://user@host" in page.told.text(), "what is wrong with the address")
    server.address.clear()
    QTest.keyClicks(server.address, "postgresql://ann@127.0.0.1:1/team")  # nobody listens there
    click(page, "Test Server for shared bases")
    await driver.until(lambda: "does not answer" in server.state.text(), "what the test says")
    assert page.told.text() == ""
    await driver.until(page.bases.shared_box.isVisible, "the switch under the buttons")
    page.bases.shared_box.click()
    page.bases.add([str(tmp_path / "team")])  # what the chooser of folders gives
    await driver.until(lambda: "does not answer" in page.told.text(), "why it was not added")
    assert page.bases.table.rowCount() == 0


async def test_K2_a_hit_in_the_chat_opens_the_passage_in_its_place(open_window: Open, tmp_path: Path) -> None:
    search = {"tool_calls": [{"name": "search_documents", "arguments": {"query": "how fast does wool spin"}}]}
    driver = await open_window(search, {"content": "600 turns."})
    services: Any = driver.services
    (tmp_path / "papers").mkdir()
    pages = ["Error E18: the pump is blocked.", "Open the tap. Wool spins at 600 turns."]
    make_text_pdf(tmp_path / "papers" / "washer.pdf", pages)
    base = await services.knowledge.add("papers", [tmp_path / "papers"])
    async for _state in services.knowledge.read_anew(base.id):
        pass
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"knowledge": (base.id,)}))
    driver.chooses_mode("react")
    await driver.asked("how fast?")
    row = driver.desk.chat.list.widget(driver.last().id)
    assert isinstance(row, AssistantRowView)

    def seen(place: QWidget, kind: type[Any]) -> list[Any]:
        return [one for one in place.findChildren(kind) if one.isVisible()]

    if not seen(row, ToolCard):
        QTest.keyClick(seen(row, WorkLine)[0], Qt.Key.Key_Space)
    await driver.until(lambda: seen(row, ToolCard), "the row of the call")
    if not seen(row, CardFrame):
        QTest.mouseClick(seen(row, ToolCard)[0].findChild(QPushButton), Qt.MouseButton.LeftButton)
    await driver.until(lambda: seen(row, CardFrame), "its card")
    (button,) = [one for one in seen(row, QPushButton) if one.accessibleName().startswith("Open the passage")]
    assert "washer.pdf · page 2" in button.accessibleName()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def dialogs() -> list[PassageDialog]:
        return [one for one in QApplication.allWidgets() if isinstance(one, PassageDialog)]

    await driver.until(lambda: dialogs() and not dialogs()[0].passage.picture.pixmap().isNull(), "the page of the hit")
    assert dialogs()[0].passage.title.full_text() == "washer.pdf"
    QTest.keyClick(dialogs()[0], Qt.Key.Key_Escape)
