"""Names that stand as people do, whatever they are said to do: 田桂香, 老耿头, 老道士.

`cast` knows people by their deeds; here a name is known by its places: it begins clauses before ever other words, and
somebody speaks to it, follows or meets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .persons import ADDRESSES, SURNAMES

_FEWEST = 4
_BEGINS = "，。！？；：”」…\n\u3000 "
_TO_SOMEBODY = "对跟和与给向问叫替让请帮陪找见是把被同"
_FULL = re.compile(rf"(?=(?P<v>[{SURNAMES}][一-鿿]{{2}}))")
_NO_SIGN = re.compile(
    "[的了着过是在不有我你他她们就也都这那里上下说道把被和与向对从到来去又还只很么吗呢吧啊个几两每没得地之其所以而且或但便却更最"
    "已将要会能可再才刚正当时候样些点事什怎谁哪自己起出进回前后左右内外边面头手眼脚身口声心气力]"
)
_THING_ENDS = frozenset(
    "坳村镇庄山河江湖海岭峰寺庙观桥街巷路楼塔院堂府城县市省站店铺家门房屋车船马树花草石灯笼巾衣裤鞋帽袍布刀剑枪弓书信纸笔碗"
    "杯盘壶锅桌椅床柜箱包袋子儿水火土木金银铜铁色光风雨雪雷云天地日月星年季春夏秋冬军兵队派教帮会党国人民族部局厂社馆园坊"
    "洲洋湾港岛崖沟坡谷田菜肉鱼鸡鸭鹅牛羊猪狗猫鸟虫茶酒饭面饼汤药钱票号线机器炮弹毒病伤痛血骨皮毛"
)
_ROLE = (
    "老道士|老道长|老和尚|老方丈|老郎中|老猎人|老渔夫|老船长|老管家|老掌柜|老班长|老族长|老村长|老镇长|老馆长|老镖头|老校长|"
    "老师父|老尼姑"
)
_ROLES = re.compile(rf"(?P<more>[个位名两几些群]?)(?P<v>{_ROLE})")
_NICKNAMES = re.compile(rf"(?P<v>老[{SURNAMES}](?:头|汉|爹|爷|叔|伯)(?![发脸上部手里]))(?!子)")


def standing_people(texts: Sequence[str]) -> Iterator[str]:
    """`texts`: the narration of each chapter."""
    yield from _full_names(texts)
    yield from _by_role(texts)


@dataclass(slots=True)
class _Places:
    """Where a name stands."""

    times: int = 0
    chapters: set[int] = field(default_factory=set)
    behind: set[str] = field(default_factory=set)
    """Signs behind it where it begins a clause."""
    is_met: bool = False


def _full_names(texts: Sequence[str]) -> Iterator[str]:
    """In one pass: a long book has thousands of signs in a row that look like a name."""
    found: dict[str, _Places] = {}
    for number, text in enumerate(texts):
        for match in _FULL.finditer(text):
            name, start = match["v"], match.start()
            if name[2] in _THING_ENDS or _NO_SIGN.search(name[1:]):
                continue
            places = found.setdefault(name, _Places())
            places.times += 1
            places.chapters.add(number)
            before, behind = text[start - 1 : start], text[start + 3 : start + 4]
            if (not before or before in _BEGINS) and "一" <= behind <= "鿿":
                places.behind.add(behind)
            places.is_met = places.is_met or (before != "" and before in _TO_SOMEBODY)
    joined = "\n".join(texts)
    for name, places in found.items():
        if places.times < _FEWEST or len(places.chapters) < 2 or len(places.behind) < 3 or not places.is_met:
            continue
        if places.times * 3 >= joined.count(name[:2]) * 2:
            yield name


def _by_role(texts: Sequence[str]) -> Iterator[str]:
    """老道士, where the book has one of them and never two."""
    found: dict[str, set[int]] = {}
    many: set[str] = set()
    for number, text in enumerate(texts):
        for match in _NICKNAMES.finditer(text):
            found.setdefault(match["v"], set()).add(number)
        for match in _ROLES.finditer(text):
            found.setdefault(match["v"], set()).add(number)
            if match["more"] and match["more"] not in "个位名":
                many.add(match["v"])
    for name, chapters in found.items():
        if len(chapters) >= 2 and name not in many and sum(text.count(name) for text in texts) >= _FEWEST:
            yield name


_FAMILIAR = (
    "大爷", "大叔", "大伯", "大娘", "大妈", "大婶", "大嫂", "师傅", "老汉", "老头", "老爹", "爷爷", "奶奶", "婆婆",
    "老师", "先生", "太太", "伯", "叔", "婶", "嫂", "爷",
)  # fmt: skip
_NICKNAME = re.compile(rf"老(?P<v>[{SURNAMES}])[头汉爹爷叔伯]?$")


def familiar_names(name: str, all_names: Mapping[str, str], text: str) -> list[str]:
    """耿大爷 is 老耿头 where nobody else of the book has that family name; `all_names`: each name with its card's."""
    match = _NICKNAME.match(name)
    if match is None:
        return []
    family = match["v"]
    others = [one for one, card in all_names.items() if card != name and (one[0] == family or one[:2] == f"老{family}")]
    if others:
        return []
    ways = (f"老{family}", f"老{family}头", *(family + title for title in (*_FAMILIAR, *ADDRESSES)))
    return [one for one in ways if one != name and re.search(rf"{re.escape(one)}(?![一-鿿]?家)", text)]
