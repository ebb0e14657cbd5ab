"""What a Chinese clause says of how somebody looks: colours, marks and harms of one side, build, beard, bald heads; and
of the colours of animals, vehicles and things. Each reading: its place in the clause, attribute and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...reading.numerals import CHINESE, heading_number


class Reading(NamedTuple):
    place: int
    attribute: str
    value: str
    weak: bool = False
    """It may well be otherwise: a warning and no error."""


_N = rf"[0-9]{{1,4}}|[{CHINESE}]{{1,5}}"
_HUES = {
    "黑": "漆黑 乌黑 墨黑 黝黑 乌溜溜 黑溜溜 黑漆漆 黑亮 乌亮 乌骓 乌 墨 黑",
    "白": "雪白 花白 银白 斑白 霜白 白花花 银 白",
    "棕": "棕 褐 栗 杏仁 榛子 咖啡 茶",
    "蓝": "湛蓝 碧蓝 蔚蓝 宝蓝 蓝汪汪 蓝",
    "绿": "碧绿 墨绿 翠绿 草绿 绿莹莹 碧 绿",
    "灰": "深灰 浅灰 银灰 铁灰 灰",
    "金": "金黄 金",
    "红": "火红 枣红 枣骝 胭脂 赤兔 酒红 通红 鲜红 朱红 赤 红",
    "紫": "深紫 紫",
    "黄": "黄骠 土黄 杏黄 明黄 黄",
    "青": "靛青 青骢 青",
    "琥珀": "琥珀",
    "橘": "橘黄 橘红 橘 橙红 橙",
    "粉": "粉红 粉",
}
HUE = {word: hue for hue, words in _HUES.items() for word in words.split()}
HUES = "|".join(sorted(HUE, key=len, reverse=True))
_NOUNS = {
    "眼睛": "眼睛|眼眸|眸子|双眼|眼珠子?|瞳孔|瞳仁|双眸|瞳(?=[，。])",
    "头发": "长发|短发|头发|发丝|卷发|马尾|长辫子?|麻花辫|辫子|秀发|青丝|发髻|鬓发|直发|碎发|发(?=[，。、披；])",
    "胡子的颜色": "胡子|胡须|胡茬|长须|长髯|络腮胡|山羊胡",
    "狗": "[大小老土]?[狼猎牧]?[狗犬]",
    "猫": "[大小老]?猫",
    "马": "[大小老]?(?:骏马|母马|马驹|马|驹)(?![上路蹄车甲褂])",
    "驴": "[小老]?[驴骡]子?",
    "牛": "[老小]?[水耕]?牛(?!皮|肉)",
    "鹰": "[猎苍老]?[鹰隼]",
    "鸟": "鹦鹉|八哥|[信白]?鸽子?",
    "车": (
        "轿车|汽车|卡车|吉普车?|摩托车?|自行车|单车|二八大杠|越野车|面包车|跑车|"
        "桑塔纳|捷达|奔驰|宝马|奥迪|丰田|本田|皮卡|货车|马车|小车|车子?(?=[，。停开驶、的])"
    ),
    "船": "渔船|帆船|小船|快艇|船(?=[，。靠停开])",
    "伞": "[雨阳]?伞",
    "围巾": "围巾|斗篷|披风|大氅",
    "门": "大门|木门|铁门|门(?=[，。])",
    "宝石": "宝石|玉佩|玉镯|戒指|坠子|珠子",
}
_ADJECTIVE = (
    "(?:[色亮汪溜油莹幽沉]|[大小长短卷老细高圆浓瘦肥旧新]|齐耳|披肩|及腰|柔顺|浓密|明亮|清澈|深邃|油纸|微卷|的){0,5}?"
)
_COLOURED = re.compile(
    rf"(?<![面脸])(?P<c>{HUES}){_ADJECTIVE}(?:"
    + "|".join(f"(?P<n{number}>{words})" for number, words in enumerate(_NOUNS.values()))
    + ")"
)
_NAMES_OF_NOUNS = list(_NOUNS)
_BECOMES = re.compile(
    rf"(?P<n>眼睛|眼眸|眸子|眼珠|瞳孔|头发|长发|短发|胡子|狗|猫|马|车子?|伞|大门|门)(?:的颜色)?(?:是|全是|都是|浑身|"
    rf"通体|全身|一身|呈|泛着)+(?P<c>{HUES})(?:色|的|如|若)"
)
_PASSING = re.compile(
    "哭|熬|充血|泪|灯|火光|月光|夕阳|霞|映|阳光|雪光|雨|落满|沾满|尘|面粉|气红|通红|发红|染|雪花|血丝|布满"
)
_FOREIGN = re.compile("借|新买|另一|又一|换|租来|买了|陌生|满街|一片|许多|各色|路边|出租|别[人家]|隔壁|对门|对面")
_WHOLE_HEAD = re.compile(rf"一头[一-鿿]{{0,2}}?(?P<c>{HUES})色?的?[一-鿿]{{0,2}}?(?:毛|卷)")
_HUE_BEHIND = re.compile(
    rf"(?P<n>眼睛|眼珠子?|眸子|瞳仁|[双只]眼|头发|长发|短发)(?:是)?(?P<c>{HUES})(?=[得亮溜漆汪如似，。]|$)"
)
_BODY_OF = re.compile(rf"^(?:浑身|通体|一身|全身|满身)?(?:的?毛)?(?:是|都是|全是)?(?P<c>{HUES})(?:色|的|如|得)?")

_SIDED = re.compile(
    "(?P<v>[左右])(?:边|侧)?的?(?:那?[只条个])?(?P<part>脸颊|脸|颊|腮|眉骨|眉毛|眉梢|眉|眼角|眼皮|眼|耳垂|耳朵|"
    "耳|额角|额头|嘴角|"
    "肩膀|肩|上臂|小臂|臂|胳膊|手腕|手背|手掌|掌心|手|大腿|小腿|腿肚|腿|膝盖|膝|脚踝|脚|胸口|胸|肋|腰|小指|食指|"
    "中指|无名指|拇指)"
)
_SIDED_BEHIND = re.compile(
    "(?P<part>额角|额头|脸|颈|脖子|胸口?|腰|木腿|假腿|假眼|义眼|假手)(?:的|是|在|上的?)?(?P<v>[左右])(?:边|侧|面)"
)
_PARTS = {
    one: part
    for part, words in {
        "脸": "脸颊 颊 腮", "眉": "眉骨 眉毛 眉梢", "耳": "耳垂 耳朵", "额角": "额头", "肩": "肩膀",
        "臂": "上臂 小臂 胳膊", "膝": "膝盖", "胸": "胸口",
        "腿": "大腿 小腿 腿肚 木腿 假腿", "眼": "眼皮 假眼 义眼", "手": "手掌 掌心 假手",
    }.items()
    for one in words.split()
}  # fmt: skip
_CONDITIONS = {
    "旧伤": (
        "弹片|子弹|弹头|弹丸|钢钉|钢板|铁片|箭头|枪伤|箭伤|刀伤|剑伤|中过[^，。]{0,4}[箭枪刀剑弹掌]|旧伤|老伤|"
        "老毛病|[轧压碾砸摔烫冻烧撞夹咬]过|[轧压碾砸摔烫冻烧撞夹打震炸]坏|枪眼|弹孔|挨过|抬不起|使不上|隐隐作痛|"
        "又[^，。]{0,2}[疼痛酸麻]|一到[^，。]{1,4}就[疼痛酸]"
    ),
    "疤": "刀疤|伤疤|疤痕|疤|伤痕|刀痕|烫痕|旧刀口",
    "痣": "黑痣|红痣|痣|痦子",
    "胎记": "胎记",
    "纹身": "纹身|刺青|纹着|刺着",
    "酒窝": "酒窝|梨涡",
    "耳饰": "耳环|耳钉|耳坠",
    "缺指": "(?:少|缺|断|没)了?的?那?[一二两三半]?[根截只]?(?:手指|指头|指)|只有[一二三四]根手指",
    "牙": "虎牙|金牙",
    "假肢": "机械|金属|钢铁|电子|仿生|木腿|假腿|假眼|义眼|假手|木头的|木制的|假肢|义肢",
}
_CONDITION = re.compile("|".join(f"(?P<k{n}>{words})" for n, words in enumerate(_CONDITIONS.values())))
_NAMES_OF_CONDITIONS = list(_CONDITIONS)
_FAR = 14
"""Signs between a side and what is there."""
_BUILD = {
    "高": (
        "又高又[瘦壮大]|身材高大|高大魁梧|人高马大|高个[子儿]?|瘦高个?|个[子头](?:很|极|挺)?高|身形高大|"
        "五大三粗|牛高马大"
    ),
    "矮": "矮胖|矮小|矮个[子儿]?|五短身材|个[子头](?:很|极|挺|有点|并)?(?:矮|不高|小)|又矮又|矮墩墩|身材矮",
}
_BALD = re.compile("光头|秃头|秃顶|秃子|谢顶|剃度|光溜溜的?脑袋|寸草不生的头")
_HAIRED = re.compile(
    "(?:束|挽|披|绑|扎|梳|甩|撩|捋|拢|盘|散|编|理)[^，。]{0,6}(?:长发|头发|辫子?|马尾|发髻|发)|(?:长|短|黑|白|金|"
    "卷|头)发(?:束|挽|披|绑|扎|梳|拢|盘|飘|散|在|垂)"
)
_BEARDED = re.compile(
    "(?:满脸|一脸|一把|留着|蓄着|长着|捋着?|摸着?|下巴上的?)[^，。]{0,4}(?:胡子|胡须|络腮胡|山羊胡|八字胡|胡茬|"
    "长须|长髯|须)"
)
_BEARDLESS = re.compile(
    "(?:没有|没|不[留长]|没留过|没长过|从不留|从来不留)胡[子须]|面白无须|下巴光[溜洁滑]|无须|从来没长过胡子"
)


_TALL = re.compile("(?:一米|1米|1\\.)(?P<v>[八九五四8945])")
_ANY_HUE = re.compile("[杏榛橘橙粉黑白棕褐栗蓝绿碧灰金红紫黄青琥银乌墨赤]")
_ANY_LOOK = re.compile("[米个高矮秃谢剃发胡须髯光壮]")
_ANY_AGE = re.compile("岁|[年刚已才虚现了十]|比|之")


def colours(clause: str) -> Iterator[Reading]:
    if _ANY_HUE.search(clause) is None or _PASSING.search(clause):
        return
    for match in _COLOURED.finditer(clause):
        number = next(n for n in range(len(_NOUNS)) if match[f"n{n}"])
        noun = _NAMES_OF_NOUNS[number]
        if number < 3:
            yield Reading(match.start(), noun, HUE[match["c"]])
        elif not _FOREIGN.search(clause):
            yield Reading(match.start(), f"{noun}的颜色", HUE[match["c"]], noun in ("围巾", "门", "宝石", "船"))
    if (whole := _WHOLE_HEAD.search(clause)) is not None:
        yield Reading(whole.start(), "头发", HUE[whole["c"]])
    for match in _HUE_BEHIND.finditer(clause):
        yield Reading(match.start(), "头发" if "发" in match["n"] else "眼睛", HUE[match["c"]])
    for match in _BECOMES.finditer(clause):
        noun = next((name for name, words in _NOUNS.items() if re.fullmatch(words, match["n"])), match["n"])
        yield Reading(
            match.start(), noun if noun in ("眼睛", "头发", "胡子的颜色") else f"{noun}的颜色", HUE[match["c"]]
        )


def colour_of_body(rest: str) -> str:
    """Of an animal whose name stands before `rest`; "" none."""
    match = _BODY_OF.match(rest)
    return HUE[match["c"]] if match is not None else ""


def sides(text: str) -> Iterator[Reading]:
    """Marks and harms: each with the nearest side of a body."""
    placed = [*_SIDED.finditer(text), *_SIDED_BEHIND.finditer(text)]
    if not placed:
        return
    for match in _CONDITION.finditer(text):
        kind = next(name for n, name in enumerate(_NAMES_OF_CONDITIONS) if match[f"k{n}"])
        near = min(placed, key=lambda one: _distance(one, match))
        if _distance(near, match) <= _FAR:
            part = _PARTS.get(near["part"], near["part"])
            aches = re.search("[疼痛酸麻轧压碾砸摔烫冻烧撞夹咬抬使]", match[0]) is not None
            yield Reading(near.start(), f"{part}上的{kind}", near["v"], aches)


def is_mark(words: str) -> bool:
    return _CONDITION.search(words) is not None


def place_of_side(clause: str) -> int:
    match = _SIDED.search(clause)
    return match.start() if match is not None else len(clause)


def _distance(one: re.Match[str], other: re.Match[str]) -> int:
    return one.start() - other.end() if one.start() >= other.end() else other.start() - one.end()


def build(clause: str) -> Iterator[Reading]:
    if _ANY_LOOK.search(clause) is None:
        return
    for value, words in _BUILD.items():
        if (match := re.search(words, clause)) is not None:
            yield Reading(match.start(), "个头", value)
    if (match := _TALL.search(clause)) is not None:
        tall = {"八": "高", "九": "高", "8": "高", "9": "高", "五": "矮", "四": "矮", "5": "矮", "4": "矮"}
        yield Reading(match.start(), "个头", tall[match["v"]], True)
    if (match := _BALD.search(clause)) is not None:
        yield Reading(match.start(), "有头发", "无")
    elif (match := _HAIRED.search(clause)) is not None:
        yield Reading(match.start(), "有头发", "有")
    if (match := _BEARDLESS.search(clause)) is not None:
        yield Reading(match.start(), "胡子", "无须")
    elif (match := _BEARDED.search(clause)) is not None:
        yield Reading(match.start(), "胡子", "蓄须")


_AGES = {
    "而立": 30,
    "不惑": 40,
    "知天命": 50,
    "半百": 50,
    "花甲": 60,
    "古稀": 70,
    "耄耋": 80,
    "弱冠": 20,
    "及笄": 15,
    "豆蔻": 13,
}
_AGE_BARE = re.compile(rf"(?:刚满|年方|年仅|才满|已满|虚岁|今年|现年|刚过)(?P<v>{_N})(?:岁|周岁)?了?(?=[，。；的]|$)")
_AGE_SAID = re.compile(
    rf"^[\u3000 ]*[一-鿿]{{1,4}}?(?:都|已经|也|就|转眼|"
    rf"今年)*(?<![{CHINESE}几])(?P<v>[{CHINESE}]{{2,3}})(?:岁|了|岁了)?$"
)
_AGE_BETWEEN = re.compile("(?<![看像])(?P<v>[二三四五六七八]十[一二三四五六七八])[二三四五六七八九]岁")
_AGE_ABOUT = re.compile(rf"(?P<v>[{CHINESE}]{{2,3}})(?:岁)?(?:出头|上下|开外)")
_AGE_NAMED = re.compile(rf"(?:年过|年近|年届|已过|年已|年逾)?(?P<v>{'|'.join(_AGES)})(?:之年|年华)")
_AGE_NAMED_PAST = re.compile(rf"(?:年过|年逾|已过|年近|年届)(?P<v>{'|'.join(_AGES)})")
_AGE_CLASSIC = re.compile("(?P<t>[二三四五六七八九]十)有(?P<u>[一二三四五六七八九])")
_BIRTH_YEAR_BEHIND = re.compile(r"(?P<v>[0-9]{4}|[〇零○一二三四五六七八九]{4})年(?:出)?生(?:人|的)(?=[，。；]|$)")
_BIRTH_YEAR = re.compile(r"(?:出生于|生于|生在|出生在)(?:公元)?(?P<v>[0-9]{4}|[〇零○一二三四五六七八九]{4})年")
_YEARS_APART = re.compile(rf"比(?P<b>[一-鿿]{{1,4}}?)(?P<how>大|小|长|年长|年轻|小了|大了)(?P<v>{_N})岁")


def ages(clause: str) -> Iterator[Reading]:
    if _ANY_AGE.search(clause) is None:
        return
    if (match := _AGE_BARE.search(clause)) is not None:
        number = heading_number(match["v"])
        if number is not None and number < 130:
            yield Reading(match.start(), "年龄", str(number))
    elif (match := _AGE_SAID.search(clause)) is not None and (years := heading_number(match["v"])) and 9 < years < 130:
        yield Reading(match.start("v"), "年龄", str(years))
    if (match := _AGE_BETWEEN.search(clause)) is not None and (between := heading_number(match["v"])):
        yield Reading(match.start(), "年龄", str(between), True)
    if (match := _AGE_ABOUT.search(clause)) is not None and (about := heading_number(match["v"])):
        yield Reading(match.start(), "年龄", str(about), True)
    named = _AGE_NAMED.search(clause) or _AGE_NAMED_PAST.search(clause)
    if named is not None:
        yield Reading(named.start(), "年龄", str(_AGES[named["v"]]), True)
    if (match := _AGE_CLASSIC.search(clause)) is not None:
        yield Reading(match.start(), "年龄", str(heading_number(match["t"] + match["u"])))
    if (match := _BIRTH_YEAR.search(clause) or _BIRTH_YEAR_BEHIND.search(clause)) is not None:
        number = heading_number(match["v"])
        if number is not None:
            yield Reading(match.start(), "出生年", str(number))
    if (match := _YEARS_APART.search(clause)) is not None:
        number = heading_number(match["v"]) or 0
        younger = match["how"].startswith(("小", "年轻"))
        yield Reading(match.start(), f"比{match['b']}大几岁", str(-number if younger else number))
