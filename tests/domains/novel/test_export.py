"""The book as files for readers, read back: by our own import, by python-docx, and an EPUB by its structure."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from posixpath import join, normpath

import lxml.etree

from app.domains.novel.export.epub import to_epub
from app.domains.novel.export.pages import pages_of
from app.domains.novel.export.plain import to_markdown, to_txt
from app.domains.novel.export.word import to_docx
from app.domains.novel.model.project import Book, Chapter, Project
from app.domains.novel.reading.book_file import read_book

NOW = datetime(2026, 11, 23, 8, tzinfo=UTC)
TEXTS = ["他走了。\n　　“<雨>停了 & 风起*了*。”", "# 不是标题\n- 不是列表", "完\x01了。"]
BOOK = Book(
    Project("夜航 <一>", "某人", synopsis="一句话。", language="zh"),
    [Chapter(f"c{n}", title, n, n, volume=volume, text=text) for n, (title, volume, text) in enumerate(
        zip(("起", "承", "转"), ("卷一 江湖", "卷一 江湖", "卷二 庙堂"), TEXTS, strict=True), 1)],
)  # fmt: skip
PAGES = pages_of(BOOK, BOOK.chapters, "zh_CN")
PLAIN = [["他走了。", "“<雨>停了 & 风起*了*。”"], ["# 不是标题", "- 不是列表"], ["完了。"]]


def test_what_is_written_out_is_read_in_again_with_its_chapters_and_texts() -> None:
    found = {}
    for name, data in (("b.txt", to_txt(PAGES)), ("b.docx", to_docx(PAGES)), ("b.epub", to_epub(PAGES, NOW))):
        split = read_book(name, data).split
        found[name] = [
            (
                part.number,
                part.title,
                part.volume,
                [line.strip("\u3000 ") for line in part.text.split("\n") if line.strip()],
            )
            for part in split.parts
            if part.kind == "chapter"
        ]
    expected = [
        (n, title, volume, lines)
        for n, (title, volume, lines) in enumerate(
            zip(("起", "承", "转"), ("卷一 江湖", "卷一 江湖", "卷二 庙堂"), PLAIN, strict=True), 1
        )
    ]
    assert found == dict.fromkeys(found, expected)
    markdown = to_markdown(PAGES).decode()
    assert markdown.startswith("# 夜航 \\<一\\>\n\n*某人*\n\n> 一句话。\n\n## 卷一 江湖\n\n### 第1章 起\n\n")
    assert "\n\n\\# 不是标题\n\n\\- 不是列表\n\n" in markdown


def test_an_epub_is_whole_by_its_structure() -> None:
    data = to_epub(PAGES, NOW)
    faults = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        first = archive.infolist()[0]
        if (first.filename, first.compress_type, first.extra) != ("mimetype", zipfile.ZIP_STORED, b""):
            faults.append("mimetype is not first, stored and without extra field")
        trees = {
            n: lxml.etree.fromstring(archive.read(n)) for n in names if n.endswith((".xml", ".opf", ".xhtml", ".ncx"))
        }
    package = trees["EPUB/package.opf"]
    items = {one.get("id"): one.get("href") for one in package.iter("{*}item")}
    declared = {f"EPUB/{href}" for href in items.values()}
    faults += [
        f"not declared: {one}"
        for one in set(names) - declared - {"mimetype", "META-INF/container.xml", "EPUB/package.opf"}
    ]
    faults += [f"not there: {one}" for one in declared - set(names)]
    spine = [one.get("idref") for one in package.iter("{*}itemref")]
    faults += [f"spine: {one}" for one in spine if one not in items]
    if len(set(spine)) != len(spine) or spine[0] != "cover":
        faults.append("the spine names a page twice, or does not begin with the cover")
    for name, tree in trees.items():
        links = [
            one.get(key)
            for one in tree.iter("{*}a", "{*}link", "{*}content")
            for key in ("href", "src")
            if one.get(key)
        ]
        faults += [f"{name}: {link}" for link in links if normpath(join("EPUB", link)) not in names]
        ids = [one.get("id") for one in tree.iter() if one.get("id")]
        if len(set(ids)) != len(ids):
            faults.append(f"{name}: an id stands twice")
    linked = [one.get("href") for one in trees["EPUB/nav.xhtml"].iter("{*}a")]
    if linked != [items[one] for one in spine[1:]]:
        faults.append(f"the contents are not the pages in their order: {linked}")
    assert faults == []
    assert to_epub(PAGES, NOW) == data
