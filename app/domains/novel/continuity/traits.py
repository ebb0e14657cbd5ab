"""What a Chinese sentence says that lasts: a lame side, a mark on the body, years somebody has done something, kin who
are dead, where a thing stands, what stands in a place, how far it is.

`statements` reads the forms that one word decides; here the two parts of a statement may stand apart in a clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..reading.numerals import CHINESE, heading_number

_NUMBER = rf"[0-9]{{1,4}}|[{CHINESE}]{{1,4}}"
_SIDE = re.compile("(?P<v>[左右])(?:边|侧)?的?(?:那?[只条个])?(?P<part>眼|臂|胳膊|手|腿|脚|耳|膝|肩)")
_HARM = re.compile(
    "瞎|失明|[炸打震弄烧熏刺]聋|耳聋|断了?(?:的|一|两|三|半)|[砍锯炸轧压截切]断|截肢|截去|残[废疾]|[缺少](?:了|"
    "一只)?(?=[左右])|结了一层痂|"
    "废了|瘸|跛|假肢|义肢|义眼|假眼|木腿|眼罩|只剩|(?:少|缺|没|丢|失去)了?[一二两三四半][根截只条]|空荡荡"
)
_HAND_PARTS = {"胳膊": "臂"}
_MARK = re.compile(
    "(?P<v>[左右])(?P<part>脸颊|脸|颊|眉|臂|胳膊|手腕|手背|手|腿|肩|眼角|耳|额角|胸|膝|脚踝|背)"
    "(?:后|下|内侧|外侧)?上?(?:面)?(?:纹着|纹了|刺着|刺了|长着|留着|有着?|是|的那?)(?:一?[条只个块朵道颗粒处片])?的?"
    "(?P<x>[一-鿿]{1,6})"
)
_BORROWED_WORDS = re.compile("贴|缠|绑|包扎|沾|溅|落|搭|挂|挎|抱|拎|提|握|拿|攥|停|扶")
_YEARS = re.compile(
    "(?P<verb>嫁[到进给过]|娶|当|做|干|住|守|管|教|跟|开|经营|结婚|成亲|从军|从医|行医)"
    "(?P<what>[一-鿿]{0,6}?)(?:已经|已|都|也|整整|足足|满|快|将近|差不多|有|了|整|来)*"
    rf"(?P<n>{_NUMBER})(?:多|来)?年(?!前|代|级|月|轻|纪|后|级)的?(?P<after>[一-鿿]{{2}})?"
    rf"|(?P<verb3>离家|离开[一-鿿]{{2,3}}|分别|失踪|守寡|出家|入行|从业|漂泊|流放|坐牢|坐了|服刑|瘫痪|失明|戒烟|"
    rf"戒酒|戒酒戒了|干这行|相识|认识|进厂|入厂|进店|参加工作)(?:已经|已|都|也|整整|足足|满|快|将近|差不多|有|了|"
    rf"整)*(?<!第)(?P<n3>{_NUMBER})(?:多|来)?年(?!前|代|级|月|轻)"
    rf"|(?P<n2>{_NUMBER})(?:多|来)?年的?(?P<verb2>老)?(?P<what2>警察|老师|医生|兵|夫妻|邻居|厨师|司机|船长|掌柜|木匠)"
)
_KIN = (
    "丈夫|妻子|太太|老婆|父亲|母亲|爹|娘|爸爸|妈妈|儿子|女儿|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|祖父|祖母|师父|"
    "夫人|媳妇|老公"
)
_KIN_SAME = {"夫人": "妻子", "媳妇": "妻子", "老公": "丈夫",
             "太太": "妻子", "老婆": "妻子", "爹": "父亲", "爸爸": "父亲", "娘": "母亲", "妈妈": "母亲",
             "祖父": "爷爷", "祖母": "奶奶"}  # fmt: skip
_KIN_DEAD = re.compile(
    rf"(?P<kin>{_KIN})[^，。！？]{{0,8}}?(?:去世|过世|病故|病逝|死[了在于]|没了|早亡|早逝|不在了|牺牲|战死|"
    rf"遇难|难产死|(?:前年|去年|早年|年前|早就|那年)[^，。]{{0,6}}(?:走了|没了))"
    rf"|(?:死了|没了|失去了?)(?P<kin2>{_KIN})"
)
_BEREFT = re.compile("(?:丧|亡|克)(?P<v>[妻夫父母])(?=[，。；后的]|$)")
_BEREFT_OF = {"妻": "妻子", "夫": "丈夫", "父": "父亲", "母": "母亲"}
_KIN_ACTS = re.compile(
    rf"(?P<kin>{_KIN})(?![一-鿿]{{0,3}}的)[^，。！？的]{{0,8}}?(?:说|道|走[进出来过到]|回来|赶[来回到]|打来|站|"
    rf"坐|端|推|笑|喊|"
    "来了|进来|出来|接过|递|抱|点头|摇头|开门|问|把|正在|开着|坐在|替|给|拉|拿|送|催|叫[他她]|做好|等在|写信|寄)"
)
_DISTANT = re.compile(
    rf"(?P<n>{_NUMBER})(?P<unit>里|公里|华里|海里|丈)(?:多|来)?(?P<of>山|水|旱|夜|远|土|官)?的?(?:路|地|远|外|开外)"
)
_TOWN = re.compile(
    "[一-鿿]{0,2}(?:县城|省城|城里|镇上|县里|码头|渡口|车站|港口|[一-鿿](?:城|镇|村|庄|寨|庙|站|岛|关|堡|坡|谷|湾|山))"
)
_PLACED = re.compile(
    "(?:^|[，。；\n\u3000 ])(?:那座?|这座?)?(?P<v>[一-鿿]{2,8}?)(?:就|便|原来|一直|本来|静静地|孤零零地)*"
    "(?:建|盖|开|立|坐落|座落|位|设|搭|长|修)?在(?P<w>[一-鿿]{0,5}?)的?(?P<d>[东西南北])"
    "(?:头|边|面|侧|岸|坡|郊|门|街|端|麓|城|市|山|角|口|首)"
)
_STANDING = re.compile(
    "(?P<place>天井|院子|院里|院中|门口|门前|村口|镇口|桥头|堂屋|屋后|屋前|后院|前院|山顶|井边|河边|窗外|窗前|"
    "墙上|庙前|广场|操场|校门|路口|街口)"
    "[里中前后上边]?(?:种|长|有|立|挂|摆|栽|放|停)?(?:着|了)?(?P<which>一|那|这)(?P<m>[棵株口座块匹盏幅尊])"
    "(?P<x>[一-鿿]{1,5}?)(?=[，。；、！？]|落|开|结|的|在|已|又|下|底|上|旁|前|后|正|发|长|掉|倒|$)"
)
_PLAIN_WORDS = re.compile("^[老大小高矮粗古枯破旧新那]+")
_COUNTED = re.compile(
    rf"(?:只?有|膝下(?:只?有)?|只?生(?:了|下|有)?|养了|育有|共有|一共|留下)(?P<n>{_NUMBER})个?(?P<kind>儿子|女儿|"
    rf"闺女|孩子|兄弟|姐妹)"
    rf"|(?P<family>[一-鿿])家的?(?P<n2>{_NUMBER})(?P<kind2>兄弟|姐妹|姊妹|弟兄|个儿子|个女儿)"
)
_KINDS = {
    "闺女": "女儿",
    "个儿子": "儿子",
    "兄弟": "儿子",
    "弟兄": "儿子",
    "个女儿": "女儿",
    "姐妹": "女儿",
    "姊妹": "女儿",
}
_IDENTITY = {
    "血型": re.compile("(?P<v>AB|[ABO])型血"),
    "属相": re.compile("属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?=的|，|。|$)"),
    "生日": re.compile(
        "生日(?:是|在|就在)?(?P<v>[一二三四五六七八九十正腊冬0-9]{1,3}月(?:初|廿)?[一二三四五六七八九十0-9]{1,3})"
    ),
    "身高": re.compile(
        "身高(?:有|是|约|不过|足有|将近|只有|才|大约|近){0,2}(?P<v>一米[一二三四五六七八九][一二三四五六七八九]?|"
        "1米[0-9]{1,2}|[0-9]{3}(?=厘米|公分))"
    ),
    "排行": re.compile("(?:排行|排)(?:老|第)?(?P<v>[一二三四五六七八九大])(?=，|。|的|$)"),
    "住的楼层": re.compile(f"住在?[^，。]{{0,9}}?(?P<v>{_NUMBER})(?:层|楼)(?!的?楼)"),
    "住的房号": re.compile("住在?[^，。]{0,9}?(?P<v>[0-9]{3,4})(?:号|室|房)"),
    "姓": re.compile("(?:本姓|姓)(?P<v>[一-鿿])(?=，|。|名|$)"),
}


_BIRTHDAY_BEFORE = re.compile(
    "(?P<v>[一二三四五六七八九十正腊冬0-9]{1,3}月(?:初|廿)?[一二三四五六七八九十0-9]{1,3})[日号]?(?:这天|"
    "那天)?(?:，)?(?:正?是|乃)[一-鿿]{0,5}的?(?:生日|生辰)"
)


def body(clause: str) -> Iterator[tuple[str, str]]:
    """Of the body of whoever a clause is about: what does not heal and does not change sides."""
    if "左" not in clause and "右" not in clause:
        return
    harm = _HARM.search(clause)
    if harm is not None:
        for match in _SIDE.finditer(clause):
            if min(abs(match.start() - harm.end()), abs(harm.start() - match.end())) <= 12:
                yield f"伤残的{_HAND_PARTS.get(match['part'], match['part'])}", match["v"]
    for match in _MARK.finditer(clause):
        if not _BORROWED_WORDS.search(match[0]):
            mark = "疤" if "疤" in match["x"] else match["x"][-2:]
            yield f"身上的{mark}", match["v"]


def years(clause: str) -> Iterator[tuple[str, str]]:
    """How many years somebody is married or does something."""
    for match in _YEARS.finditer(clause):
        if re.search("之后|以后|的时候|那年|第一次", clause[match.end() :]):
            continue
        number = heading_number(match["n"] or match["n2"] or match["n3"])
        if match["verb3"] and number is not None:
            verb = "干" if match["verb3"] in ("进厂", "入厂", "进店", "参加工作", "干这行") else match["verb3"][:4]
            yield f"{verb}的年数", str(number)
            continue
        verb, what = match["verb"] or "当", match["what"].rstrip("了过") if match["what"] else match["what2"] or ""
        what = what or match["after"] or ""
        if number is not None and number > 1:
            yield f"{verb[:1]}{what[:2] if verb in ('当', '做', '教', '开', '管', '守') else ''}的年数", str(number)


def identity(clause: str) -> Iterator[tuple[str, str]]:
    """What a person has one of."""
    if match := _BIRTHDAY_BEFORE.search(clause):
        yield "生日", match["v"]
    for attribute, form in _IDENTITY.items():
        if match := form.search(clause):
            number = heading_number(match["v"])
            yield attribute, match["v"] if number is None else str(number)


def kin(own: str, clause: str) -> Iterator[tuple[str, str]]:
    """Whether somebody of a person's family is dead."""
    if match := _BEREFT.search(clause):
        yield f"在世的{_BEREFT_OF[match['v']]}", "无"
    elif match := _KIN_DEAD.search(clause):
        word = match["kin"] or match["kin2"]
        yield f"在世的{_KIN_SAME.get(word, word)}", "无"
    elif (match := _KIN_ACTS.search(clause)) and re.search(
        rf"(?:{re.escape(own)}的?|[他她]的?)$", clause[: match.start()]
    ):
        yield f"在世的{_KIN_SAME.get(match['kin'], match['kin'])}", "有"


def counted(clause: str) -> Iterator[tuple[str, str, str]]:
    """Family ("" that of whom the clause is about), kind and number of children."""
    for match in _COUNTED.finditer(clause):
        number = heading_number(match["n"] or match["n2"])
        kind = match["kind"] or match["kind2"]
        if number is not None:
            yield match["family"] or "", f"{_KINDS.get(kind, kind)}的数目", str(number)


def family_in(clause: str) -> str:
    """罗 of 罗老太爷; "" where a clause names no family."""
    match = re.match(r"\W*([一-鿿])(?:老太爷|老爷|老太太|家|氏|员外|太太|先生)", clause)
    return match[1] if match is not None else ""


def places(text: str, before: str) -> Iterator[tuple[str, str, str]]:
    """Subject, attribute, value of what a sentence tells of places and of what stands there. `before`: the sentence in
    front of it."""
    for match in _PLACED.finditer(text):
        yield match["v"].removeprefix("他们").removeprefix("我们"), f"方位{match['w']}", match["d"]
    for match in _STANDING.finditer(text):
        species = _PLAIN_WORDS.sub("", match["x"])
        if len(species) >= 2:
            yield f"{match['place']}的{species[-1]}", f"哪{match['m']}", species
    if (distance := _DISTANT.search(text)) is not None:
        number = heading_number(distance["n"])
        towns = sorted(set(_TOWN.findall(text)) or set(_TOWN.findall(before)))
        if number is not None and towns:
            yield towns[-1][-2:], "路程", f"{number}{distance['unit']}"
