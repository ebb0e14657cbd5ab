"""Several sessions in one file: a zip of fixed names, never unpacked to a folder.

    manifest.json          {"format": "triptych.archive", "version": 1, "files": {name: sha256}}
    sessions/NNN.json      one document each
    att/<sha256>           files the person added, by their content

An archive from outside is read member by member under these names alone. Whatever else is in it –
another name, a link, a password, more than it says, overlapping entries – refuses it whole.

The archives that other programs export have names of their own. They are bounded in the same way, and only
what a conversation asks for is read of them; a name is compared, never used as a path.
"""

from __future__ import annotations

import io
import json
import re
import stat
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from .foreign_parts import ImportedFile
from .strict_json import ImportRefused, read_json, shortened

FORMAT, VERSION = "triptych.archive", 1
MOST_FILES, LARGEST_FILE, LARGEST_TOTAL, HIGHEST_RATIO = 2_000, 50_000_000, 200_000_000, 100
MOST_FOREIGN_FILES = 20_000
LARGEST_PICTURE = 10_000_000
SHORTEST_ID = 6
"""Characters of an id by which a file is looked for."""
SMALL = 10_000
"""A file of this size may be packed as well as it likes: a short list of zeros is no bomb."""

_NAME = re.compile(r"manifest\.json|sessions/[0-9]{1,6}\.json|att/[0-9a-f]{64}")
_START = b"PK\x03\x04"
_CONVERSATIONS = re.compile(r"conversations(?:[-_]\d{1,4})?\.json")


@dataclass(frozen=True, slots=True)
class Archive:
    documents: list[Any]
    attachments: Mapping[str, bytes]
    """By their hash."""


def is_archive(data: bytes) -> bool:
    return data.startswith(b"PK") or zipfile.is_zipfile(io.BytesIO(data))


def write_archive(documents: list[Any], attachments: Mapping[str, bytes]) -> bytes:
    files = {f"sessions/{n:03}.json": _dump(document) for n, document in enumerate(documents, 1)}
    files |= {f"att/{hash}": data for hash, data in attachments.items()}
    sums = {name: sha256(data).hexdigest() for name, data in files.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", _dump({"format": FORMAT, "version": VERSION, "files": sums}))
        for name, data in files.items():
            # What packs better than an archive may is stored as it is.
            packed = len(zlib.compress(data)) * HIGHEST_RATIO > len(data) or len(data) <= SMALL
            archive.writestr(name, data, zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)
    return out.getvalue()


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def read_archive(data: bytes) -> Archive:
    """Raises ImportRefused."""
    with _faults(), _open(data) as archive:
        infos = archive.infolist()
        _check(infos, len(data), MOST_FILES)
        for info in infos:
            _check_own(info)
        _check_total(infos)
        files = {info.filename: _read(archive, info) for info in infos}
    manifest = read_json(files.pop("manifest.json", b""))
    _check_manifest(manifest, files)
    sessions = sorted(name for name in files if name.startswith("sessions/"))
    attachments = {name.removeprefix("att/"): content for name, content in files.items() if name.startswith("att/")}
    return Archive([read_json(files[name]) for name in sessions], attachments)


class ForeignArchive:
    """What another program exported: one or more `conversations.json`, and the files they name."""

    def __init__(self, data: bytes) -> None:
        """Raises ImportRefused; also if there are no conversations in it."""
        with _faults():
            self._archive = _open(data)
            infos = self._archive.infolist()
            _check(infos, len(data), MOST_FOREIGN_FILES)
            files = sorted(
                ((_last(info.filename), info) for info in infos if not info.is_dir()), key=lambda one: one[0]
            )
            self._names, self._infos = [name for name, _info in files], [info for _name, info in files]
            conversations = [info for name, info in files if _CONVERSATIONS.fullmatch(name)]
            for info in conversations:
                _check_entry(info)
            _check_total(conversations)
            self.conversations = [_read(self._archive, info) for info in conversations]
        self._read = {info.filename for info in conversations}
        self._room = LARGEST_TOTAL

    def find(self, id: str) -> ImportedFile | None:
        """The file whose name begins with this id. Raises ImportRefused if the archive lies about it."""
        place = bisect_left(self._names, id)
        if len(id) < SHORTEST_ID or place == len(self._names) or not self._names[place].startswith(id):
            return None
        name, info = self._names[place], self._infos[place]
        if info.file_size > min(LARGEST_PICTURE, self._room):
            return None
        _check_entry(info)
        with _faults():
            data = _read(self._archive, info)
        self._read.add(info.filename)
        self._room -= len(data)
        return ImportedFile(name.removeprefix(id).lstrip("-_.") or name, data)

    def unread(self) -> list[str]:
        return [name for name, info in zip(self._names, self._infos, strict=True) if info.filename not in self._read]


def is_foreign_archive(data: bytes) -> bool:
    """Whether there are conversations in it, and no list of files of ours. Raises ImportRefused."""
    with _faults(), _open(data) as archive:
        names = archive.namelist()
    return "manifest.json" not in names and any(_CONVERSATIONS.fullmatch(_last(name)) for name in names)


def _open(data: bytes) -> zipfile.ZipFile:
    if not data.startswith(_START):
        raise ImportRefused("the archive does not begin with its first file", reason="ARCHIVE_ODD")
    return zipfile.ZipFile(io.BytesIO(data))


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ImportRefused(f"the archive is damaged: {error}", reason="ARCHIVE_DAMAGED") from error


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _check(infos: list[zipfile.ZipInfo], size: int, most: int) -> None:
    if len(infos) > most:
        raise ImportRefused(f"the archive has more than {most} files", reason="ARCHIVE_FILES", most=most)
    if len({info.filename for info in infos}) != len(infos):
        raise ImportRefused("the archive has a name twice", reason="ARCHIVE_ODD")
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ImportRefused("entries of the archive overlap", reason="ARCHIVE_ODD")
        end = info.header_offset + 30 + len(info.filename) + info.compress_size
    if end > size or (infos and min(info.header_offset for info in infos) != 0):
        raise ImportRefused("the archive has something before or after its files", reason="ARCHIVE_ODD")


def _check_total(infos: list[zipfile.ZipInfo]) -> None:
    if sum(info.file_size for info in infos) > LARGEST_TOTAL:
        most = LARGEST_TOTAL // 1_000_000
        raise ImportRefused(f"the archive holds more than {most} MB", reason="ARCHIVE_TOTAL", most=most)


def _check_own(info: zipfile.ZipInfo) -> None:
    # `orig_filename` is what is written in the file, before Python made it harmless.
    if info.orig_filename != info.filename or not _NAME.fullmatch(info.filename):
        name = ascii(info.orig_filename[:80])
        message = f"the archive has a file that does not belong there: {name}"
        raise ImportRefused(message, reason="ARCHIVE_STRANGE", name=name)
    _check_entry(info)


def _check_entry(info: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if info.is_dir() or kind not in (0, stat.S_IFREG):
        raise ImportRefused("the archive has something in it that is no file", reason="ARCHIVE_ODD")
    if info.flag_bits & 0x1:
        raise ImportRefused("the archive is encrypted", reason="ARCHIVE_ENCRYPTED")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ImportRefused("the archive is packed in a way that is not read", reason="ARCHIVE_PACKED")
    if info.file_size > LARGEST_FILE:
        most = LARGEST_FILE // 1_000_000
        raise ImportRefused(f"the archive has a file of more than {most} MB", reason="ARCHIVE_LARGEST", most=most)
    if info.file_size > SMALL and info.file_size > HIGHEST_RATIO * max(1, info.compress_size):
        raise ImportRefused("the archive has a file that is packed too well to be true", reason="ARCHIVE_ODD")


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as file:
        data = file.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise ImportRefused("a file of the archive has another size than it says", reason="ARCHIVE_DAMAGED")
    return data


def _check_manifest(manifest: Any, files: Mapping[str, bytes]) -> None:
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ImportRefused("the archive is none of Triptych", reason="ARCHIVE_FOREIGN")
    if manifest.get("version") != VERSION or isinstance(manifest.get("version"), bool):
        version = shortened(manifest.get("version"))
        message = f"this is version {version} of the archive; {VERSION} is read"
        raise ImportRefused(message, reason="VERSION", version=version, ours=VERSION)
    sums = manifest.get("files")
    if not isinstance(sums, dict) or sums.keys() != files.keys():
        raise ImportRefused("the archive and its list of files disagree", reason="ARCHIVE_DAMAGED")
    for name, content in files.items():
        digest = sha256(content).hexdigest()
        if sums[name] != digest or (name.startswith("att/") and name != f"att/{digest}"):
            raise ImportRefused(f"{name} of the archive is not what it was", reason="ARCHIVE_DAMAGED")
