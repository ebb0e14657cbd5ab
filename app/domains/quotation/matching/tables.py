"""What an index over a list knows: the features of its products, and for every feature the products that have it.

Reading 100,000 products takes from half a minute to minutes, so the tables are kept in a file beside the data: keys as
JSON, places as whole numbers, features as one JSON text per product that is read when the product is first scored.
"""

from __future__ import annotations

import json
import struct
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ..model.price_list import Item
from .features import Features, features, folded
from .lexicon import Lexicon
from .measures import Size

FORMAT = 5
"""To be raised whenever features of the same text come out differently: older files are then not read."""
_MAGIC = b"triptych index %d\n" % FORMAT
_NONE = 0xFFFFFFFF

Places = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Tables:
    features: Sequence[Features]
    about: Sequence[Features | None]
    tokens: Places
    about_tokens: Places
    by_code: Places
    by_text: Places
    leads: Places
    """The first word and the products that begin with it."""


def feature_tokens(found: Features) -> Iterator[str]:
    yield from found.words
    yield from found.models
    yield from found.joined
    for size in found.sizes:
        for kind, value in size.readings:
            yield f"§{kind}{value}"
    for kind, values in found.quantities.items():
        yield from (f"¶{kind}{value}" for value in values)
    for kind, values in found.contrasts.items():
        yield from (f"¤{kind}{value}" for value in values)


def read_tables(items: Sequence[Item], lexicon: Lexicon) -> Tables:
    """Reads every product once: blocks for long."""
    # Headings and descriptions are beside many products.
    abouts = {text: features(text, lexicon) for text in dict.fromkeys(item.about for item in items if item.about)}
    about = [abouts.get(item.about) for item in items]
    rows = [features(item.text, lexicon) for item in items]
    return Tables(
        rows,
        about,
        _places(set(feature_tokens(one)) for one in rows),
        _places(one.words | one.models | one.joined if one is not None else () for one in about),
        _places((folded(item.code).replace(" ", ""),) for item in items),
        _places((folded(item.text),) for item in items),
        _places((one.lead,) if one.lead else () for one in rows),
    )


def _places(keys: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, those in enumerate(keys):
        for key in those:
            places.setdefault(key, []).append(place)
    return places


def save(tables: Tables, path: Path) -> None:
    """In place of what is there, at once. Blocks. Raises OSError."""
    abouts: dict[int, int] = {}
    different: list[Features] = []
    for one in tables.about:
        if one is not None and id(one) not in abouts:
            abouts[id(one)] = len(different)
            different.append(one)
    beside = path.with_name(f"{path.name}.{threading.get_ident()}.part")
    try:
        with beside.open("wb") as file:
            file.write(_MAGIC)
            for places in (tables.tokens, tables.about_tokens, tables.by_code, tables.by_text, tables.leads):
                _write(file, json.dumps(list(places), ensure_ascii=False).encode("utf-8", "surrogatepass"))
                _write(file, array("I", map(len, places.values())).tobytes())
                _write(file, array("I", (place for those in places.values() for place in those)).tobytes())
            _write(file, array("I", (_NONE if one is None else abouts[id(one)] for one in tables.about)).tobytes())
            for those in (tables.features, different):
                texts = [
                    json.dumps(_to_json(one), ensure_ascii=False).encode("utf-8", "surrogatepass") for one in those
                ]
                _write(file, array("I", map(len, texts)).tobytes())
                _write(file, b"".join(texts))
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def load(path: Path, items: Sequence[Item], lexicon: Lexicon) -> Tables | None:
    """None where there is no file, or none that fits these items. Blocks."""
    try:
        content = path.read_bytes()
        if not content.startswith(_MAGIC):
            return None
        parts = list(_parts(memoryview(content)[len(_MAGIC) :]))
        maps = [_StoredPlaces(*parts[n : n + 3]) for n in range(0, 15, 3)]
        which = _numbers(parts[15])
        own = _StoredFeatures(parts[16], parts[17], lambda n: features(items[n].text, lexicon))
        first = {number: place for place, number in reversed(list(enumerate(which)))}
        others = _StoredFeatures(parts[18], parts[19], lambda n: features(items[first[n]].about, lexicon))
    except (OSError, ValueError, IndexError, struct.error):
        return None
    if len(own) != len(items) or len(which) != len(items):
        return None
    return Tables(own, _StoredAbouts(which, others), *maps)


def _write(file: BinaryIO, content: bytes) -> None:
    file.write(struct.pack("<Q", len(content)))
    file.write(content)


def _parts(content: memoryview) -> Iterator[memoryview]:
    at = 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        at += 8
        if at + length > len(content):
            raise ValueError("the file is cut")
        yield content[at : at + length]
        at += length


def _numbers(content: memoryview) -> array[int]:
    numbers = array("I")
    numbers.frombytes(content)
    return numbers


def _ends(lengths: Sequence[int]) -> array[int]:
    ends, end = array("Q", (0,)), 0
    for length in lengths:
        end += length
        ends.append(end)
    return ends


class _StoredPlaces(Mapping[str, Sequence[int]]):
    def __init__(self, keys: memoryview, lengths: memoryview, places: memoryview) -> None:
        names = json.loads(str(keys, "utf-8", "surrogatepass"))
        self._slots = {name: slot for slot, name in enumerate(names)}
        self._ends, self._places = _ends(_numbers(lengths)), _numbers(places)
        if len(self._ends) != len(self._slots) + 1 or self._ends[-1] != len(self._places):
            raise ValueError("keys and places do not fit")

    def __getitem__(self, key: str) -> Sequence[int]:
        slot = self._slots[key]
        return self._places[self._ends[slot] : self._ends[slot + 1]]

    def __contains__(self, key: object) -> bool:
        return key in self._slots

    def __iter__(self) -> Iterator[str]:
        return iter(self._slots)

    def __len__(self) -> int:
        return len(self._slots)


class _StoredFeatures(Sequence[Features]):
    def __init__(self, lengths: memoryview, texts: memoryview, anew: Callable[[int], Features]) -> None:
        self._ends, self._texts, self._anew = _ends(_numbers(lengths)), texts, anew
        self._read: dict[int, Features] = {}
        if self._ends[-1] != len(texts):
            raise ValueError("lengths and texts do not fit")

    def __getitem__(self, place: Any) -> Any:
        one = self._read.get(place)
        if one is None:
            try:
                one = _from_json(json.loads(str(self._texts[self._ends[place] : self._ends[place + 1]], "utf-8")))
            except (ValueError, TypeError):
                one = self._anew(place)
            self._read[place] = one
        return one

    def __len__(self) -> int:
        return len(self._ends) - 1


class _StoredAbouts(Sequence["Features | None"]):
    def __init__(self, which: array[int], those: _StoredFeatures) -> None:
        self._which, self._those = which, those

    def __getitem__(self, place: Any) -> Any:
        number = self._which[place]
        return None if number == _NONE else self._those[number]

    def __len__(self) -> int:
        return len(self._which)


def _to_json(one: Features) -> list[Any]:
    return [
        one.text, list(one.words), list(one.models), list(one.joined), one.squashed,
        [[size.shown, list(size.readings), size.is_bare] for size in one.sizes],
        {kind: list(values) for kind, values in one.quantities.items()},
        {kind: list(values) for kind, values in one.contrasts.items()}, one.lead,
    ]  # fmt: skip


def _from_json(row: list[Any]) -> Features:
    text, words, models, joined, squashed, sizes, quantities, contrasts, lead = row
    return Features(
        text, frozenset(words), frozenset(models), frozenset(joined), squashed,
        tuple(Size(shown, frozenset(map(tuple, readings)), is_bare) for shown, readings, is_bare in sizes),
        {kind: frozenset(values) for kind, values in quantities.items()},
        {kind: frozenset(values) for kind, values in contrasts.items()}, lead,
    )  # fmt: skip
