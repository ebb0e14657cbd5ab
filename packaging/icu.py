"""ICU's data with what the program can reach. Read by triptych.spec, on Linux only.

Qt's core library links ICU, whose data (numbers, dates, names of currencies and units in 200 languages, 200 encodings)
are a third of the bundle. The window formats by gettext and Python; Qt asks ICU for the order of names, for time zones
and for encodings of pasted text. The library is one symbol: a header, a table of names, and the entries. It is written
again with fewer entries, everything else as it was. ICU looks an entry up by name and falls back to the root.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

from elftools.elf.elffile import ELFFile

_MAGIC = b"\xda\x27"
_PAGE = 0x1000


def trimmed(library: Path, kept: Collection[str]) -> bytes:
    """The library with only the entries that match one of the patterns. Raises ValueError if it is made otherwise."""
    raw = library.read_bytes()
    with library.open("rb") as file:
        elf = ELFFile(file)
        symbols = [one for one in elf.get_section_by_name(".dynsym").iter_symbols() if one.name.endswith("_dat")]
        loads = [segment.header for segment in elf.iter_segments() if segment["p_type"] == "PT_LOAD"]
        table = elf["e_phoff"], elf["e_phentsize"], elf["e_phnum"]
    if len(symbols) != 1:
        raise ValueError(f"{library.name}: {len(symbols)} symbols of data instead of one")
    address, size = symbols[0]["st_value"], symbols[0]["st_size"]
    home = next(one for one in loads if one["p_vaddr"] <= address < one["p_vaddr"] + one["p_filesz"])
    begin = address - home["p_vaddr"] + home["p_offset"]
    end = home["p_offset"] + home["p_filesz"]
    if end - begin - size >= _PAGE:
        raise ValueError(f"{library.name}: something follows the data")
    data = repacked(raw[begin : begin + size], kept)
    cut = (end - begin - len(data)) // _PAGE * _PAGE  # whole pages, so that what follows keeps its place in one
    rest = raw[end:]
    written = bytearray(raw[:begin] + data + bytes(end - begin - cut - len(data)) + rest)
    _tell_loader(written, table, end, cut)
    return bytes(written)


def _tell_loader(written: bytearray, table: tuple[int, int, int], end: int, cut: int) -> None:
    """The segment with the data is shorter, what follows lies earlier in the file; addresses stay. No sections."""
    begin, size, count = table
    for entry in range(begin, begin + size * count, size):
        offset, file_size, memory = (struct.unpack_from("<Q", written, entry + at)[0] for at in (8, 32, 40))
        if offset >= end:
            struct.pack_into("<Q", written, entry + 8, offset - cut)
        elif offset + file_size == end:
            struct.pack_into("<QQ", written, entry + 32, file_size - cut, memory - cut)
    struct.pack_into("<Q", written, 40, 0)  # e_shoff
    struct.pack_into("<HHH", written, 58, 64, 0, 0)  # e_shentsize, e_shnum, e_shstrndx


def repacked(data: bytes, kept: Collection[str]) -> bytes:
    header = struct.unpack_from("<H", data)[0]
    if data[2:4] != _MAGIC:
        raise ValueError("not ICU's data")
    count = struct.unpack_from("<I", data, header)[0]
    pairs = [struct.unpack_from("<II", data, header + 4 + 8 * number) for number in range(count)]
    names = [data[header + name : data.index(b"\0", header + name)] for name, _ in pairs]
    ends = [place for _, place in pairs[1:]] + [len(data) - header]
    entries = [
        (name, data[header + place : header + stop])
        for name, (_, place), stop in zip(names, pairs, ends, strict=True)
        if any(fnmatchcase(name.decode().partition("/")[2], pattern) for pattern in kept)
    ]
    texts = b"".join(name + b"\0" for name, _ in entries)
    at = 4 + 8 * len(entries)
    place = -(-(at + len(texts)) // 16) * 16
    gap = bytes(place - at - len(texts))
    contents: list[bytes] = []
    table = struct.pack("<I", len(entries))
    for name, content in entries:
        table += struct.pack("<II", at, place)
        padded = content + bytes(-len(content) % 16)
        contents.append(padded)
        at, place = at + len(name) + 1, place + len(padded)
    return data[:header] + table + texts + gap + b"".join(contents)
