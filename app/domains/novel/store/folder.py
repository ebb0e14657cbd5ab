"""The author's folder as a book, and changes of the book as changed files.

    with open_root(path) as root:
        novel = read_folder(root)          # novel.book, novel.changes, novel.faults
        novel.save_chapter(root, chapter)

A file is written over only while it is what was read (`Root.write` with the check sum): what somebody changed in the
meantime raises ToolError STALE, and reading the folder again takes their change in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.domains.kit.files import file_name
from app.domains.kit.folder.root import Root
from app.domains.kit.text_file import Binary, TextFile, read_text

from ..model.project import Book, Chapter, Character, Foreshadow, Project, StoryFact, TimelineEvent, WorldNote
from ..model.words import count_words
from . import form
from .index import PATH, Change, Index, Seen, read_index

PROJECT = "project.toml"
CHAPTERS, VERSIONS, CHARACTERS, WORLD = "chapters", "versions", "characters", "world"
LISTS: dict[str, tuple[str, type[Any]]] = {
    "facts.toml": ("fact", StoryFact),
    "foreshadows.toml": ("foreshadow", Foreshadow),
    "timeline.toml": ("event", TimelineEvent),
}
LARGEST = 20_000_000
MOST_FILES = 20_000
_HEAD = form.names_of(Chapter) - {"text", "id"}


@dataclass(slots=True)
class Loaded:
    """A file as it was read."""

    sha: str
    file: TextFile


@dataclass(slots=True)
class NovelFolder:
    book: Book = field(default_factory=Book)
    changes: dict[str, Change] = field(default_factory=dict)
    """Paths that somebody else has added, changed or removed since the program was here."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of what could not be read as it should; it is left as it is."""
    files: dict[str, Loaded] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    """Path of each chapter, by id; of each card, by kind and name."""
    index: Index = field(default_factory=Index)

    # ------------------------------------------------------------ writing

    def save_chapter(self, root: Root, chapter: Chapter) -> None:
        """Raises ToolError STALE where the file is no longer what was read."""
        path = self.paths.get(chapter.id) or f"{CHAPTERS}/{chapter.id}.md"
        table = form.to_table(chapter, without=frozenset({"text", "id"}))
        before = form.cut(self._text(path))[0]
        self._write(root, path, form.joined(form.merged(before, table, _HEAD), chapter.text))
        self.paths[chapter.id] = path
        self.book.chapters = sorted(
            [*(one for one in self.book.chapters if one.id != chapter.id), chapter],
            key=lambda one: (one.order, one.number, one.id),
        )

    def save_project(self, root: Root) -> None:
        self._save_table(root, PROJECT, self.book.project)

    def save_card(self, root: Root, card: Character | WorldNote) -> None:
        """New, or changed under the same name."""
        name = card.name if isinstance(card, Character) else card.title
        kind = CHARACTERS if isinstance(card, Character) else WORLD
        key = f"{kind}:{name.casefold()}"
        path = self.paths.get(key) or self._free(f"{kind}/{file_name(name, 'card')}", ".toml")
        self._save_table(root, path, card)
        self.paths[key] = path
        if isinstance(card, Character):
            self.book.characters = [*(one for one in self.book.characters if one.name != card.name), card]
        else:
            self.book.world = [*(one for one in self.book.world if one.title != card.title), card]

    def save_list(self, root: Root, path: str) -> None:
        """`facts.toml`, `foreshadows.toml` or `timeline.toml`, from the book; rows that stay keep what the program does
        not know of them."""
        import tomlkit

        key, kind = LISTS[path]
        things: dict[type[Any], Sequence[Any]]
        things = {StoryFact: self.book.facts, Foreshadow: self.book.foreshadows, TimelineEvent: self.book.timeline}
        rows = things[kind]
        try:
            document = tomlkit.parse(self._text(path))
        except Exception as error:
            raise ToolError("DAMAGED", N_("{path} is no TOML; mend it first"), values={"path": path}) from error
        objects = [from_row for row in document.get(key, []) if (from_row := form.from_table(kind, row)) is not None]
        tables = [dict(row) for row in document.get(key, [])]
        array = tomlkit.aot()
        for row in rows:
            table = form.to_table(row)
            if row in objects:
                table = tables[objects.index(row)] | table
            array.append(tomlkit.item(table))
        document[key] = array
        self._write(root, path, tomlkit.dumps(document))

    def _save_table(self, root: Root, path: str, thing: Any) -> None:
        text = form.merged(self._text(path), form.to_table(thing), form.names_of(type(thing)))
        self._write(root, path, text)

    def _text(self, path: str) -> str:
        loaded = self.files.get(path)
        return loaded.file.plain if loaded is not None else ""

    def _free(self, stem: str, suffix: str) -> str:
        number, path = 1, f"{stem}{suffix}"
        while path.casefold() in {one.casefold() for one in self.files}:
            number += 1
            path = f"{stem} {number}{suffix}"
        return path

    def _write(self, root: Root, path: str, text: str) -> None:
        """Encoding, mark and line ends of a file that is there stay."""
        loaded = self.files.get(path)
        file = TextFile(text, "utf-8")
        if loaded is not None:
            lines = text if loaded.file.newline == "\n" else text.replace("\n", "\r\n")
            file = replace(loaded.file, text=lines)
            if file == loaded.file:
                return
        data = file.to_bytes()
        for above in root.make_folder(path.rpartition("/")[0]) if "/" in path else ():
            root.add_folder(above)
        root.write(path, data, base=loaded.sha if loaded is not None else None)
        sha = hashlib.sha256(data).hexdigest()
        self.files[path] = Loaded(sha, file)
        self.index.files[path] = Seen(len(data), 0.0, sha)

    def save_index(self, root: Root) -> None:
        """Where it cannot be written nothing is lost; the next reading is slower and tells less."""
        with suppress(ToolError, OSError):
            for above in root.make_folder(PATH.rpartition("/")[0]):
                root.add_folder(above)
            data = self.index.to_bytes()
            base = root.sha(PATH)
            if base != hashlib.sha256(data).hexdigest():
                root.write(PATH, data, base=base)


def is_novel(root: Root) -> bool:
    return root.place(PROJECT).kind == "file"


def create(root: Root, project: Project) -> NovelFolder:
    """Raises ToolError EXISTS where a book is there already. Other files in the folder are left alone."""
    if is_novel(root):
        raise ToolError("EXISTS", N_("there is a book in this folder already"))
    novel = NovelFolder(Book(project))
    novel.save_project(root)
    for folder in (CHAPTERS, CHARACTERS, WORLD):
        for new in root.make_folder(folder):
            root.add_folder(new)
    novel.save_index(root)
    return novel


def read_folder(root: Root) -> NovelFolder:
    """Raises ToolError NO_PROJECT where no book is there. One file that cannot be read hides no other."""
    if not is_novel(root):
        raise ToolError(
            "NO_PROJECT", N_("there is no book in this folder"),
            hint=N_("import one, or begin one with upsert_card kind=project"),
        )  # fmt: skip
    before = read_index(_bytes(root, PATH))
    novel = NovelFolder()
    for path, size, changed in _files(root):
        try:
            data = root.read(path, LARGEST)
            loaded = Loaded(hashlib.sha256(data).hexdigest(), read_text(data))
        except Binary:
            novel.faults.append((path, N_("it is no text")))
            continue
        except ToolError as error:
            novel.faults.append((path, error.message))
            continue
        novel.files[path] = loaded
        novel.index.files[path] = Seen(size, changed, loaded.sha, count_words(form.cut(loaded.file.plain)[1]))
        _take(novel, path, loaded.file.plain)
    novel.book.chapters.sort(key=lambda one: (one.order, one.number, one.id))
    if before.files:
        novel.changes = before.changes(novel.index.files)
    return novel


def read_chapter(root: Root, id: str) -> NovelFolder:
    """That chapter alone, with what the index knows of the others: constant work however long the book is.

    Raises ToolError NO_CHAPTER.
    """
    path = f"{CHAPTERS}/{id}.md"
    if "/" in id or root.place(path).kind != "file":
        raise ToolError("NO_CHAPTER", N_("there is no chapter {id}"), values={"id": id[:60]})
    data = root.read(path, LARGEST)
    novel = NovelFolder(index=read_index(_bytes(root, PATH)))
    try:
        loaded = Loaded(hashlib.sha256(data).hexdigest(), read_text(data))
    except Binary as error:
        raise ToolError("DAMAGED", N_("{path} is no text"), values={"path": path}) from error
    novel.files[path] = loaded
    novel.index.files[path] = Seen(len(data), 0.0, loaded.sha)
    _take(novel, path, loaded.file.plain)
    return novel


def _bytes(root: Root, path: str) -> bytes | None:
    try:
        return root.read(path, LARGEST)
    except ToolError:
        return None


def _files(root: Root) -> Iterator[tuple[str, int, float]]:
    for name in (PROJECT, *LISTS):
        place = root.place(name)
        if place.kind == "file" and place.facts is not None:
            yield name, place.facts.st_size, place.facts.st_mtime
    for folder, suffix in ((CHAPTERS, ".md"), (CHARACTERS, ".toml"), (WORLD, ".toml")):
        if root.place(folder).kind != "folder":
            continue
        entries, _cut = root.entries(folder, MOST_FILES)
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.kind == "file" and entry.name.endswith(suffix) and not entry.name.startswith("."):
                yield f"{folder}/{entry.name}", entry.size, entry.changed


def _take(novel: NovelFolder, path: str, text: str) -> None:
    folder, _, name = path.rpartition("/")
    if folder == CHAPTERS:
        _take_chapter(novel, path, name.removesuffix(".md"), text)
        return
    try:
        table = form.parsed(text)
    except ValueError as error:
        novel.faults.append((path, str(error)))
        return
    book = novel.book
    if path == PROJECT:
        book.project = form.from_table(Project, table)
    elif folder == CHARACTERS:
        who = form.from_table(Character, table)
        who.name = who.name or name.removesuffix(".toml")
        book.characters.append(who)
        novel.paths[f"{CHARACTERS}:{who.name.casefold()}"] = path
    elif folder == WORLD:
        note = form.from_table(WorldNote, table)
        note.title = note.title or name.removesuffix(".toml")
        book.world.append(note)
        novel.paths[f"{WORLD}:{note.title.casefold()}"] = path
    else:
        key, kind = LISTS[path]
        rows = table.get(key, [])
        things = [form.from_table(kind, row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if kind is StoryFact:
            book.facts = things
        elif kind is Foreshadow:
            book.foreshadows = things
        else:
            book.timeline = things


def _take_chapter(novel: NovelFolder, path: str, id: str, text: str) -> None:
    head, body = form.cut(text)
    try:
        table = form.parsed(head)
    except ValueError as error:
        novel.faults.append((path, str(error)))
        table = {}
    chapter = form.from_table(Chapter, table, id=id, text=body)
    if not head:
        chapter.title = chapter.title or id
        digits = re.search(r"\d{1,6}", id)
        chapter.number = chapter.number or (int(digits[0]) if digits else 0)
    chapter.order = chapter.order or chapter.number
    novel.book.chapters.append(chapter)
    novel.paths[id] = path
