"""The labelled set of the search: 61 documents of ten kinds in two languages, 176 questions with their answers.

`tests/data/knowledge/*.txt` hold the documents (`=== name.kind`) and after each its questions (`? question => words
of the passage that answers it`). Most documents have a near twin: another year, model or town with other answers.
`written` makes real files of them, and beside them notes that repeat halves of their sentences without the answers.
"""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import docx

from tests.knowledge.formats import make_text_pdf, make_workbook

DATA = Path(__file__).parents[1] / "data" / "knowledge"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
UNSEEN = 3
"""Every third question was not looked at while the search was mended."""


@dataclass(frozen=True)
class Question:
    text: str
    document: str
    answer: str
    is_unseen: bool
    is_chinese: bool


@dataclass(frozen=True)
class Document:
    name: str
    lines: tuple[str, ...]


def labelled() -> tuple[list[Document], list[Question]]:
    documents: list[Document] = []
    questions: list[Question] = []
    for language in ("en", "zh"):
        for block in re.split(r"^=== ", (DATA / f"documents_{language}.txt").read_text("utf-8"), flags=re.MULTILINE)[
            1:
        ]:
            name, *lines = block.strip().split("\n")
            documents.append(Document(name, tuple(line for line in lines if not line.startswith("? "))))
            for line in lines:
                if line.startswith("? "):
                    text, _, answer = line[2:].partition(" => ")
                    questions.append(
                        Question(text, name, answer, len(questions) % UNSEEN == UNSEEN - 1, language == "zh")
                    )
    return documents, questions


def written(folder: Path, *, notes: int = 240) -> list[Question]:
    """The files in `folder`, and what is asked about them."""
    documents, questions = labelled()
    folder.mkdir(parents=True, exist_ok=True)
    for document in documents:
        _write(folder / document.name, document.lines)
    chance = random.Random(7)
    halves = [half for document in documents for line in document.lines for half in _halves(line)]
    for n in range(notes):
        text = "\n".join(chance.choice(halves) for _ in range(6))
        (folder / f"note-{n:03}.txt").write_text(f"Note {n}\n{text}\n", "utf-8")
    return questions


def _halves(line: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.。；;|])\s*", line.lstrip("# ")):
        if len(sentence) > 12:
            yield sentence[: len(sentence) // 2]


def _write(path: Path, lines: tuple[str, ...]) -> None:
    kind = path.suffix
    if kind in (".md", ".txt"):
        path.write_text("\n".join(lines), "utf-8")
    elif kind == ".csv":
        path.write_text("\n".join(";".join(_cells(line)) for line in lines), "utf-8")
    elif kind == ".xlsx":
        make_workbook(path, [_cells(line) for line in lines])
    elif kind == ".html":
        path.write_text(f"<html><meta charset=utf-8><body>{_markup(lines)}</body></html>", "utf-8")
    elif kind == ".eml":
        path.write_bytes(_mail(lines))
    elif kind == ".docx":
        document = docx.Document()
        for line in lines:
            level = len(line) - len(line.lstrip("#"))
            document.add_heading(line.lstrip("# "), level) if level else document.add_paragraph(line)
        document.save(str(path))
    elif kind == ".pdf":
        make_text_pdf(path, lines)
    elif kind == ".pptx":
        with zipfile.ZipFile(path, "w") as archive:
            for n, slide in enumerate("\n".join(lines).split("# ")[1:], 1):
                runs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in slide.strip().split("\n"))
                archive.writestr(f"ppt/slides/slide{n}.xml", f'<p:sld xmlns:p="x" xmlns:a="{DRAWING}">{runs}</p:sld>')
    elif kind == ".epub":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(
                "META-INF/container.xml",
                '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                '<rootfile full-path="b.opf"/></rootfiles></container>',
            )
            archive.writestr(
                "b.opf",
                '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml"/></manifest>'
                '<spine><itemref idref="a"/></spine></package>',
            )
            archive.writestr("a.xhtml", f"<html><body>{_markup(lines)}</body></html>")
    else:
        raise ValueError(path.name)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def _markup(lines: tuple[str, ...]) -> str:
    pieces = []
    for line in lines:
        level = len(line) - len(line.lstrip("#"))
        pieces.append(f"<h{level}>{line.lstrip('# ')}</h{level}>" if level else f"<p>{line}</p>")
    return "".join(pieces)


def _mail(lines: tuple[str, ...]) -> bytes:
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"], message["To"] = "a@x.test", "b@x.test"
    message["Subject"] = lines[0].removeprefix("Subject: ")
    message.set_content("\n".join(lines[1:]))
    return message.as_bytes()
