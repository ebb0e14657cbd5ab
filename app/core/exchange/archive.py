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
from typing import IO, Any

from .foreign_parts import ImportedFile
from .strict_json import ImportRefused, read_json, shortened

FORMAT, VERSION = "triptych.archive", 1
MOST_FILES, LARGEST_FILE, LARGEST_TOTAL, HIGHEST_RATIO = 2_000, 50_000_000, 200_000_000, 100
MOST_FOREIGN_FILES = 20_000
LARGEST_STREAM = 2_000_000_000
"""Of the conversations of another program, which are read piece by piece."""
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


def is_archive(file: IO[bytes]) -> bool:
    file.seek(0)
    return file.read(2) == b"PK" or zipfile.is_zipfile(file)


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
    with _faults(), _open(io.BytesIO(data)) as archive:
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
    """What another program exported, or what a person packed of its folder: texts to read, and the files they name."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        """Raises ImportRefused."""
        with _faults():
            self._archive = _open(file)
            infos = self._archive.infolist()
            _check(infos, size, MOST_FOREIGN_FILES)
        files = sorted(((_last(info.filename), info) for info in infos if not info.is_dir()), key=_by_name)
        self._names, self._infos = [name for name, _info in files], [info for _name, info in files]
        self._read: set[str] = set()
        self._room = LARGEST_TOTAL

    def texts(self) -> list[zipfile.ZipInfo]:
        """Files that may hold conversations, the names of other programs first. Raises ImportRefused."""
        members = [info for info in self._infos if info.filename.endswith((".json", ".jsonl"))]
        for info in members:
            _check_entry(info, LARGEST_STREAM)
        _check_total(members, LARGEST_STREAM)
        return sorted(members, key=_is_ordinary)

    def names(self) -> list[str]:
        return [info.filename for info in self._infos]

    @contextmanager
    def opened(self, info: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
        """Raises ImportRefused, also while it is read."""
        with _faults(), self._archive.open(info) as file:
            yield file

    def was_read(self, name: str) -> None:
        self._read.add(name)

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


def _by_name(file: tuple[str, zipfile.ZipInfo]) -> str:
    return file[0]


def _is_ordinary(info: zipfile.ZipInfo) -> bool:
    return not _CONVERSATIONS.fullmatch(_last(info.filename))


def has_manifest(file: IO[bytes]) -> bool:
    """Whether it is an archive of ours, or says so. Raises ImportRefused."""
    with _faults():
        return "manifest.json" in _open(file).namelist()


def _open(file: IO[bytes]) -> zipfile.ZipFile:
    file.seek(0)
    if file.read(len(_START)) != _START:
        raise ImportRefused("the archive does not begin with its first file", reason="ARCHIVE_ODD")
    return zipfile.ZipFile(file)


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


def _check_total(infos: list[zipfile.ZipInfo], largest: int = LARGEST_TOTAL) -> None:
    if sum(info.file_size for info in infos) > largest:
        most = largest // 1_000_000
        raise ImportRefused(f"the archive holds more than {most} MB", reason="ARCHIVE_TOTAL", most=most)


def _check_own(info: zipfile.ZipInfo) -> None:
    # `orig_filename` is what is written in the file, before Python made it harmless.
    if info.orig_filename != info.filename or not _NAME.fullmatch(info.filename):
        name = ascii(info.orig_filename[:80])
        message = f"the archive has a file that does not belong there: {name}"
        raise ImportRefused(message, reason="ARCHIVE_STRANGE", name=name)
    _check_entry(info)


def _check_entry(info: zipfile.ZipInfo, largest: int = LARGEST_FILE) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if info.is_dir() or kind not in (0, stat.S_IFREG):
        raise ImportRefused("the archive has something in it that is no file", reason="ARCHIVE_ODD")
    if info.flag_bits & 0x1:
        raise ImportRefused("the archive is encrypted", reason="ARCHIVE_ENCRYPTED")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ImportRefused("the archive is packed in a way that is not read", reason="ARCHIVE_PACKED")
    if info.file_size > largest:
        most = largest // 1_000_000
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
