"""Versions of a chapter: written beside it, accepted into it, and never lost by what replaces them.

The order makes a break-off at any place harmless: what a chapter was is on the disk before it is replaced, a version is
on the disk before it is accepted, and accepting twice is accepting once.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.domains.kit.folder.root import Root

from ..model.project import Chapter, Version
from . import form
from .folder import LARGEST, VERSIONS, NovelFolder

_HEAD = form.names_of(Version) - {"text", "id", "chapter"}
MOST_VERSIONS = 10_000


def sha_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def versions_of(root: Root, chapter: str) -> list[Version]:
    """Oldest first. One that cannot be read is left out, and left alone."""
    folder = f"{VERSIONS}/{chapter}"
    try:
        if root.place(folder).kind != "folder":
            return []
        entries, _cut = root.entries(folder, MOST_VERSIONS)
    except ToolError:
        return []
    versions = []
    for entry in entries:
        if entry.kind == "file" and entry.name.endswith(".md") and not entry.name.startswith("."):
            version = _read(root, chapter, entry.name.removesuffix(".md"))
            if version is not None:
                versions.append(version)
    return sorted(versions, key=lambda one: (one.created, one.id))


def version_of(root: Root, chapter: str, id: str) -> Version:
    """Raises ToolError NOT_FOUND."""
    version = _read(root, chapter, id)
    if version is None:
        ids = ", ".join(one.id for one in versions_of(root, chapter)[-10:])
        raise ToolError("NOT_FOUND", N_("there is no version {id}"), hint=ids and f"id: {ids}", values={"id": id})
    return version


def _read(root: Root, chapter: str, id: str) -> Version | None:
    try:
        text = root.read(_path(chapter, id), LARGEST).decode("utf-8")
        head, body = form.cut(text)
        table = form.parsed(head)
    except (ToolError, ValueError):
        return None
    return form.from_table(Version, table, id=id, chapter=chapter, text=body)


def _path(chapter: str, id: str) -> str:
    if "/" in id or "/" in chapter or id.startswith(".") or not id:
        raise ToolError("NOT_FOUND", N_("there is no version {id}"), values={"id": id[:60]})
    return f"{VERSIONS}/{chapter}/{id}.md"


def write_version(root: Root, version: Version) -> None:
    """New, or what there is of it again with more text: while it is written it is stored again and again."""
    path = _path(version.chapter, version.id)
    table = form.to_table(version, without=frozenset({"text", "id", "chapter"}))
    # Where the default is what matters it is written out all the same.
    table |= {"author": version.author, "complete": version.complete, "created": version.created}
    data = form.joined(form.merged("", table, _HEAD), version.text).encode("utf-8")
    for above in root.make_folder(path.rpartition("/")[0]):
        root.add_folder(above)
    base = root.sha(path)
    if base != hashlib.sha256(data).hexdigest():
        root.write(path, data, base=base)


def accept(root: Root, novel: NovelFolder, version: Version, now: str, *, anyway: bool = False) -> Chapter:
    """The chapter with the version's text; what it was is a version too. Raises ToolError CONFLICT where the chapter
    has become another than the one the version was written for, unless `anyway`."""
    chapter = novel.book.chapter(version.chapter)
    if chapter is None:
        raise ToolError("NO_CHAPTER", N_("there is no chapter {id}"), values={"id": version.chapter})
    if chapter.text == version.text:
        _mark(root, version)
        return chapter
    if version.base and sha_of(chapter.text) != version.base and not anyway:
        raise ToolError(
            "CONFLICT", N_("the chapter has been changed since this version was begun"),
            hint=N_("look at both; accept it with anyway=true, and the chapter as it is stays a version"),
        )  # fmt: skip
    previous = keep(root, chapter, now)
    status = chapter.status if chapter.status == "edited" else "completed" if version.complete else "in-progress"
    accepted = replace(chapter, text=version.text, status=status, previous=previous)
    novel.save_chapter(root, accepted)
    _mark(root, version)
    return accepted


def keep(root: Root, chapter: Chapter, now: str) -> str:
    """The chapter's text as a version, unless one has it already; the id of the version."""
    for one in versions_of(root, chapter.id):
        if one.text == chapter.text:
            return one.id
    id = f"v-{sha_of(chapter.text)[:12]}"
    write_version(root, Version(id, chapter.id, now, "user", chapter.text, accepted=True))
    return id


def _mark(root: Root, version: Version) -> None:
    if not version.accepted:
        write_version(root, replace(version, accepted=True))
