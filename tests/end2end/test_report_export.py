"""The report of the Research agent is taken out of the window by its buttons: each form is a real file, whole."""

from __future__ import annotations

import ctypes
import io
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import pypdfium2
from PySide6.QtGui import QFontDatabase

from app.core.sources import keep_source, new_source
from app.storage.stores.documents import Documents
from tests.end2end.conftest import Driver, Open
from tests.end2end.test_answer_first import buttons, click

TITLE = "茶与雨水 Tea and rain"
FAO, WIKI = "https://fao.int/tea?x=1", "https://en.wikipedia.org/wiki/Tea_(drink)"
REPORT = f"""# {TITLE}

茶树每年至少需要 1,500 毫米降水 [1]；Another source says 1,270 mm [2]. Both agree on hills [1][2].

## 参考资料
[1] 茶与雨, {FAO}
[2] Tea, {WIKI}
"""
HAND_IN = {"tool_calls": [{"name": "finish_report", "arguments": {"title": TITLE, "markdown": REPORT}}]}


async def exported(driver: Driver, folder: Path, form: str) -> bytes:
    file, button = folder / f"{TITLE}.{form}", f"export-{form}"
    await driver.until(lambda: button in buttons(driver) and buttons(driver)[button].isEnabled(), "the button")
    click(buttons(driver)[button])
    await driver.until(file.exists, f"the {form}")
    chat = driver.services.chat
    await driver.until(lambda: not driver.is_running() and not chat.running_sessions(), "the end of the export")
    await chat.recorded()
    return file.read_bytes()


def links(document: Any) -> tuple[list[str], int]:
    """Where the links of a PDF lead: addresses, and how many lead to a place in it."""
    raw, addresses, inside = pypdfium2.raw, [], 0
    for page in document:
        at, link = ctypes.c_int(0), raw.FPDF_LINK()
        while raw.FPDFLink_Enumerate(page, ctypes.byref(at), ctypes.byref(link)):
            inside += bool(raw.FPDFLink_GetDest(document, link))
            text = ctypes.create_string_buffer(500)
            if raw.FPDFAction_GetURIPath(document, raw.FPDFLink_GetAction(link), text, 500):
                addresses.append(text.value.decode())
    return addresses, inside


async def test_a_report_leaves_the_window_in_four_forms_with_its_sources(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window(HAND_IN, {"content": "Kept."}, agent="research")
    services: Any = driver.services
    await driver.asked("the report")
    await driver.done()
    documents = Documents(services.database)
    for url, title, text in ((FAO, "茶与雨", "At least 1,500 mm of rain."), (WIKI, "Tea", "About 1,270 mm of rain.")):
        await keep_source(documents, driver.session, new_source(url, title, "page", text))
    await driver.asked("the report once more, now that its sources are read")
    await driver.done()
    folder = tmp_path / "data" / "exports"

    printed = pypdfium2.PdfDocument(await exported(driver, folder, "pdf"))
    # With Noto CJK, Qt names some glyphs by their radical (U+2F00…) where one glyph serves two characters.
    text = unicodedata.normalize("NFKC", " ".join(page.get_textpage().get_text_range() for page in printed))
    text = " ".join(text.split())
    wanted = ["Tea and rain", "Another source says 1,270 mm [2].", "At least 1,500 mm of rain.", FAO, WIKI, "sha256"]
    if any(QFontDatabase.writingSystems(f).count(QFontDatabase.WritingSystem.SimplifiedChinese) for f in
           QFontDatabase.families()):  # fmt: skip
        wanted += ["茶树每年至少需要", "茶与雨"]
    assert [words for words in wanted if words not in text] == []
    assert printed.get_metadata_dict()["Title"] == TITLE
    assert links(printed) == ([FAO, WIKI], 4), "addresses open, each number leads to its source"

    page, words = (await exported(driver, folder, "html")).decode(), (await exported(driver, folder, "md")).decode()
    for found in (page, words):
        wanted = ["茶树每年至少需要 1,500 毫米降水", "At least 1,500 mm of rain.", FAO, WIKI]
        assert [one for one in wanted if one not in found] == []
    assert f'<a href="{FAO}"' in page
    with zipfile.ZipFile(io.BytesIO(await exported(driver, folder, "docx"))) as word:
        assert "茶树每年至少需要" in word.read("word/document.xml").decode()
