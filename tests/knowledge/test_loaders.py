"""Documents of every kind, made by real programs or byte by byte, and those that want to do harm."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from PySide6.QtGui import QGuiApplication, QPageSize, QPainter, QPdfWriter

from app.core.knowledge import Passage
from app.knowledge.chunks import LONGEST, chunks
from app.knowledge.loaders import LOADERS, Unreadable, load
from app.knowledge.reading import DocumentReader
from tests.knowledge.formats import make_text_pdf

SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def text_of(passages: list[Passage]) -> str:
    return "\n".join(passage.text for passage in passages)


def zipped(path: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def make_docx(path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Manual", 1)
    document.add_paragraph("Turn the key twice.")
    document.add_heading("Safety", 2)
    table = document.add_table(2, 2)
    for place, text in enumerate(("part", "torque", "bolt M8", "24 Nm")):
        table.cell(place // 2, place % 2).text = text
    document.save(str(path))
    return path


def make_xlsx(path: Path) -> Path:
    rows = (("品名", "单价"), ("镀锌管", "12.5"))
    cells = ""
    for row in rows:
        inner = "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row)
        cells += f"<row>{inner}</row>"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return zipped(path, {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="价格" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{cells}</sheetData></worksheet>',
    })  # fmt: skip


def make_pptx(path: Path) -> Path:
    def slide(*lines: str) -> str:
        paragraphs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        return f'<p:sld xmlns:p="x" xmlns:a="{DRAWING}">{paragraphs}</p:sld>'

    return zipped(path, {
        "ppt/slides/slide2.xml": slide("Results", "Sales rose by 12 %"),
        "ppt/slides/slide1.xml": slide("Welcome"),
        "ppt/notesSlides/notesSlide2.xml": slide("Mention the new shop in Ghent"),
    })  # fmt: skip


def make_epub(path: Path) -> Path:
    return zipped(path, {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="b" href="b%20.xhtml"/>'
        '<item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "OEBPS/a.xhtml": "<html><body><h1>第一章</h1><p>雨下了一夜。</p></body></html>",
        "OEBPS/b .xhtml": "<html><body><h1>第二章</h1><p>天晴了。</p></body></html>",
    })  # fmt: skip


def make_pdf(path: Path, *pages: str) -> Path:
    assert QGuiApplication.instance() is not None
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A5))
    painter = QPainter(writer)
    for number, text in enumerate(pages):
        if number:
            writer.newPage()
        painter.drawText(200, 400, text)
    painter.end()
    return path


def make_mail(path: Path) -> Path:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ann <a@x.test>", "b@x.test", "报价 offer"
    message.set_content("The price holds until Friday.")
    message.add_alternative("<p>HTML of the same</p>", subtype="html")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="offer.pdf")
    path.write_bytes(message.as_bytes())
    return path


@pytest.mark.usefixtures("qapp")
def test_K2_every_kind_is_read_with_its_places(tmp_path: Path) -> None:
    (tmp_path / "n.md").write_text("# A\n\none\n\n```\n# no heading\n```\n\n## B\n\ntwo\n", "utf-8")
    (tmp_path / "p.html").write_text(
        "<html><head><title>t</title></head><body><h2>Head</h2><p>Seen</p><p style='display:none'>Hidden</p>"
        "<script>evil()</script></body></html>", "utf-8",
    )  # fmt: skip
    (tmp_path / "t.csv").write_text("name;qty\nbolt;3\nnut;4\n", "utf-8")
    expected: list[tuple[Path, str, dict[str, object]]] = [
        (make_docx(tmp_path / "a.docx"), "Turn the key twice.", {"heading": "Manual"}),
        (make_docx(tmp_path / "b.docx"), "bolt M8 | 24 Nm", {"heading": "Manual › Safety"}),
        (make_xlsx(tmp_path / "a.xlsx"), "品名: 镀锌管 · 单价: 12.5", {"sheet": "价格", "row": 2}),
        (make_pptx(tmp_path / "a.pptx"), "Mention the new shop in Ghent", {"page": 2, "heading": "Results"}),
        (make_epub(tmp_path / "a.epub"), "雨下了一夜。", {"heading": "第一章", "row": 1}),
        (make_pdf(tmp_path / "a.pdf", "first page", "second page"), "second page", {"page": 2}),
        (make_mail(tmp_path / "a.eml"), "The price holds until Friday.", {"heading": "报价 offer"}),
        (tmp_path / "n.md", "two", {"heading": "A › B"}),
        (tmp_path / "p.html", "Seen", {"heading": "Head"}),
        (tmp_path / "t.csv", "name: nut · qty: 4", {"row": 2}),
    ]
    wrong = []
    for path, text, place in expected:
        found = [passage for passage in load(path) if text in passage.text]
        if not any(all(getattr(one, name) == value for name, value in place.items()) for one in found):
            wrong.append((path.name, text, list(load(path))))
    assert wrong == []
    assert "Hidden" not in text_of(list(load(tmp_path / "p.html")))
    assert "evil" not in text_of(list(load(tmp_path / "p.html")))
    assert {path.suffix for path, *_ in expected} <= LOADERS.keys()


def test_text_in_any_encoding(tmp_path: Path) -> None:
    text = "合同编号 2026-17：甲方应于周五前付款。\n第二行 second line\n" * 20
    wrong = []
    for name in ("utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        path = tmp_path / f"{name}.txt"
        path.write_bytes(text.encode(name))
        if text_of(list(load(path))) != text:
            wrong.append(name)
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Größe und Qualität\r\n".encode("latin-1") * 40)
    assert "e und Qualit" in text_of(list(load(latin)))
    assert wrong == []


def test_bad_files_are_named_and_cost_only_themselves(tmp_path: Path) -> None:
    def put(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(5):
            archive.writestr(f"word/{n}.xml", b"0" * 100_000)
        for part in archive.infolist():
            part.file_size *= 1_000  # as the directory of a real one says; packing 500 MB takes ten seconds
    entities = '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    locked = make_text_pdf(tmp_path / "locked.pdf", ["secret"])
    key = b"/Encrypt <</Filter/Standard/V 1/R 2/P -4/O<" + b"41" * 32 + b">/U<" + b"42" * 32 + b">>>/ID[<00><00>]"
    locked.write_bytes(locked.read_bytes().replace(b"trailer <<", b"trailer <<" + key))
    huge = put("huge.txt", b"")
    os.truncate(huge, 2 * 1024**3)
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    cases = {
        put("bomb.docx", bomb.getvalue()): "bomb",
        put("locked.docx", ole): "password",
        locked: "password",
        huge: "large",
        put("no.docx", b"hello"): "damaged",
        put("no.pdf", b"%PDF-1.4 nothing"): "damaged",
        put("no.xlsx", b"PK\x03\x04"): "damaged",
        put("picture.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + os.urandom(500)): "binary",
        zipped(tmp_path / "x.pptx", {"ppt/slides/slide1.xml": entities}): "bomb",
        zipped(tmp_path / "x.epub", {"META-INF/container.xml": "<a>"}): "damaged",
        put("x.exe", b"MZ"): "kind",
        tmp_path / "absent.txt": "gone",
    }
    found: dict[str, str] = {}
    for path in cases:
        try:
            list(load(path))
            found[path.name] = "read"
        except Unreadable as error:
            found[path.name] = error.code
    assert found == {path.name: code for path, code in cases.items()}


def test_deep_and_long_markup_ends(tmp_path: Path) -> None:
    path = tmp_path / "deep.html"
    path.write_text("<div>" * 100_000 + "end", "utf-8")
    list(load(path))
    path.write_text("<p>" + "word " * 1_000_000, "utf-8")
    pieces = list(chunks(load(path)))
    assert max(len(piece.text) for piece in pieces) <= LONGEST


def test_passages_are_cut_where_sentences_end_and_nothing_is_lost() -> None:
    text = "".join(f"第{n}句话在这里结束了。" for n in range(400))
    pieces = list(chunks([Passage(text, page=3)]))
    assert all(len(piece.text) <= LONGEST and piece.page == 3 for piece in pieces)
    assert all(piece.text.endswith("。") for piece in pieces)
    assert all(f"第{n}句话" in "".join(piece.text for piece in pieces) for n in range(400))
    joined = list(chunks([Passage("a"), Passage("b"), Passage("c", page=2)]))
    assert [(piece.text, piece.page) for piece in joined] == [("a\n\nb", 0), ("c", 2)]
    assert [piece.text for piece in chunks([Passage("ig\u200bnore\U000e0041 this")])] == ["ignore this"]


async def test_a_file_that_hangs_or_kills_its_reader_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = tmp_path / "good.txt"
    good.write_text("fine", "utf-8")
    fifo = tmp_path / "hangs.txt"
    os.mkfifo(fifo)
    reader = DocumentReader(seconds=3.0)
    try:
        with pytest.raises(Unreadable) as stopped:
            await reader.read(fifo)
        assert stopped.value.code == "time"
        assert [passage.text for passage in await reader.read(good)] == ["fine"]
    finally:
        await reader.close()


Make = Callable[[Path], Path]


async def test_the_reading_process_gives_what_the_loaders_give(tmp_path: Path) -> None:
    reader = DocumentReader()
    try:
        for make, name in ((make_docx, "a.docx"), (make_epub, "a.epub"), (make_mail, "a.eml")):
            path = make(tmp_path / name)
            assert await reader.read(path) == list(chunks(load(path))), name
        data = tmp_path / "data.json"
        data.write_text(json.dumps({"name": "读取"}, ensure_ascii=False), "utf-8")
        assert "读取" in (await reader.read(data))[0].text
    finally:
        await reader.close()
