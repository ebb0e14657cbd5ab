"""What a sentence states of a person or a thing, by the forms such statements have: eyes, hair, hand, age, scars, kin,
what somebody cannot do, what a thing is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..reading.numerals import CHINESE, heading_number
from .sentences import Sentence, told_clauses

_COLOURS = (
    "漆黑|乌黑|黑|雪白|花白|银白|白|棕|褐|碧蓝|湛蓝|蓝|碧绿|墨绿|绿|碧|深灰|浅灰|灰|琥珀|金|火红|枣红|红|紫|银|青|栗|黄"
)
_SAME = {
    "漆黑": "黑",
    "乌黑": "黑",
    "碧蓝": "蓝",
    "湛蓝": "蓝",
    "碧绿": "绿",
    "墨绿": "绿",
    "碧": "绿",
    "深灰": "灰",
    "浅灰": "灰",
    "雪白": "白",
    "银白": "白",
    "花白": "白",
    "火红": "红",
    "枣红": "红",
    "褐": "棕",
    "栗": "棕",
}
_NUMBER = rf"[0-9]{{1,3}}|[{CHINESE}]{{1,4}}"
_EYES = re.compile(rf"(?P<v>{_COLOURS})色?的?(?:大|小|一)?(?:眼睛|眼眸|眸子|双眼|眼珠|瞳孔|瞳仁|双眸|瞳)")
_EYES_AFTER = re.compile(rf"(?:眼睛|眼眸|眸子|眼珠|瞳孔|瞳仁|双眸)是?(?P<v>{_COLOURS})色")
_HAIR = re.compile(rf"(?P<v>{_COLOURS})色?的?(?:长发|短发|头发|发丝|卷发|马尾|辫子|秀发|发(?=[，。披]))")
_LEFT = re.compile("左撇子|惯用左手|习惯用左手|左利手")
_RIGHT = re.compile("右撇子|惯用右手|习惯用右手|右利手")
_TOOL = "剑|刀|笔|枪|筷|毛笔|匕首|弓|斧|锤|菜刀|钢笔"
_HAND = re.compile(
    rf"(?P<v>[左右])手(?:[一反紧稳]?[持握执提使拔挥]|拿[着起]|抽出|写)(?:着|起|住|出|"
    rf"了)?.{{0,5}}(?:{_TOOL}|字)|用(?P<w>[左右])手(?:写|拿笔|使剑|使刀|握笔|握剑|执笔|持剑|夹)"
)
_MARK = re.compile(
    "(?P<v>[左右])(?P<part>脸颊|脸|颊|眉骨|眉|臂|手腕|手背|手臂|手|腿|肩|眼角|眼|耳|膝|额角|"
    "胸)[^，。]{0,8}?(?P<kind>刀疤|伤疤|疤痕|疤|胎记|痣|刺青|纹身)"
)
_MARK_AFTER = re.compile(
    "(?P<kind>刀疤|伤疤|疤痕|疤|胎记|痣|刺青|纹身)[^，。]{0,4}?在(?P<v>[左右])(?P<part>脸颊|"
    "脸|颊|眉|臂|手腕|手背|手|腿|肩|眼角|眼|耳|膝|额角|胸)"
)
_LIMB = re.compile(
    "(?:瞎了|失明的?|盲了|断了|失去了?|没了|瘸了|跛了|残了|废了)的?(?P<v>[左右])(?P<part>眼|臂|手|腿|脚|"
    "耳)|(?P<w>[左右])(?P<p2>眼|臂|手|腿|脚|耳)(?:早[就已])?(?:瞎|失明|盲|断了|瘸|跛|残|废|聋)"
)
_AGE = re.compile(rf"(?:今年|刚满|刚过|年方|年仅|才|已经?|正好|现年|年)?(?P<v>{_NUMBER})岁(?!月|的时候|那年|时)")
_AGE_PAST = re.compile(rf"(?:{_NUMBER})岁(?:那年|时|的时候|之前|以前|起|开始|上)")
_KIN = "父亲|母亲|爹|娘|妻子|丈夫|师父|师傅|儿子|女儿|哥哥|姐姐|弟弟|妹妹|祖父|祖母|爷爷|奶奶|未婚妻|未婚夫"
_ONLY = re.compile(
    "独生子|独生女|独子|独女|没有(?:任何)?兄弟姐妹|(?:从小)?(?:没有|无)(?P<kin>哥哥|姐姐|"
    "弟弟|妹妹|兄弟|姐妹|儿子|女儿|孩子)"
)
_SIBLING = re.compile(
    "(?<![表堂师干义学族远道友盟])(?P<kin>亲?(?:哥哥|姐姐|弟弟|妹妹|大哥|二哥|大姐|二姐|胞弟|胞兄|胞妹|胞姐))"
)
_BORN = re.compile(
    "(?:出生在|出生于|生于|生在|老家在|故乡是|故乡在|籍贯是?|祖籍是?|来自|"
    "是土生土长的)(?P<v>[一-鿿]{2,4}?)(?=人|[，。的、；]|$)|是(?P<w>[一-鿿]{2,3})人(?=[，。])"
)
_PLACE = re.compile(
    "(?:在|位于|坐落在|坐落于|开在|建在|就在)[一-鿿]{0,3}?(?:城|镇|村|街|山|巷|河|湖|府|宫|"
    "院)?的?(?P<v>[东南西北])(?:边|面|侧|郊|门外|头|街|市|城|岸|麓|坡|山)?"
)
_PLACE_WORD = re.compile(
    "(?:在|位于|坐落在|坐落于|开在|建在|就在)(?P<u>城|镇|村|街|河|湖|"
    "山)?(?P<v>[东南西北])(?:边|面|侧|郊|门|头|街|市|城|岸|麓|坡|山|大街)?"
)
_MADE = re.compile(
    "(?:是|乃|用|由)?(?P<v>纯金|黄金|白银|青铜|黄铜|精铁|玄铁|白玉|青玉|碧玉|墨玉|翡翠|檀木|桃木|象牙|琉璃|金|银|"
    "铜|铁|玉|木|竹|石)(?:的|制|质|打造|打成|打的|做的|铸成|铸的|雕成|雕的)"
)
_COUNT = re.compile(
    rf"(?:有|生了|养了|一共|共有|总共)(?P<v>{_NUMBER})个?(?P<kind>儿子|女儿|孩子|兄弟|姐妹|"
    rf"徒弟|弟子|哥哥|姐姐|弟弟|妹妹)"
)
CHANGES = re.compile(
    "染[成了回过]?|换成|换了|改成|变成|变得|变作|已经?不再|后来|从此|自从|长成|戴上|美瞳|"
    "隐形眼镜|受伤|伤了|断了|缠着|绷带|肿|不便|学会|"
    "练成|学了|终于能|破了?戒|破例|过继|认了|收养|改姓|改名|搬到|迁到|重建|重修|重铸|修好|"
    "修补|找回|另一|又一|新买|仿|赝|假"
)
_COLOURED_BY = re.compile("哭|熬|充血|泪|灯|火光|月光|夕阳|霞|映|阳光|雪光|雨|落满|沾满|尘|面粉|气红|通红|发红|染")
_FIRST_TIME = re.compile("第一次|头一回|总算|终于")
UNABLE = {
    "游泳": (
        re.compile("不会(?:游泳|水|游水|凫水)|不识水性|旱鸭子"),
        re.compile("游(?:到|过|向|回|了|上)|泅|凫水|纵身跳进.{0,6}(?:河|江|湖|海).{0,8}游|潜[入到]"),
    ),
    "骑马": (
        re.compile("不会骑马|从(?:未|没)骑过马"),
        re.compile("翻身上马|策马|纵马|骑着马|打马|催马|骑马(?:奔|赶|冲|跑)"),
    ),
    "喝酒": (
        re.compile("滴酒不沾|从不喝酒|不会喝酒|不喝酒|不饮酒|一沾酒就"),
        re.compile(
            "喝(?:了|下|干|完).{0,5}酒|饮(?:尽|下|了|干)|仰头喝|一饮而尽|干了(?:一|那|这|满|两|三)?(?:杯|碗|坛)|"
            "灌了.{0,4}酒|举杯喝"
        ),
    ),
    "抽烟": (
        re.compile("从不抽烟|不抽烟|不会抽烟|不吸烟"),
        re.compile("点(?:了|起|燃)?(?:一)?(?:支|根|袋)?烟|抽(?:着|了|完).{0,3}烟|吸了一?口烟|吐出.{0,4}烟圈"),
    ),
    "识字": (
        re.compile("不识字|目不识丁|大字不识|不认字|不认得字"),
        re.compile(
            "读(?:完|着|了).{0,4}(?:信|书|告示)|提笔(?:写|批)|写(?:了|下|完).{0,6}(?:信|字|诗)|念(?:出|着)?.{0,4}信上"
        ),
    ),
    "开车": (
        re.compile("不会开车|没有驾照|没学过开车"),
        re.compile("开着车|发动(?:了)?(?:汽车|车子|引擎)|踩下油门|握着方向盘|驾车"),
    ),
    "吃辣": (
        re.compile("不吃辣|不能吃辣|一点辣都|吃不了辣"),
        re.compile("吃(?:着|了|下).{0,6}(?:辣|麻辣|火锅)|夹起.{0,4}辣椒"),
    ),
    "吃肉": (
        re.compile("吃素|不吃肉|不沾荤腥|从不吃荤"),
        re.compile("(?:吃|啃|嚼)(?:着|了|下|起|完).{0,5}(?:肉|鸡腿|羊腿|排骨|烤鸭)|大口吃肉"),
    ),
    "说话": (
        re.compile("是个?哑巴|不会说话|不能说话|口不能言|失语|哑了"),
        re.compile("(?:开口|高声|大声|低声|轻声|笑着)?(?:说|喊|叫|问|答|骂)道|开口说|大喊|喊道"),
    ),
    "看见": (
        re.compile("双目失明|是个?(?:瞎子|盲人)|两眼?都?瞎|看不见任何|双眼失明"),
        re.compile("看(?:见|到|着|了看|清)|望(?:着|见|向)|盯着|瞥见|瞪着"),
    ),
    "走路": (
        re.compile("双腿(?:残疾|瘫痪|尽断|不能行走)|不能走路|瘫痪在|坐在轮椅|离不开轮椅"),
        re.compile("站起身|站了起来|大步走|跑(?:了|向|过|上)|走(?:到|向|出|进|过|上)|跳(?:起|上|下)"),
    ),
}


@dataclass(frozen=True, slots=True)
class Statement:
    subject: str
    attribute: str
    value: str
    sentence: Sentence
    place: int
    changes: bool
    """It tells that something has become different: what was said before ends here."""


Extract = Callable[[str], Iterator[tuple[str, str]]]


def _first(match: re.Match[str], *names: str) -> str:
    return next((match[name] for name in names if match[name]), "")


def _states(clause: str) -> Iterator[tuple[str, str]]:
    """Attribute and value of what a clause says of its subject."""
    coloured = _COLOURED_BY.search(clause) is not None
    for form in (_EYES, _EYES_AFTER):
        if (match := form.search(clause)) and not coloured:
            yield "眼睛", _SAME.get(match["v"], match["v"])
    if (match := _HAIR.search(clause)) and not re.search("雨|落满|沾满|尘|雪花|面粉", clause):
        yield "头发", _SAME.get(match["v"], match["v"])
    if _LEFT.search(clause):
        yield "惯用手", "左"
    elif _RIGHT.search(clause):
        yield "惯用手", "右"
    elif (match := _HAND.search(clause)) and "双手" not in clause and "左右手" not in clause:
        yield "惯用手", _first(match, "v", "w")
    for form in (_MARK, _MARK_AFTER):
        if match := form.search(clause):
            kind = "疤" if "疤" in match["kind"] else match["kind"]
            part = {"脸颊": "脸", "颊": "脸", "眉骨": "眉", "手臂": "臂"}.get(match["part"], match["part"])
            yield f"{part}上的{kind}", match["v"]
            break
    if match := _LIMB.search(clause):
        yield f"伤残的{_first(match, 'part', 'p2')}", _first(match, "v", "w")
    if (match := _AGE.search(clause)) and not _AGE_PAST.search(clause) and "不到" not in clause and "比" not in clause:
        number = heading_number(match["v"])
        if number is not None and "几" not in clause[max(0, match.start() - 2) : match.end()] and "来岁" not in clause:
            yield "年龄", str(number)
    if match := _BORN.search(clause):
        yield "出生地", _first(match, "v", "w").removesuffix("城").removesuffix("县").removesuffix("省")
    if match := _COUNT.search(clause):
        yield f"{match['kind']}的数目", str(heading_number(match["v"]) or match["v"])
    for name, (unable, does) in UNABLE.items():
        if unable.search(clause):
            yield name, "不会"
        elif does.search(clause) and not re.search("没有?|不会|不能|不敢|不肯|差点|想要?|要是|如果|教|劝", clause):
            yield name, "会"
    if match := _ONLY.search(clause):
        yield (f"有{match['kin']}" if match["kin"] else "有兄弟姐妹"), "无"


def of_persons(sentence: Sentence, names: dict[str, str], last: str = "") -> Iterator[Statement]:
    """`names`: each name and alias with the name of its card; `last`: who the sentence before was about, for a clause
    that begins with 他 or 她."""
    changed = CHANGES.search(sentence.text) is not None
    subject, kin = "", re.compile(rf"(?:的|他|她)(?P<kin>{_KIN})(?:名叫|叫做|叫|是|便是|就是|，)?(?P<v>[一-鿿]{{2,3}})")
    for start, clause in told_clauses(sentence):
        whose, of_other = _subject(clause, names, subject or last)
        subject = whose or subject
        about = whose or subject
        if not about:
            continue
        if not of_other:
            for attribute, value in _states(clause):
                is_change = changed or (attribute in UNABLE and _FIRST_TIME.search(sentence.text) is not None)
                yield Statement(about, attribute, value, sentence, start, is_change and attribute != "年龄")
        if re.search(rf"{re.escape(about)}的", clause) and (match := _SIBLING.search(clause)):
            yield Statement(about, "有兄弟姐妹", "有", sentence, start, changed)
            word = match["kin"].removeprefix("亲")
            yield Statement(about, f"有{word}", "有", sentence, start, changed)
        for match in kin.finditer(clause):
            if match["v"] in names and names[match["v"]] != about:
                yield Statement(about, match["kin"], names[match["v"]], sentence, start, changed)


def _subject(clause: str, names: dict[str, str], last: str) -> tuple[str, bool]:
    """Whom a clause is about; and whether it is about somebody of his: 林舟的父亲 is not 林舟."""
    plain = clause.strip('\u3000 “”"')
    found = [(clause.find(name), name) for name in names if name in clause]
    if found:
        place, name = min(found, key=lambda one: (one[0], -len(one[1])))
        rest = clause[place + len(name) :]
        kin = re.match(
            rf"(?:的|他|她)?(?:{_KIN}|朋友|同伴|仆人|徒弟|手下|对手|邻居|同事|同学|[师表堂]?[兄弟姐妹]|马|狗)", rest
        )
        if place > 8 and last and plain[:1] in "他她":
            return last, False
        if re.search("对面|面前|身旁|身边|旁边|身后|看着|望着|看见|跟着|扶着|给|替|问|对|向$", clause[:place][-4:]):
            return (last, False) if plain[:1] in "他她" else ("", True)
        return names[name], kin is not None and bool(kin[0])
    if plain[:1] in "他她" and not plain.startswith(("他们", "她们")):
        return last, bool(re.match(rf"[他她]的?(?:{_KIN}|朋友|同伴|徒弟)", plain))
    return "", False


def of_things(sentence: Sentence, names: dict[str, str]) -> Iterator[Statement]:
    changed = CHANGES.search(sentence.text) is not None
    for start, clause in told_clauses(sentence):
        for name, card in names.items():
            place = clause.find(name)
            if place < 0:
                continue
            rest = clause[place + len(name) :]
            if match := _PLACE_WORD.search(rest[:16]):
                yield Statement(card, f"方位{match['u'] or ''}", match["v"], sentence, start, changed)
            if (match := _MADE.search(rest[:12])) and not rest.startswith(("的", "里", "旁", "边")):
                yield Statement(card, "质地", match["v"], sentence, start, changed)
            if (match := re.search(rf"(?P<v>{_COLOURS})色?的?$", clause[:place])) or (
                match := re.match(rf"(?:通体|浑身|是|通身)+(?P<v>{_COLOURS})色?", rest)
            ):
                yield Statement(card, "颜色", _SAME.get(match["v"], match["v"]), sentence, start, changed)
