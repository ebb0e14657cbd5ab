"""What a Chinese clause says of somebody out of a set of which everybody has one: people, faith, sign of the zodiac,
class at school, shape of the face, kind of hair; and whether he is married, whose colour his things have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...reading.numerals import CHINESE, heading_number
from ..persons import SURNAMES
from .looks import HUE, HUES, Reading


class _Set(NamedTuple):
    attribute: str
    form: re.Pattern[str]
    weak: bool


_SETS = (
    _Set(
        "民族",
        re.compile("(?P<v>汉|回|满|蒙古|蒙|藏|维吾尔|维|壮|苗|彝|土家|朝鲜|侗|瑶|白|傣|布依|哈尼|羌|纳西|"
            "畲)族(?!长|谱|人的)"),
        False,
    ),
    _Set("信仰", re.compile("信(?:奉|的是)?(?P<v>佛|道|基督|天主|伊斯兰|主)教?(?=[，。；的]|$|多年|了)"), True),
    _Set(
        "星座",
        re.compile("(?P<v>白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座"),
        False,
    ),
    _Set("脸型", re.compile("(?P<v>圆|方|长|瓜子|鹅蛋|国字|马|尖)脸(?=[，。；的、]|$|上|盘|儿)"), True),
    _Set("眼皮", re.compile("(?P<v>单|双)眼皮"), False),
    _Set("发型", re.compile("(?P<v>卷|直)(?:头)?发(?=[，。；、的]|$)"), True),
    _Set(
        "学科",
        re.compile(
            "(?:教|读|学|念|专业是|是)(?:的是?)?(?P<v>中文|数学|物理|化学|生物|历史|地理|英语|语文|法律|法学|"
            "医科|临床|会计|"
            "建筑|美术|音乐|体育|哲学|经济)(?:系|专业|课|老师)?(?=[，。；的]|$)"
        ),
        True,
    ),
    _Set(
        "文化",
        re.compile(
            "(?:是|只有|只念到|只读到|读到|念到)(?:个|了|过)?"
            "(?P<v>小学|初中|高中|中专|大专|本科|硕士|博士)(?:生|毕业|学历)?(?=[，。；]|$)"
        ),
        True,
    ),
    _Set(
        "体形",
        re.compile(
            "(?:(?:是|长得|生得|个)[^，。]{0,3}|一?身材?|又[高矮黑白])(?P<v>胖|瘦)(?:子|墩|高个)?(?=[，。；的得]|$)"
        ),
        True,
    ),
)  # fmt: skip
_TRAITS = re.compile(
    "(?P<no>(?:从来?|并|一点都?|根本|可|倒|又)?不|从没|没有?)?(?P<v>晕车|晕船|晕机|恐高|近视|色盲|打呼噜|打鼾|"
    "梦游|说梦话|路痴|口吃|结巴)"
)
_LENGTHS = (
    ("短", re.compile("短发|齐耳|寸头|板寸|平头|[剪理]得[很极]短")),
    ("长", re.compile("长发|及腰|齐腰|垂到腰|长辫|披肩")),
)
_RANK = re.compile(
    "(?:是|排行|在家)(?:家里|家中)?的?(?:老|排行老?|第)(?P<v>[大一二三四五六七八九幺小])(?=[，。；的]|$)"
)
_LANGUAGES = (
    "英语|英文|法语|法文|日语|日文|俄语|德语|韩语|西班牙语|意大利语|阿拉伯语|拉丁文|粤语|广东话|"
    "上海话|客家话|闽南话|四川话|方言|蒙语|藏语|手语"
)
_SPEAKS_NOT = re.compile(f"(?:不会|不懂|听不懂|没学过|一句)(?:说|讲|半句)?(?P<v>{_LANGUAGES})")
_SPEAKS = re.compile(
    f"用(?:一口|着)?(?:流利|标准|熟练|生硬|地道|磕磕绊绊)?的?(?P<v>{_LANGUAGES})|说着?一口(?:流利|标准|地道|"
    f"漂亮)?的?(?P<w>{_LANGUAGES})"
)
_WED = (
    ("否", re.compile("没(?:有)?结过婚|光棍|终身未[娶嫁]|一辈子没[娶嫁]|没(?:有)?[娶嫁]过")),
    ("是", re.compile("前妻|前夫|离过婚|离婚|丧[妻夫偶]|二婚|再婚")),
)
_SOLDIER = (
    ("否", re.compile("(?:没|没有|从没|未)(?:当过|扛过)(?:一天)?[兵枪]|没参过军|没进过部队")),
    ("是", re.compile("当(?:过|了)[^，。]{0,4}兵|参过军|退伍|复员|从部队(?:上|里)?(?:回|下|转)")),
)
_BELIEVES = (
    ("否", re.compile("(?:不|从来不|从不|压根不)信(?:什么)?(?:神|鬼|佛|命|邪|菩萨|教)")),
    ("是", re.compile("信了?[^，。]{0,5}[佛神]|(?:给|跪在)[^，。]{0,3}(?:菩萨|佛)[^，。]{0,4}(?:磕|烧)|吃斋念佛")),
)
_PAPERS = "驾照|护照|身份证|户口本|执照|毕业证|结婚证|学生证|工作证"
_LACKS = re.compile(f"(?:没有?|还没|没考(?:到|过)?|没领(?:到|过)?|弄不到)(?:拿到|考出|办|办过)?(?P<v>{_PAPERS})")
_SHOWS = re.compile(f"(?:掏出|拿出|亮出|摸出|出示|把)[^，。]{{0,4}}?(?P<v>{_PAPERS})")
_NAMED = re.compile(
    f"(?P<kin>妻子|丈夫|老婆|老公|太太|儿子|女儿|哥哥|姐姐|弟弟|妹妹|父亲|"
    f"母亲)(?P<v>[{SURNAMES}][一-鿿]{{1,2}}?)(?=[走说站坐在正端把推笑从拿给递抱也，。])"
)
_ANY_SET = re.compile("[族教座脸皮发学课系小初高中大本硕博胖瘦念读]")
_CLASS = re.compile(
    rf"(?P<g>[高初][一二三]|[一二三四五六]年级)?[（(]?(?P<n>[0-9]{{1,2}}|"
    rf"[{CHINESE}]{{1,2}})[）)]?班的?(?=[，。；学同班的]|$|"
    rf"[一-鿿]{{2,3}}[，。])"
)
_SPOUSE = re.compile(
    "[他她](?:跟|和|与)?(?:丈夫|妻子|老婆|老公|爱人|太太)(?:结婚|成亲|刚认识)|^[\u3000 ]*(?:丈夫|妻子|老婆|"
    "老公|爱人|太太|媳妇|"
    "男人)(?=[在是从做当开跟给也常还早每总])(?![^，。]{0,8}(?:死|去世|过世|没了|跑了))"
)
_UNMARRIED = re.compile(
    "离(?:了)?婚(?:已经|有|好)?[^，。]{0,3}年|离婚多年|早就离了?婚?(?=[，。])|"
    "没(?:有)?结过婚|没(?:有)?成(?:过)?家(?=[，。；]|$)|没(?:有)?谈过恋爱|(?:至今|一直)?(?:还是)?(?:单身|未婚|"
    "独身)(?:至今|一人|多年)?|从没[娶嫁]过"
)
_KEPT_THINGS = re.compile(
    "书包|背包|皮箱|箱子|水杯|水壶|保温杯|手套|围脖|头巾|面罩|眼罩|腰带|手机|本子|行李|拐杖|头盔|手帕|坐垫|吉他"
)


def of_person(clause: str) -> Iterator[Reading]:
    if _ANY_SET.search(clause) is not None:
        for one in _SETS:
            if (match := one.form.search(clause)) is not None and not _OTHERWISE.search(clause[: match.end()]):
                yield Reading(match.start(), one.attribute, match["v"].removesuffix("古"), one.weak)
    if (match := _TRAITS.search(clause)) is not None and not _OTHERWISE.search(clause[: match.start()]):
        yield Reading(match.start(), match["v"], "否" if match["no"] else "是", True)
    if "发" in clause or "头" in clause or "耳" in clause or "腰" in clause:
        for length, form in _LENGTHS:
            if (match := form.search(clause)) is not None and re.search("发|辫|[寸平]头|板寸", clause):
                yield Reading(match.start(), "发长", length, True)
                break
    yield from _of_life(clause)
    if "班" in clause and (match := _CLASS.search(clause)) is not None:
        number = heading_number(match["n"])
        if number is not None and not _PLACE_OF_CLASS.search(clause[: match.start()][-2:]):
            yield Reading(match.start(), "班级", str(number), True)


def _of_life(clause: str) -> Iterator[Reading]:
    """Place among the children, languages, marriage, faith, papers."""
    if (match := _RANK.search(clause)) is not None:
        yield Reading(match.start(), "排行", match["v"].replace("一", "大"), True)
    if (match := _SPEAKS_NOT.search(clause)) is not None:
        yield Reading(match.start(), f"会{match['v']}", "不会")
    elif (match := _SPEAKS.search(clause)) is not None and not _OTHERWISE.search(clause[: match.start()]):
        yield Reading(match.start(), f"会{match['v'] or match['w']}", "会")
    for attribute, forms in (("结过婚", _WED), ("当过兵", _SOLDIER), ("信神佛", _BELIEVES)):
        for value, form in forms:
            if (match := form.search(clause)) is not None:
                yield Reading(match.start(), attribute, value, True)
                break
    if (match := _LACKS.search(clause)) is not None:
        yield Reading(match.start(), f"有{match['v']}", "无", True)
    elif (match := _SHOWS.search(clause)) is not None:
        yield Reading(match.start(), f"有{match['v']}", "有", True)
    for match in _NAMED.finditer(clause):
        yield Reading(match.start("v"), "名字", match["v"], True)
    if (match := _TWINS.search(clause)) is not None:
        yield Reading(max(0, clause.find("和")), "双胞胎", "有")
    elif _YEARS_APART.search(clause) is not None and re.search("[弟妹哥姐]|比[他她]", clause):
        yield Reading(len(clause), "双胞胎", "无", True)
    if (match := _UNMARRIED.search(clause)) is not None:
        yield Reading(match.start(), "婚姻", "无", "离" not in match[0])
    elif (match := _SPOUSE.search(clause)) is not None:
        yield Reading(match.start(), "婚姻", "有")


_TWINS = re.compile("(?:双胞胎|孪生)(?:兄弟|姐妹|姊妹|兄妹|姐弟)?(?=[，。；、]|$)")
_YEARS_APART = re.compile(rf"比[他她]?[一-鿿]{{0,3}}[大小](?:[0-9{CHINESE}]){{1,2}}岁")
_OTHERWISE = re.compile("不是|像|如果|要是|好像|以后|将来|想|比|当年|以前|从前|曾|扮|装")
_PLACE_OF_CLASS = re.compile("[在去从到进出]")


def kept_things(clause: str) -> Iterator[Reading]:
    """The colour of what somebody has one of."""
    for match in re.finditer(rf"(?P<c>{HUES})色?的?(?P<x>{_KEPT_THINGS.pattern})", clause):
        if not re.search("新|另|借|换|买|送|以前|小时候|旧", clause):
            yield Reading(match.start(), f"{match['x']}的颜色", HUE[match["c"]], True)


_N = rf"[0-9]{{2,5}}|[{CHINESE}]{{1,5}}"
_WHOLE = re.compile(
    rf"(?P<v>[一-鿿]{{0,2}}(?<![一两三几每])[巷村镇街院庄寨屯楼](?=里?(?:一共|总共|就|才|只|拢共|住))|"
    rf"全[班村镇厂船家校队院城族连营]|一家|满门|阖家)(?:上下|老少|总共|"
    rf"一共|拢共|统共|共|有|共有|不过|只有|都|拢共|里|就|只|才|这么|那么|住着|师生|里里外外){{0,3}}"
    rf"(?P<n>{_N})(?P<m>个|名|口|户|位|号)(?P<x>学生|人|弟子|工人|男人|女人|兄弟)?"
)
_STRUCTURE = re.compile(
    rf"(?P<n>{_N})(?P<m>级|层|孔|根|道|进|眼|间|拱)的?(?P<x>台阶|石阶|石级|木梯|楼梯|塔|楼|桥|院子|宅子|窑洞|门|柱子)"
)
_STRUCTURE_BEHIND = re.compile(
    rf"(?P<x>台阶|石阶|石级|木梯|楼梯|塔|楼|桥|院子|宅子|窑洞|柱子)(?:一共|总共|共|统共|足有|整整|不多不少|有|"
    rf"足足){{1,3}}(?P<n>{_N})(?P<m>级|层|孔|根|道|进|"
    rf"眼|间|拱)"
)


def wholes(clause: str) -> Iterator[tuple[str, str, str]]:
    """Head, attribute, number of what is counted as a whole: all of a class, the steps of a stair."""
    for match in _WHOLE.finditer(clause):
        number = heading_number(match["n"])
        if number is not None and number > 1:
            yield match["v"], f"{match['m'] if match['m'] == '户' else '人'}的总数", str(number)
    for form in (_STRUCTURE, _STRUCTURE_BEHIND):
        for match in form.finditer(clause):
            number = heading_number(match["n"])
            if (
                number is not None
                and number > 1
                and not re.search("第|走了|爬了|又|还[有剩]|另", clause[: match.start()][-3:])
            ):
                yield match["x"].replace("石级", "石阶"), f"{match['m']}的总数", str(number)


_BUILDING = "旅馆|客栈|酒店|宾馆|医院|学校|教学楼|宿舍楼|宿舍|办公楼|公寓|小楼|酒楼|茶楼|楼房|大楼|百货|图书馆"
_STOREYS = re.compile(rf"(?P<x>{_BUILDING})(?:一共|总共|共|只|就|不过|才|有|高)*(?P<n>{_N})层")
_FLOOR = re.compile(rf"(?P<x>{_BUILDING})的?(?P<n>{_N})[楼层](?!的?楼)")


def storeys(clause: str) -> tuple[str, int, bool] | None:
    """A building, a number, and whether it is that of all its storeys."""
    match = _STOREYS.search(clause)
    is_all = match is not None
    match = match or _FLOOR.search(clause)
    number = heading_number(match["n"]) if match is not None else None
    return None if match is None or number is None else (match["x"][-2:], number, is_all)
