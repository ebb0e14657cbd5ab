"""The book as pages in their order, the same for every format: cover, volumes, chapters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domains.kit.files import printable
from app.domains.kit.wording import say_in, speaks_chinese

from ..model.project import Book, Chapter


@dataclass(frozen=True, slots=True)
class BookPage:
    heading: str
    paragraphs: tuple[str, ...]
    is_volume: bool = False
    """A page of its own before the chapters of a volume; it has no text."""


@dataclass(frozen=True, slots=True)
class Pages:
    title: str
    author: str
    language: str
    synopsis: str
    pages: tuple[BookPage, ...]

    @property
    def is_chinese(self) -> bool:
        return self.language.casefold().startswith("zh")


def pages_of(book: Book, chapters: Sequence[Chapter], language: str) -> Pages:
    """`language`: of the words that are added, such as the number of a chapter; that of the book where it names one."""
    spoken = book.project.language or ("zh" if speaks_chinese(language) else "en")
    return Pages(
        printable(book.project.title), printable(book.project.author), spoken, printable(book.project.synopsis),
        tuple(_pages(chapters, spoken)),
    )  # fmt: skip


def _pages(chapters: Sequence[Chapter], language: str) -> Iterator[BookPage]:
    volume = ""
    for chapter in chapters:
        if chapter.volume and chapter.volume != volume:
            yield BookPage(printable(chapter.volume), (), is_volume=True)
        volume = chapter.volume
        yield BookPage(printable(heading_of(chapter, language)), tuple(paragraphs_of(printable(chapter.text))))


def heading_of(chapter: Chapter, language: str) -> str:
    """第12章 夜雨; Chapter 12: Night Rain. A title that names its number already is left as it is."""
    title = chapter.title.strip()
    code = "zh_CN" if language.casefold().startswith("zh") else "en"
    if not chapter.number or title.startswith("第") or title.casefold().startswith("chapter"):
        return title or name_of_untitled(chapter, code)
    if not title:
        return say_in(code, "Chapter {n}", n=chapter.number)
    return say_in(code, "Chapter {n}: {title}", n=chapter.number, title=title)


def name_of_untitled(chapter: Chapter, language: str) -> str:
    """What stands before the first chapter of an imported book has neither number nor title."""
    return say_in(language, "Opening pages") if chapter.order <= 1 else say_in(language, "Untitled")


def paragraphs_of(text: str) -> Iterator[str]:
    """Without the spaces they are indented by; "* * *" between scenes stays a paragraph."""
    for line in text.split("\n"):
        plain = line.strip(" \t\u3000\u00a0")
        if plain:
            yield plain
