"""What a place is called: its record's names, the short forms people use, and places of which there are no data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app.core.reading.text import is_chinese, normalise

Kind = Literal["city", "sight", "region", "hub", "elsewhere"]
"""`elsewhere`: a place people ask for of which there are no data."""
SHORTEST_CHINESE, SHORTEST_LATIN = 2, 3
"""Characters of a name that is looked for; 沪 alone would be found in too many words."""
SHORTEST_SHORT = 5
"""Letters of a Latin short form."""
ELSEWHERE = "elsewhere.json"
_TAILS = tuple(
    "旅游景区 风景名胜区 历史文化街区 历史街区 国家森林公园 地质公园 遗址公园 风景区 景区 博物院 主题乐园 "
    "乐园 公园 古镇 步行街 草原 度假区 国际机场 机场 石刻 石窟 大佛 瀑布 雪山 梯田 长城 环球影城".split()
)
_LATIN_TAILS = (
    "museum",
    "park",
    "scenic area",
    "resort",
    "old town",
    "ancient town",
    "palace",
    "temple",
    "international airport",
    "airport",
    "gallery",
    "gardens",
    "cathedral",
    "basilica",
    "castle",
    "mosque",
    "monastery",
    "shrine",
    "zoo",
    "beach",
    "studios",
    "borderless",
    "great wall",
    "grottoes",
    "rock carvings",
    "night market",
    "falls",
)
ONE_OF_A_CITY = (
    *"动物园 植物园 水族馆 海洋馆 天文馆 科技馆 歌剧院 zoo aquarium planetarium".split(),
    "botanic gardens", "botanical garden", "botanic garden", "opera house", "science museum",
)  # fmt: skip
"""Words that are a name where a city has one such sight in the data."""
_COUNTRIES = ("日本", "韩国", "中国", "英国", "法国", "美国", "japan", "korea", "france")
_GENERIC = frozenset(
    "博物馆 博物院 大学 公园 古城 古镇 动物园 野生动物园 乐园 广场 老街 大厦 车站 机场 海滩 沙滩 草原 寺 塔 桥 植物园 "
    "美术馆 市立动物园 国家 国立 欢乐谷 步行街 "
    "museum park temple palace zoo garden gardens beach market bridge tower university cathedral castle "
    "old town national the city central north south east west summer winter science modern grand happy holiday walking "
    "world times nature mountain valley station white golden silver glass forest history imperial international ocean "
    "miracle secret russian chinese capital prefecture technology wildlife railway international airport botanical "
    "general planning naval maritime".split()
)
"""What is left of a name and is none: every city has a museum."""


@dataclass(frozen=True, slots=True)
class NamedPlace:
    kind: Kind
    id: str
    name_zh: str
    name_en: str
    city: str = ""
    """Of a sight or a station: the id of its city. Of a place elsewhere: the nearest city that has data."""
    category: str = ""
    """Of a sight, a code of the vocabulary; of a station its kind."""

    def name(self, chinese: bool) -> str:
        return (self.name_zh if chinese else self.name_en) or self.name_en or self.name_zh or self.id


@dataclass(frozen=True, slots=True)
class PlaceMention:
    place: NamedPlace
    at: int
    end: int
    is_guess: bool = False
    """It is written in another way, by a slip."""


def searchable(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        plain = normalise(name).removeprefix("the ")
        # 故宫博物院(故宫) is looked for without its bracket.
        for form in (plain, plain.split("(")[0].strip()):
            if len(form) >= (SHORTEST_CHINESE if is_chinese(form) else SHORTEST_LATIN):
                yield form


def short_forms(place: NamedPlace, city: NamedPlace | None, names: Iterable[str]) -> list[str]:
    """What a sight is called where one knows in which city: 迪士尼 for 东京迪士尼乐园, "disneyland"."""
    if place.kind not in ("sight", "hub") or city is None:
        return []
    around = (normalise(city.name_zh), normalise(city.name_en), *_COUNTRIES)
    forms: dict[str, None] = {}
    for part in dict.fromkeys(part for name in names for part in _parts(name)):
        bare = _without(part, around)
        forms |= dict.fromkeys((part, bare, _without_tail(bare)))
    return [form for form in forms if form not in names and _is_telling(form)]


def _parts(name: str) -> list[str]:
    joint = "与" if is_chinese(name) else " and "
    return [name, *name.split(joint)] if joint in name else [name]


def _without(name: str, around: Iterable[str]) -> str:
    """A name without the city or country that is said with it."""
    for word in around:
        name = name.removeprefix(word).removesuffix(f" {word}").strip()
    return name


def _without_tail(name: str) -> str:
    tails = _TAILS if is_chinese(name) else _LATIN_TAILS
    if not name.endswith(tails):
        return name
    return next((name.removesuffix(tail).strip() for tail in tails if name.endswith(tail) and name != tail), name)


def _is_telling(form: str) -> bool:
    return len(form) >= (SHORTEST_CHINESE if is_chinese(form) else SHORTEST_SHORT) and form not in _GENERIC


def elsewhere(folder: Path, records: Iterable[Mapping[str, Any]]) -> Iterator[tuple[NamedPlace, list[str]]]:
    """The places without data, as far as none of the records has their name by now."""
    path = folder / ELSEWHERE
    if not path.is_file():
        return
    cities = list(records)
    city_names = {normalise(str(name)) for city in cities for name in (city["name_zh"], city.get("name_en", ""))}
    for entry in json.loads(path.read_text(encoding="utf-8"))["places"]:
        zh, en = str(entry["zh"]), str(entry["en"])
        if {normalise(zh), normalise(en)} & city_names:
            continue
        near = min(cities, key=lambda city: _apart(city, entry), default=None)
        place = NamedPlace("elsewhere", zh, zh, en.partition(",")[0], str(near["id"]) if near else "")
        yield place, list(searchable((zh, en, *entry.get("aliases", ()))))


def _apart(a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
    """Enough to find the nearest."""
    across = (float(a["lon"]) - float(b["lon"]) + 180) % 360 - 180
    return (float(a["lat"]) - float(b["lat"])) ** 2 + (across * 0.75) ** 2
