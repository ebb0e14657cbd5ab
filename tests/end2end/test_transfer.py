"""Sessions out and in through the window."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.cli.parser import parse
from app.core.text.i18n import set_language
from app.ui.application.single import files_sentence, understand_files
from app.ui.dialogs.data.export_sheet import ExportDialog
from app.ui.dialogs.data.import_sheet import ImportSheet
from tests.pictures import png
from tests.services import foreign_programs as made
from tests.services.foreign import chatgpt, deepseek, fragments, node, zipped
from tests.services.foreign_programs import chatbox

from .conftest import Driver, Open


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
    await driver.until(lambda: driver.title() == "from a file", "the imported session")
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


def drop(driver: Driver, *paths: Path) -> None:
    """On the middle of the window."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(one)) for one in paths])
    none, copy, left = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    QApplication.sendEvent(driver.window, QDragEnterEvent(QPoint(300, 200), copy, mime, left, none))
    QApplication.sendEvent(driver.window, QDropEvent(QPointF(300, 200), copy, mime, left, none))


async def test_chats_of_other_programs_dropped_on_the_window_are_shown_chosen_and_imported(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    path = tmp_path / "backup"
    path.write_bytes(chatbox())
    (tmp_path / "notes.txt").write_text("leaves", encoding="utf-8")
    drop(driver, path, tmp_path / "notes.txt")
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
    await driver.until(lambda: driver.title() == "Tea", "the imported session")
    await driver.listed(1)
    assert "1 session was imported." in driver.notice()


CLAUDE = {
    "uuid": "u1", "name": "Tea of Claude", "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:05:05Z",
    "chat_messages": [
        {"sender": "human", "text": "Which?", "files": [{"file_name": "leaf.pdf"}]},
        {"sender": "assistant", "text": "", "content": [{"type": "text", "text": "Green."}, {"type": "hologram"}]},
    ],
}  # fmt: skip
DEEPSEEK = deepseek(
    fragments(("REQUEST", "哪种茶？"), files=[{"id": "f1", "file_name": "茶单.pdf"}]),
    fragments(("THINK", "想一想"), ("RESPONSE", "绿茶。")),
)
CHATGPT = chatgpt(
    node("s", None, "system", "You are", metadata={"is_visually_hidden_from_conversation": True}),
    node("q", None, "user", "Which?"),
    node("n", None, "assistant", {"content_type": "super_widget", "widget": {"a": 1}}),
    node("a", None, "assistant", "Green."),
)
PROGRAMS: dict[str, tuple[Callable[[Path], bytes], str]] = {
    # A file as the program makes it, and of what is left out the words that are said.
    "ChatGPT": (lambda _: zipped([CHATGPT]), "super_widget"),
    "Claude": (lambda _: zipped([CLAUDE]), "hologram"),
    "DeepSeek": (lambda _: zipped([DEEPSEEK]), "1 attached file is not in the file"),
    "Cherry Studio": (lambda _: made.cherry_studio(), "Left out: 1 error message"),
    "LobeHub": (lambda _: made.lobehub(), "1 attached file is not in the file"),
    "Open WebUI": (lambda _: made.open_webui(), "Left out: 1 error message"),
    "Jan": (lambda _: made.jan(), "1 piece of a kind that is not known here"),
    "Chatbox": (lambda _: made.chatbox(), "Left out: 1 system message"),
    "PyGPT": (lambda folder: made.pygpt(folder / "db.sqlite").read_bytes(), "deleted in the other program"),
}


def ready(driver: Driver, before: str) -> bool:
    """The list of several, or what became of a single one, which is imported at once."""
    sheets = driver.all_of(ImportSheet)
    return sheets[0].go.isVisible() if sheets else driver.notice() != before


async def come_in(driver: Driver, path: Path, what: str) -> str:
    """What is said of it, on the sheet or in the notice."""
    before = driver.notice()
    drop(driver, path)
    await driver.until(lambda: ready(driver, before), f"{what}: the list or the notice")
    words = ""
    if driver.all_of(ImportSheet):
        sheet = driver.one(ImportSheet)
        words = f"{sheet.state.full_text()} {sheet.remarks.full_text()}"
        button = sheet.go if sheet.go.isEnabled() else sheet.cancel
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await driver.until(lambda: not driver.all_of(ImportSheet), f"{what}: the sheet closed")
        if button is sheet.cancel:
            return words
        await driver.until(lambda: driver.notice() != before, f"{what}: the notice")
    return f"{words} {driver.notice()}"


async def test_each_program_comes_in_through_the_window_and_a_second_time_adds_nothing(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    wrong: list[str] = []
    for program, (make, left_out) in PROGRAMS.items():
        path = tmp_path / f"of {program}.zip"
        path.write_bytes(make(tmp_path))
        counts = []
        for time, words in (("first", left_out), ("second", "here already.")):
            counts.append(len(await driver.services.sessions.rows()))
            said = await come_in(driver, path, f"{program}, the {time} time")
            if words not in said:
                wrong.append(f"{program}, the {time} time: {said!r}")
        counts.append(len(await driver.services.sessions.rows()))
        if not counts[0] < counts[1] == counts[2]:
            wrong.append(f"{program}: {counts} sessions")
    assert wrong == []
