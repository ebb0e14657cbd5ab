"""Sessions out and in through the window."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from app.cli.parser import parse
from app.core.text.i18n import set_language
from app.ui.application.single import files_sentence, understand_files
from app.ui.dialogs.data.export_sheet import ExportDialog
from app.ui.dialogs.data.import_sheet import ImportSheet
from tests.pictures import png
from tests.services.foreign_programs import chatbox

from .conftest import Open


async def test_a_session_goes_out_in_each_form_and_json_comes_back(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "It is **42**.", "reasoning": "easy"})
    driver.chooses_mode("direct")
    await driver.asked("what is 6*7?")
    for form in ("md", "html", "json"):
        driver.command("export")
        dialog = driver.one(ExportDialog)
        dialog.forms[form].click()
        assert dialog.cost.isEnabled() == (form != "json")
        dialog.reasoning.setChecked(False)
        target = tmp_path / f"out.{form}"
        dialog.export_to(str(target))
        await driver.until(target.exists, "the file")
        await driver.until(lambda: "Exported" in driver.notice(), "the notice")
        assert ("easy" in target.read_text(encoding="utf-8")) == (form == "json")

    body = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    body["session"]["id"] = "another"
    body["session"]["title"] = "from a file"
    (tmp_path / "in.json").write_text(json.dumps(body), encoding="utf-8")
    await driver.desk.transfer.read([tmp_path / "in.json"])
    await driver.until(lambda: driver.window.header.title.full_text() == "from a file", "the imported session")
    assert driver.answers() == ["It is **42**."]


async def test_what_is_no_session_is_refused_with_a_sentence(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    (tmp_path / "bad.json").write_text("[1, 2]", encoding="utf-8")
    await driver.desk.transfer.read([tmp_path / "bad.json"])
    assert driver.notice()
    assert driver.sessions() == []


async def test_in_the_chinese_window_an_import_is_refused_or_mended_in_chinese(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    (tmp_path / "bad.json").write_text("[1, 2]", encoding="utf-8")
    chat = [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    (tmp_path / "chat.json").write_text(json.dumps(chat), encoding="utf-8")
    set_language("zh_CN")
    try:
        for name in ("bad.json", "chat.json"):
            await driver.desk.transfer.read([tmp_path / name])
            told = driver.notice()
            assert re.search(r"[\u4e00-\u9fff]", told)
            assert not re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", told)
    finally:
        set_language("en")


async def test_an_exported_session_is_opened_again_by_a_click_on_its_file(open_window: Open, tmp_path: Path) -> None:
    """The system opens it with the program: a further start hands its path to the window that is open."""
    driver = await open_window({"content": "A square."})
    driver.chooses_mode("direct")
    (tmp_path / "square.png").write_bytes(png(20, 20))
    await driver.desk.conversation.files.add([str(tmp_path / "square.png")])
    await driver.asked("what is this?")
    driver.command("export")
    dialog = driver.one(ExportDialog)
    proposed = {}
    for form in ("json", "html"):
        dialog.forms[form].click()
        dialog.choose_file()
        chooser = dialog.findChildren(QFileDialog)[-1]
        proposed[form] = chooser.defaultSuffix()
        chooser.close()
    assert proposed == {"json": "triptych", "html": "html"}
    dialog.forms["json"].click()
    talk = tmp_path / "my talk 三联.triptych"
    dialog.export_to(str(talk))
    await driver.until(lambda: talk.name in driver.notice(), "the notice that names it")
    assert zipfile.is_zipfile(talk), "a file belongs to the session"

    args = parse([str(talk), str(talk)])
    assert (args.command, args.files) == (None, [str(talk), str(talk)])
    files = understand_files(files_sentence(args.files[:1]))
    assert files == [str(talk)]
    driver.application.open_files(files)
    await driver.until(lambda: "1 was here already" in driver.notice(), "the notice")


async def test_chats_of_other_programs_dropped_on_the_window_are_shown_chosen_and_imported(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    path = tmp_path / "backup"
    path.write_bytes(chatbox())
    (tmp_path / "notes.txt").write_text("leaves", encoding="utf-8")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(one)) for one in (path, tmp_path / "notes.txt")])
    none, copy, left = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    QApplication.sendEvent(driver.window, QDragEnterEvent(QPoint(300, 200), copy, mime, left, none))
    QApplication.sendEvent(driver.window, QDropEvent(QPointF(300, 200), copy, mime, left, none))
    await driver.until(lambda: driver.all_of(ImportSheet), "the sheet")
    chosen = driver.desk.conversation.files.chosen
    await driver.until(chosen, "what is no export goes with the message")
    assert [file.name for file in chosen()] == ["notes.txt"]
    sheet = driver.one(ImportSheet)
    await driver.until(sheet.go.isVisible, "the list")
    view, model = sheet.view, sheet.view.model()
    titles = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert titles == ["Tea – Earlier", "Tea"]
    assert "Left out: 1 error message" in sheet.remarks.full_text()
    sheet.none.click()
    assert not sheet.go.isEnabled()
    model.setData(model.index(1, 0), Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    assert sheet.go.text() == "Import 1"
    assert view.isVisible()
    sheet.go.click()
    await driver.until(lambda: driver.window.header.title.full_text() == "Tea", "the imported session")
    await driver.listed(1)
    assert "1 session was imported." in driver.notice()
