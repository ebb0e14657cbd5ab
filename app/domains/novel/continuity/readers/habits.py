"""What somebody never does, in any words: 从不坐轿子, and later he does. The table of abilities is read elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NEVER = re.compile(
    "(?:从来都?不|从不|向来不|一向不|素来不|绝不|决不|一辈子不|这辈子不|从没|从来没有?|从未|未曾|多少年没有?|"
    "多年没有?|[一二三四五六七八九十两几]年没有?|"
    "一辈子没有?|从小没有?|打小没有?|压根没有?|根本没有?|这辈子没有?|再也不|发誓不再?|立誓不再?|不肯|不敢|不愿|"
    "不会|不吃|戒[了掉]|讨厌|最恨|受不了)"
    "(?:再|去|让人|亲手|主动|轻易)?(?P<v>[坐吃喝穿戴碰用骑打唱跳听进出住养提写收接摘抹涂买沾摸踏登见])(?:过|上|"
    "起|着)?(?:任何|一[口次件个只封])?的?(?P<o>[一-鿿]{1,4}?)(?=[，。；、！]|$|的)"
)
_BEEN = re.compile(
    "(?:从没|从来没有?|从未|没有?|未曾|不曾|一次也没|头一[回次]|第一次)(?:去|到|来|踏进|踏足|进)过?(?:来到?|"
    "到)?(?P<x>[一-鿿]{2,4}?)(?=[，。；！]|$|的)"
)
_WAS_THERE = re.compile(
    "在(?P<x>[一-鿿]{2,4}?)(?:念|住|待|当|做|工作|读|上|开|学|过|生活|长大)(?:了|过)?[^，。]{0,6}?(?:年|书|"
    "那[几些段]|时|大|活)|(?:去|到|来)过(?P<y>[一-鿿]{2,4}?)(?=[，。；！]|$|的|[一二三两几])"
)
_AVERSE = re.compile(
    "(?:从来?不|向来不|一向不|绝不|一口不|一点都?不|碰都不碰|不)(?:喝|吃|沾|碰|抽|抹|穿|"
    "戴)(?P<v>[一-鿿]{1,3})(?=[，。；的、]|$|，)"
    "|(?:吃不得|吃不了|沾不得|碰不得|喝不得|闻不得)(?P<y>[一-鿿]{1,3}?)(?=[，。；的、]|$)"
    "|对(?P<w>(?!什么)[一-鿿]{1,4}?)(?<!不)(?:严重|重度)?过敏|(?:闻到|一碰|一吃|一喝|"
    "一沾)(?P<x>[一-鿿]{1,3}?)就[^，。]{0,5}(?:吐|晕|"
    "[头肚]|喘|疹|恶心|难受|醉|痒|肿|胀|反胃|咳|疙瘩|发烧|憋)"
)
_TAKES = re.compile(
    "(?<![不没])(?:喝|吃|尝|咬|啃|嚼|抽|饮|灌|咽)(?:了|着|完|下|起|掉|过|光|"
    "干)?(?:[一二两三半几好大小满]+[口杯碗块片瓶罐颗只串盘])?的?"
    "(?P<v>[一-鿿]{1,6})"
)
_INTO_MOUTH = re.compile(
    "[吃喝]得|注射|[打推]了?一?针|服[下了]|吊着?|往嘴里|咬了?一?大?口|啃了|嚼|进了?嘴|入口|送到嘴|塞进嘴|(?:丢|"
    "放|塞|送|填|扔|含)[进到入在]{0,2}了?嘴|"
    "吃[了掉下]|咽[了下]|喝[了下掉光]"
)
_DECLINES = re.compile("没有?|不肯|不愿|不能|不会|不敢|拒绝|摇[摇了]?头|推[开给]|闻了闻|假装|递给|想要?|要是|如果|别")
_SKIP = frozenset("人 他 她 话 了 的 过 心 气 头 手 声 事 门 饭 水 路 家 酒 烟 他们 什么 自己 这里 那里".split())


def never(clause: str) -> Iterator[tuple[int, str, str]]:
    """Place, verb and object."""
    for match in _NEVER.finditer(clause):
        thing = match["o"]
        if thing not in _SKIP:
            yield match.start(), match["v"], thing


def does(clause: str, verb: str, thing: str) -> int | None:
    """Where a clause tells that it is done all the same."""
    place = clause.find(thing)
    if place < 0:
        return None
    before = clause[:place]
    how = "[摸碰用使踩弹拉骑开握拿]" if verb in "摸碰用" else verb
    deed = re.search(f"{how}(?:了|着|起|上|过|下|进|完)?[^，。]{{0,5}}$", before)
    if deed is None or re.search("[不没别未]|让|叫|请|替|劝|看[着见]|给|如果|要是|想|假", before):
        return None
    return deed.start()


_KNOWS_NOT = re.compile(
    "(?:不知道|不晓得|没听说过|从未听说过?|一无所知|不认得|不认识)(?P<x>[一-鿿]{2,12}?)(?=[，。；！]|$)"
)
_KNEW = re.compile(
    "(?:早就|早已|一直都?|向来|从一开始就)(?:知道|晓得|听说过|认得|认识)(?:了)?(?P<x>[一-鿿]{2,12}?)(?=[，。；！]|$)"
)


def knows(clause: str) -> Iterator[tuple[int, str, str]]:
    """Place, what, and whether somebody knows it, or has always known it."""
    if (match := _KNOWS_NOT.search(clause)) is not None:
        yield match.start(), match["x"], "无"
    elif (match := _KNEW.search(clause)) is not None:
        yield match.start(), match["x"], "有"


def been(clause: str) -> Iterator[tuple[int, str, str]]:
    """Place, where, and whether somebody has been there."""
    if (match := _BEEN.search(clause)) is not None:
        yield match.start(), match["x"], "无"
    elif (match := _WAS_THERE.search(clause)) is not None and "没" not in clause[: match.end()]:
        yield match.start(), match["x"] or match["y"], "有"


def averse(clause: str) -> Iterator[tuple[int, str]]:
    """What somebody does not eat, drink or bear."""
    if (match := _AVERSE.search(clause)) is not None:
        yield match.start(), match["v"] or match["w"] or match["x"] or match["y"]


def takes(clause: str, sentence: str, food: str) -> bool:
    """Whether a clause, or its sentence where the food is named in it, tells that somebody takes it."""
    if food not in sentence or _DECLINES.search(clause):
        return False
    if food not in clause:
        return _INTO_MOUTH.search(clause) is not None
    return any(food in match["v"] for match in _TAKES.finditer(clause)) or (
        _INTO_MOUTH.search(sentence) is not None and _DECLINES.search(sentence) is None
    )
