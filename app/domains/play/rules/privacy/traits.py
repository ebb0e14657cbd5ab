"""What makes a child recognisable though no profile names it: numbers, addresses, dates of birth, schools, titles."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from .chinese import SURNAMES

_HAN = "[\u4e00-\u9fff]"
_NO_PART = "在|去|到|从|的|了|和|是|叫|读|上|送|我|他|她|们|离|于|往|进|给|对|这|那|每|新|老|换|转|个|所|家|一|跟|与|以|有|看|让|把|被|过|里"
_PLAIN_SCHOOLS = frozenset(
    "公立 私立 普通 双语 附近 小区 国际 特殊 民办 公办 儿童 人民 妇幼 社区 综合 三甲 寄宿 重点 当地 本地 别的 专科 中医 口腔 附属 幼儿 融合 专业".split()
)
_TITLE = "老师|医生|大夫|主任|治疗师|阿姨|叔叔|奶奶|爷爷|园长|教练|校长|先生|女士|太太|姐姐|哥哥"
_CALLED = frozenset(
    "妈妈 爸爸 爷爷 奶奶 姐姐 哥哥 弟弟 妹妹 宝宝 外婆 外公 姥姥 姥爷 老师 阿姨 叔叔 起来 一声 一下 出来 我们 大家 什么 名字 人名 小狗 小猫 声音 过来 停下".split()
)
_CHILD = "儿子|女儿|孩子|宝宝|娃|大宝|二宝|哥哥|姐姐|弟弟|妹妹|同学|好朋友|小伙伴|朋友|同桌|表哥|表姐|表弟|表妹|堂哥|堂弟|双胞胎"
_BIRTH = r"出生|生日|生于|born|birthday|birth|dob"
_DATE = (
    r"(?:(?:19|20)\d\d\s?[年./-]\s?\d{1,2}(?:\s?[月./-]\s?\d{1,2})?\s?[日号月]?|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|\d{1,2}月\d{1,2}[日号]|"
    r"[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号]|(?:农历|阴历)?[正腊冬一二三四五六七八九十]{1,2}月[初十廿][一二三四五六七八九十]|"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?:,? (?:19|20)\d\d)?)"
)
_NAME = r"[A-Z][a-z]+(?:-[A-Z][a-z]+)?"
_PLACE_END = "省|市|区|县|镇|乡|村|路|街|道|巷|弄|号|楼|栋|单元|室|小区|花园|家园|苑|公寓|城|里|湾|府|庭|新村"
_NOBODY = "(?!I\\b|The\\b|Is\\b|And\\b|Lego\\b|God\\b|Bear\\b|Pig\\b|Christmas\\b)"

# Which group is replaced, and what stands in its place in a Chinese and an English text.
_RULES: tuple[tuple[str, str, str, re.Pattern[str]], ...] = (
    ("email", "[邮箱]", "[email]", re.compile(r"(?P<x>(?<![A-Za-z0-9._+-])[A-Za-z0-9._+-]{1,64}\s?(?:@|＠|\(at\)| at )\s?[\w-]{1,64}(?:\.|\s?\(dot\)\s?| dot )[\w.-]{0,64}\w)")),
    ("id", "[证件号]", "[id number]", re.compile(r"(?<![\d])(?P<x>\d{6}\s?(?:19|20)\d{2}\s?\d{4}\s?\d{3}[\dXx])(?!\d)")),
    ("phone", "[电话]", "[phone]", re.compile(
        r"(?<!\d)(?P<x>(?:\+?86[\s-]?)?1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}|0\d{2,3}[\s-]\d{7,8}|\+\d[\d\s()-]{7,16}\d|\(?\d{3}\)?[-.\s]\d{3}[-.\s]\d{4}|0\d{3,4} \d{3} ?\d{3,4}|[零〇一二三四五六七八九幺]{7,})(?!\d)")),
    ("account", "[帐号]", "[account]", re.compile(r"(?:微信|vx|VX|wechat|WeChat|QQ|qq|抖音|小红书|instagram|Instagram|insta)\s?(?:号|群|id|ID)?\s?(?:码)?\s?(?:是|为|:|：|is)?\s?(?P<x>@?[A-Za-z0-9][A-Za-z0-9_.-]{4,20})")),
    ("handle", "[帐号]", "[account]", re.compile(r"(?<![\w.])(?P<x>@[A-Za-z_][\w.]{3,30})")),
    ("plate", "[车牌]", "[plate]", re.compile(r"(?P<x>[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·\s]?[A-Z0-9]{5,6})(?![A-Z0-9])")),
    ("birth", "[出生日期]", "[date of birth]", re.compile(rf"(?P<x>{_DATE})(?=.{{0,4}}(?:{_BIRTH}))", re.IGNORECASE)),
    ("birth", "[出生日期]", "[date of birth]", re.compile(rf"(?:{_BIRTH}).{{0,12}}?(?P<x>{_DATE})", re.IGNORECASE)),
    ("address", "[地址]", "[address]", re.compile(rf"(?:家住|住在|住址是?[:：]?|地址是?[:：]?|搬到了?|家在|位于|老家在?|来自)\s?(?P<x>[^\s,.;，。；!！?？、的]{{1,38}}(?:{_PLACE_END})(?:[\d一二三四五六七八九十A-Za-z-]{{0,8}}(?:号|楼|栋|单元|室|层)?)*)")),
    ("address", "[地址]", "[address]", re.compile(rf"(?P<x>(?:(?!{_NO_PART}){_HAN}){{2,6}}(?:路|街|大道|巷|弄|胡同)\s?[\d一二三四五六七八九十]+\s?(?:号|弄)(?:\s?\d+\s?(?:号楼|栋|幢|单元|室|号))*)")),
    ("address", "[地址]", "[address]", re.compile(r"(?P<x>(?<!\d)\d{1,5}\s?(?:号楼|栋|幢)\s?(?:\d+\s?单元)?\s?\d{0,4}\s?室?)")),
    ("address", "[地址]", "[address]", re.compile(rf"(?P<x>(?:Flat|Apt\.?|Unit) \w+,? ?)?(?P<y>\d{{1,5}}[A-Za-z]? (?:{_NAME} ){{1,3}}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Close|Court|Way|Blvd|Crescent|Terrace)\b\.?)")),
    ("address", "[地址]", "[address]", re.compile(rf"(?:[Ll]iv(?:e|es|ing)|[Mm]oved|[Cc]omes?|[Gg]rew up|[Bb]ased) (?:in|at|on|near|to|from) (?P<x>(?:the )?{_NOBODY}[A-Z][\w']+(?:[ ,]+[A-Z][\w']+){{0,4}})")),
    ("address", "[地址]", "[address]", re.compile(r"(?P<x>\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b)")),
    ("school", "[学校]", "[school]", re.compile(rf"(?P<x>(?:(?!{_NO_PART}){_HAN}){{2,10}}(?:幼儿园|幼稚园|小学|托育园|托儿所|早教中心|康复中心|干预中心|特教学校|学校|医院|保健院))")),
    ("school", "[学校]", "[school]", re.compile(r"(?P<x>(?:(?!The |My |Our |His |Her |A )\b[A-Z][\w'’.]{1,30} ){1,4}(?:Kindergarten|Preschool|Pre-?[Ss]chool|Nursery|School|Primary|Elementary|Daycare|Montessori|Academy|Hospital|Clinic|Children's Cent(?:er|re)|kindergarten|preschool|nursery|elementary|daycare))")),
    ("class", "[班级]", "[class]", re.compile(r"(?P<x>[小中大托学][一二三四五六七八\d]\s?班|[一二三四五六]年级?[\(（]?[一二三四五六七八九\d]{1,2}[\)）]?班)")),
    ("class", "[班级]", "[class]", re.compile(r"\b(?P<x>(?:Class|Room|Grade|Year) \d\w?(?:-?\d\w?)?)\b")),
    ("title", "某", "[name]", re.compile(rf"(?P<x>小?(?!(?<=主)任)(?!周[末日一二三四五六])[{SURNAMES}](?:(?!上|来|在|的|是|说|和|跟|请|让|路|车|戏|叔|阿|老|医|爷|奶|先|女){_HAN}){{0,2}}?)(?={_TITLE})")),
    ("title", "某", "[name]", re.compile(rf"\b(?:Ms|Mrs|Mr|Miss|Dr|Teacher|Auntie|Aunt|Aunty|Uncle|Coach|Nanny|Granny|Grandma|Grandpa|Nana|Doctor|Therapist|Prof)\.? (?P<x>(?!Seuss|Dolittle|Who\b){_NOBODY}{_NAME}(?: {_NAME})?)")),
    ("name", "[名字]", "[name]", re.compile(rf"(?:名叫|名字是|名字叫|叫做|小名叫?|小名是|大名叫?|大名是|昵称叫?|昵称是|姓名[:：]?|乳名叫?|英文名叫?|英文名是|(?:{_CHILD}|他|她)叫)\s?[“\"'「]?(?P<x>(?![我你他她它]|了|得|着|不|出|起|一){_HAN}{{2,4}}?(?=[”\"'」，。,.\s!！?？、（(:]|今年|喜欢|很|最|也|是|在|了|和|的|一|不|就|三|四|五|\d|$)|{_NAME})")),
    ("name", "[名字]", "[name]", re.compile(rf"(?:我(?:家|的)?|我们家?)(?:的)?(?:{_CHILD})(?P<x>({_HAN})\2|[小阿]{_HAN}(?=喜|很|今|最|不|在)|{_NAME})")),
    ("name", "[名字]", "[name]", re.compile(rf"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (?:\w+[- ])?(?:son|daughter|boy|girl|child|kid|baby|toddler|nephew|niece|brother|sister|cousin|friend|twin|classmate|grandson|granddaughter|husband|wife|therapist|teacher|nanny|dog|cat)(?:,| is| named| called| is named| is called|'s name is)?,? (?P<x>{_NOBODY}{_NAME}(?: {_NAME})?)")),
    ("name", "[名字]", "[name]", re.compile(rf"\b(?:named|called|nicknamed|name is|name's|name:|goes by|known as|nickname is) [\"“']?(?P<x>{_NOBODY}{_NAME}(?: {_NAME})?)")),
)  # fmt: skip
_SCHOOL_END = re.compile(r"(?:幼儿园|幼稚园|小学|托育园|托儿所|早教中心|康复中心|干预中心|特教学校|学校|医院|保健院)$")


def traits(plain: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end and the Chinese and English stand-in of each; they may overlap."""
    for kind, chinese, english, rule in _RULES:
        for hit in rule.finditer(plain):
            for group in ("x", "y"):
                if group not in rule.groupindex or hit[group] is None:
                    continue
                words = hit[group]
                if kind == "school" and _SCHOOL_END.sub("", words) in _PLAIN_SCHOOLS:
                    continue
                if kind == "name" and words in _CALLED:
                    continue
                yield hit.start(group), hit.end(group), chinese, english
