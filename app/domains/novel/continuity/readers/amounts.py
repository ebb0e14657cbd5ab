"""How many of something there are, how long, high or heavy it is, how far, where it stands, what it is called: Chinese
statements about things and places, compared where their heads are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...reading.numerals import CHINESE, heading_number

_N = rf"[0-9]{{1,6}}|[{CHINESE}]{{1,6}}"
_CLASSIFIERS = (
    "张|个|名|位|间|层|座|口|扇|盏|棵|株|条|艘|匹|头|只|颗|枚|本|封|幅|块|把|根|级|户|家|台|辆|道|排|"
    "节|桌|箱|袋|坛|卷|具|门|尊|页|口人|进"
)
_COUNTED = re.compile(
    rf"(?P<how>一共|总共|共有|统共|上下|老少|满门|全家|只有|仅有|住着|摆着|放着|装着|坐着|关着|挂着|种着|立着|"
    rf"养着|停着|拴着|躺着|堆着|铺着|晒着|有|共|设有?|的|里的|上的|那|这|中的)"
    rf"(?:一共|总共|整整|足足|不过|只|才|就|着|了|学生|客人|人口|"
    rf"病床){{0,2}}(?P<n>{_N})(?P<m>{_CLASSIFIERS})(?P<x>[一-鿿]{{0,6}})"
)
_PEOPLE = re.compile(rf"(?:学生|弟子|人口|兵马|客人|船员|乘客|村民|工人|床位)(?P<n>{_N})(?P<m>人|名|口|位|张)")
_NO_COUNT = re.compile(
    "另|隔壁|其他|其余|剩|又|增|减|少了|多了|第|每|添|加了|卖|买|丢|死了|走了|来了|几乎|大约|左右|将近|上百|数|"
    "几|拿|递|捡|挑|抽出|摸出|掏|选|近|"
    "邻|别|搬|摘|喝|吃|写|看完|读|打|杀|救|抓|伸|竖|说|挨|花|用了|拆|砍|烧|扔|借|分"
)
_NOUN_END = re.compile(
    f"[都也全在被是正已还里上中了的着过和与跟又就便才有坐站躺落装挂摆放齐醒睡走开关亮干]|[{CHINESE}]"
)
_NOUN_LEAD = re.compile("^(?:[大小老新旧好红白黑]|男|女)(?=[一-鿿]{2})")
_MEASURED = re.compile(
    rf"(?P<n>{_N})(?P<u>公里|里|米|丈|尺|寸|斤|公斤|吨|层|级|亩|海里|两)(?:多|来)?(?P<of>长|高|宽|深|重|厚|远|"
    rf"方圆|地|路|山路|水路|旱路)?"
)
_DIMENSION = re.compile("(?P<of>长|高|宽|深|重|厚|方圆|有|共|足有|约)$")
_NO_MEASURE = re.compile("走了|跑了|退了|前进|又|只走|一口气|飞出|跃|第|喝|吃|买|卖|称|割|每|还[有差]|剩|离地|不到|再")
_SIDED = re.compile(
    "(?P<v>[一-鿿]{2,8}?)(?:就|便|原来|一直|本来)?(?:开|建|设|位|立|坐落)?(?:在|"
    "于)(?P<w>[一-鿿]{1,6}?)的?(?P<d>[东西南北左右])(?:头|边|面|侧|岸|坡|郊|首|手边|手|"
    "(?<=[城镇村桥河江街湖山][东西南北])(?=[，。；]|$))"
    "|(?P<w2>[一-鿿]{1,6}?)(?P<d2>[东西南北左右])(?:头|边|面|侧|岸|首|"
    "手边|(?<=[城镇村桥河江街湖山][东西南北]))的(?P<v2>[一-鿿]{2,5}?)(?=[，。；亮开传站走里门敲响有又就都前后已早正还也来在是关着落冒飘]|$)"
)
_FACING = re.compile("(?P<v>[一-鿿]{1,6}?)(?:坐[东西南北])?(?:面|朝|冲)(?:着|向)?(?P<d>[东西南北])(?=[，。；开而]|$)")
_LIVES = re.compile(
    rf"(?:住在?|家在|自家|搬到|回到|租住?在?|家住|宿舍在|办公室在|"
    rf"房间在)(?P<w>[一-鿿]{{0,6}}?)(?P<n>{_N})(?P<u>楼|层|"
    rf"号楼|单元|号|室)(?!下)"
)
_QUARTER = re.compile(
    "住在?(?P<w>[城镇村河江])(?P<d>[东西南北])|(?P<w2>[城镇村河江])(?P<d2>[东西南北])的(?:家|住处|宅子|院子|寓所)"
)
_STREET = re.compile(rf"(?P<street>[一-鿿]{{2}}(?:路|街|巷|弄|胡同|大道))(?P<n>{_N})号")
_WAY = re.compile(
    rf"(?:到|离|距|距离)(?P<b>[一-鿿]{{1,4}}?)(?:，|有|足有|足足|大约|约|不过|只有|要走|整整|"
    rf"还有){{0,2}}(?P<n>{_N})(?P<u>里|公里|海里|华里)"
)
_NONE = re.compile(
    "(?P<v>[一-鿿]{2,8}?)(?:里|中|上)?(?:连一?[扇个盏口座]?)?(?:没有|没|无|"
    "从来没有)(?:一[扇个盏口座])?(?P<x>窗户?|门|电话|电梯|烟囱|井|灯|楼梯|桥|火车站|车站|学校|医院|邮局|码头|"
    "路灯|信号|旅馆)(?=[，。；都也]|$)"
)
_THERE = re.compile(
    "(?:推|打|关|拉|爬|走|倚|靠|站|敲|跳|接|拨|在|到|去|进)[一-鿿]{0,4}?(?P<v>[一-鿿]{2,8}?)(?:里|"
    "上)?的(?P<x>窗户?|门|电话|"
    "电梯|烟囱|井|灯|楼梯|桥|火车站|车站|学校|医院|邮局|码头|路灯|信号|旅馆)"
)
_MADE = re.compile(
    "(?P<v>[一-鿿]{1,6}?)(?:是|乃|由|用)+(?P<m>纯金|黄金|白银|青铜|黄铜|精铁|玄铁|寒铁|精钢|白玉|青玉|碧玉|墨玉|"
    "翡翠|檀木|桃木|桐木|象牙|琉璃|水晶|木头|石头|[金银铜铁玉木竹石])"
    "(?:打造|铸|制|做|雕|打|造|刻|砌|搭)(?:成|的|造)?"
)
_LEAD = re.compile(
    "^(?:这|那|他|她|我|们|的|座|间|条|把|家|个|口|棵|一|只|原来|其实|如今|现在|整个|整|从|到|就|才|可|而|但|站|"
    "看|见|里|上|中){1,6}"
)


_ANY_NUMBER = re.compile(f"[0-9{CHINESE}]")
_ANY_PLACE = re.compile(f"[东西南北左右由用是里门窗井桥灯梯站校院局码旅]|没有|电话|{_N}里")


_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_DOOR = re.compile("(?:住[^，。]{0,8}?|家)(?P<n>[〇零一二三四五六七八九]{3,4}|[0-9]{3,4})(?:室|号|房)?(?=[，。；的]|$)")


class Amount(NamedTuple):
    place: int
    head: str
    """The thing or place it is said of; "" the owner of the clause."""
    attribute: str
    value: str
    weak: bool = False


def amounts(sentence: str, clause: str, before: str) -> Iterator[Amount]:
    """`before`: the clause in front of it, which may name the head."""
    if _ANY_NUMBER.search(clause) is not None:
        yield from _counts(clause, before)
        yield from _measures(clause, before)
    if _ANY_PLACE.search(clause) is None:
        return
    for match in _SIDED.finditer(clause):
        thing, by = match["v"] or match["v2"], match["w"] or match["w2"]
        yield Amount(match.start(), head_of(thing), f"在{head_of(by)[-2:]}哪边", match["d"] or match["d2"], True)
    for match in _FACING.finditer(clause):
        yield Amount(match.start(), head_of(match["v"]), "朝向", match["d"])
    for match in _MADE.finditer(clause):
        if (head := head_of(match["v"])) and not re.search("不是|像|仿", clause[: match.end()]):
            yield Amount(match.start(), head[-3:], "质地", match["m"][-1])
    way, at = _WAY.search(sentence), sentence.find(clause)
    if way is not None and "还有" not in way[0] and at <= way.start("n") < at + len(clause):
        yield Amount(0, way["b"][-2:], "路程", f"{heading_number(way['n'])}{way['u']}")
    if (none := _NONE.search(clause)) is not None:
        yield Amount(none.start(), head_of(none["v"]), f"有{none['x'][0]}", "无")
    elif (there := _THERE.search(clause)) is not None:
        yield Amount(there.start(), head_of(there["v"]), f"有{there['x'][0]}", "有")


def addresses(clause: str) -> Iterator[tuple[int, str, str]]:
    """Of the person a clause is about: place, attribute, value."""
    if (match := _STREET.search(clause)) is not None:
        yield match.start(), f"{match['street']}的门牌", str(heading_number(match["n"]))
    elif (match := _QUARTER.search(clause)) is not None:
        yield match.start(), f"住在{match['w'] or match['w2']}哪边", match["d"] or match["d2"]
    elif (match := _DOOR.search(clause)) is not None and "不住" not in clause:
        yield (
            match.start(),
            "住的号",
            "".join(
                str("〇一二三四五六七八九".find(one.replace("零", "〇"))) if not one.isdecimal() else one
                for one in match["n"]
            ),
        )
    elif (match := _LIVES.search(clause)) is not None and "不住" not in clause:
        unit = {"层": "楼", "室": "号"}.get(match["u"], match["u"])
        yield match.start(), f"住的{unit}", str(heading_number(match["n"]))


def _counts(clause: str, before: str) -> Iterator[Amount]:
    for match in _COUNTED.finditer(clause):
        number = heading_number(match["n"])
        noun = _NOUN_LEAD.sub("", _NOUN_END.split(match["x"], maxsplit=1)[0])[:2]
        lead = clause[: match.start()]
        if number is None or (
            match["n"] == "一" and "只" not in match["how"] + lead[-2:] and match["how"] not in ("只有", "仅有")
        ):
            continue
        if _NO_COUNT.search(clause[max(0, match.start() - 5) : match.end("m")]):
            continue
        if not noun and match["m"] not in ("层", "进", "户", "级", "口"):
            continue
        head = head_of(lead) or _topic(before)
        if head:
            yield Amount(
                match.start(), head, f"{noun or match['m']}的数目", str(number), len(noun) < 2 or not head_of(lead)
            )
    for match in _PEOPLE.finditer(clause):
        number, head = heading_number(match["n"]), head_of(clause[: match.start()])
        if number is not None and head:
            yield Amount(match.start(), head.removesuffix("有"), f"{match[0][:2]}的数目", str(number))


def _measures(clause: str, before: str) -> Iterator[Amount]:
    for match in _MEASURED.finditer(clause):
        number = heading_number(match["n"])
        lead, rest = clause[: match.start()], clause[match.end() :]
        if number is None or number < 2 or _NO_MEASURE.search(lead[-4:]) or _NO_COUNT.search(lead[-2:]):
            continue
        dimension = _DIMENSION.search(lead)
        if match["u"] in ("里", "公里", "海里") and match["of"] not in ("长", "宽", "高"):
            continue  # distances: `traits`
        behind = re.match(r"的(?P<x>[一-鿿]{1,4}?)(?=[，。；！、横立竖停在上里顶]|$)", rest)
        if behind is not None and (match["of"] or match["u"] in ("层", "级", "斤", "吨")):
            yield Amount(match.start(), head_of(behind["x"]), f"几{match['u']}", str(number))
        elif dimension is not None or match["of"]:
            head = head_of(lead[: dimension.start()] if dimension is not None else lead)
            if head:
                yield Amount(match.start(), head, f"几{match['u']}", str(number))


def _topic(clause: str) -> str:
    """What a clause is about: 白塔病区 of 白塔病区在三号楼."""
    return _LEAD.sub("", re.split("[是在有把从共]", clause.strip("\u3000 “”"))[0]).removesuffix("的")[-6:]


def head_of(words: str) -> str:
    """The last noun of what stands before a number: 白塔病区在三楼，一共 is 白塔病区."""
    words = re.split("[，。；、！？“”\u3000 ]", words.strip("，。；、\u3000 “”"))[-1]
    words = re.sub(
        "(?:一共|总共|共|里面?|中|上面?|下|内|统共|如今|现在|拢共|就|都|也|足|约|大约|不过|只|里头|外面?)+$", "", words
    )
    pieces = re.split("(?:是|在|有|把|给|从|被|对|了|着|过)", words)
    last = next((one for one in reversed(pieces) if len(_LEAD.sub("", one)) >= 1), "")
    return _LEAD.sub("", last).removesuffix("的")[-6:]


def same_head(one: str, other: str) -> bool:
    """白塔病区 and 病区; not 隔壁病区."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= 1
        and long.endswith(short)
        and not re.search("隔壁|邻|另|别|旧|新|小|对面|对门", long[: -len(short)])
    )
