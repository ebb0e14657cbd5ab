"""Who is recognised though no profile names them: names by their letters and by what stands around them, conditions.

What is said of a child before there is a profile leaves like everything else. A name is recognised by a surname with
letters of given names, by a word for a relative beside it, by being called so; a common English name by itself.
"""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache

from app.core.resources import domain_dir

from .chinese import SURNAMES

FILE = "given_names.toml"
CONDITIONS: tuple[tuple[str, str], ...] = (
    # What a profile's diagnosis says of it, and how else it is called.
    ("自闭|孤独症|谱系|asd|autis|asperger|阿斯", r"(?:儿童)?(?:自闭|孤独)症?(?:谱系)?(?:障碍)?|谱系(?:障碍|孩子|儿童|娃)?|(?:来自)?星星的(?:孩子|宝贝|你)|星宝|阿斯(?:伯格|伯格症|娃)?(?=[，,。、！？\s]|$|娃|的|孩子|儿童|综合|宝宝|特|很|爱)|阿斯伯格(?:综合[征症])?|(?:高|低)功能(?:自闭|孤独)?症?(?=[，,。、！？\s]|$|的|娃|孩子|儿童)|(?<![A-Za-z])ASD(?![A-Za-z])|(?<![A-Za-z])PDD(?:-?NOS)?(?![A-Za-z])|广泛性发育障碍|\bautis\w+|\baspergers?\w*(?:'s)?|\b(?:on|off) the spectrum\b|\bneuro-?diver\w+"),
    ("多动|adhd|attention", r"(?:小儿|儿童)?多动症?|注意力(?:缺陷|缺失)\w{0,4}|(?<![A-Za-z])AD/?HD(?![A-Za-z])|(?<![A-Za-z])(?-i:ADD)(?![A-Za-z])|attention deficit\w*(?:[ /-]hyperactivity)?(?: disorder)?"),
    ("唐氏|down", r"唐氏(?:综合[征症]|儿|宝宝(?=有|是|的))?|唐宝|21[- ]?三体|\bDown'?s? syndrome|\btrisomy ?21"),
    ("脑瘫|cerebral", r"脑(?:性瘫痪|性麻痹|瘫)|\bcerebral palsy"),
    ("迟缓|落后|delay", r"(?:全面性?|整体|精神|运动|语言|言语|智力)?(?:发育|语言|运动|言语|智力)(?:发育)?(?:迟缓|落后|延迟|迟滞)|(?:\b(?:global|developmental|development|speech|language|motor|cognitive)(?: and |/| )?)+delays?|(?<![A-Za-z])(?-i:GDD)(?![A-Za-z])|\bspeech[- ]delayed\b"),
    ("感统|sensory processing|spd", r"感统(?:失调|障碍)|感觉(?:统合|处理)(?:失调|障碍)|\bsensory (?:processing|integration) \w+|(?<![A-Za-z])(?-i:SPD)(?![A-Za-z])"),
    ("抽动|tourette|tic", r"抽动(?:秽语)?(?:症|综合[征症])?|\btourette\w*(?:'s)?(?: syndrome)?|\btic disorder"),
    ("听力|hearing|听障|耳聋", r"听障|听力(?:障碍|损失|残疾)|耳聋|失聪|人工耳蜗|\bhearing (?:loss|impair\w+)|\bdeaf\b|\bcochlear implants?"),
    ("", r"(?:社交|沟通|交流|语言|言语|语用|智力|智能|学习|阅读|书写|发育|情绪|行为|感觉|运动协调|视力|依恋|品行){1,3}(?:性|发育)?(?:障碍|缺陷|残疾)症?|智障|弱智|低智|脆性\s?[Xx]\w{0,3}|天使综合[征症]|\w{2,4}综合[征症]|雷特\w{0,3}|结节性硬化\w?|小胖威利|腭裂|唇腭裂|选择性缄默症?|对立违抗\w{0,3}|强迫症|焦虑症|抑郁症|特殊儿童|特需儿童|(?:一|二|三|四)级残疾"),
    ("", r"\bfragile[- ]?x\b(?: syndrome)?|\b(?:Rett|Angelman|Williams|Prader[- ]Willi|DiGeorge|Turner|Noonan|Kabuki|Usher|Dravet|Landau[- ]Kleffner)\b(?:'s)?(?: syndrome)?|\b\w{3,24}(?:'s)? syndrome\b|\b(?!no\b|any\b|a\b|the\b)\w{3,24} disorder\b|\b(?:intellectual|learning) disabilit\w+|\bdys(?:lexi|praxi|calculi|graphi)\w+|\bapraxia\w*|\bselective(?:ly)? mut\w+|\bspina bifida|\bcleft (?:palate|lip)|(?<![A-Za-z])(?-i:ODD|OCD|FASD|PANDAS)(?![A-Za-z])|\bmicrocephal\w+|\bhydrocephal\w+|\bspecial[- ]needs\b"),
)  # fmt: skip
_KIN = (
    "儿子|女儿|闺女|孩子|宝宝|宝贝|小朋友|小家伙|小宝贝|小宝|娃娃?|老大|老二|老三|大宝|二宝|三宝|哥哥|姐姐|弟弟|妹妹|双胞胎|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹|侄子|侄女|外甥女?|孙子|孙女|"
    "外婆|外公|姥姥|姥爷|奶奶|爷爷|姑姑|姑妈|姨妈|小姨|阿姨|舅舅|舅妈|叔叔|婶婶|伯伯|爸爸|妈妈|保姆|月嫂|育儿嫂|同学|同桌|朋友|小伙伴|邻居|治疗师|康复师|训练师|督导|老师|医生|教练"
)
_OURS = "我家|我们家|咱家|家里的?|我们"
_GOES_ON = r"(?=喜欢|最近|今年|今天|昨天|前天|明天|现在|特别|总是|总|老是|老爱|老|很|太|不|没|在|和|跟|也|就|还|会|能|说|看|玩|吃|爱|怕|讨厌|已经|第一次|最|每天|每|只|抢|来|去|给|把|被|用|有|是|要|想|学|上|刚|快|又|带|陪|一直|一起|一个|一|两岁|三岁|四岁|五岁|六岁|[零〇一二两三四五六七八九十\d]+(?:岁|个月)|[，,。.、！!？?：:；;）)\s”’」]|的?(?:妈妈|爸爸|奶奶|爷爷|外婆|姥姥|姐姐|哥哥|弟弟|妹妹)|$)"
_CITIES = (
    "北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|青岛|大连|宁波|厦门|福州|济南|合肥|沈阳|哈尔滨|长春|昆明|南昌|南宁|贵阳|太原|石家庄|兰州|乌鲁木齐|"
    "呼和浩特|海口|三亚|银川|西宁|拉萨|无锡|常州|温州|佛山|东莞|珠海|中山|惠州|泉州|烟台|徐州|南通|绍兴|嘉兴|台州|金华|扬州|洛阳|桂林|香港|澳门|台北"
)
# A letter said twice that is a word of small children or of everybody.
_DOUBLES = frozenset(
    "妈爸爷奶姥哥姐弟妹宝谢慢天常刚渐往偏轻悄静默偷匆人个年月日时处样件多少大小好早远高红白黑绿蓝黄甜香看试说听玩摸抱亲拍走跑跳想聊问找转摇滚推拉敲碰笑睡吃喝等停动呜哈嘻嘿喵汪哗砰咚叮嘀呼咕嘎啦呀吧太叔伯婶舅姑姨公婆娃星猩蛐泡圈车饭觉花草狗猫兔熊鸟鱼羊手脚水帽鞋本棒乖仅明万统频整足通连一两三爽"
    "聚藏躲爬扔接递吹画唱读写数搭堆拆装开关坐站躺蹲歪扭挠痒晃荡飞游喂盖揉捏压挤滴答沙丝层片块条排堆团点满空深浅长短快粗细胖瘦软硬冷热暖凉干湿重噜哼唔嗯哦噢哎唉咿哇叽啾咩哞吼呱啪噗嗒咔嚓咣当铃铛隆轰突吱扑哧渣步次回句声家户张"
)
_BEFORE_A_DOUBLE = re.compile(
    rf"(?:(?:{_KIN})(?:家的?|的)?|{_OURS}|小名叫?|大名叫?|乳名叫?|昵称叫?|叫做?|名字[叫是]?|是|和|跟|与|、|给|带|陪|抱着|(?:^|[，,。！!？?；;：:\s]))\s?$"
)
_AFTER_A_DOUBLE = re.compile(
    r"(?:的?(?:妈妈?|爸爸?|奶奶|爷爷|外婆|姥姥|麻麻|粑粑|家|姐姐|哥哥|弟弟|妹妹)|今天|昨天|今年|最近|现在|[零〇一二两三四五六七八九十\d]+岁|喜欢|特别|很|第一次|[和跟]|会|不|在|只|总|老|也|又|说|哭|笑)"
)
_NOT_LATIN_NAMES = frozenset("lego duplo mom mum dad english chinese god siri alexa".split())


def conditions() -> Iterator[re.Pattern[str]]:
    yield from _conditions()


@cache
def _conditions() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words, re.IGNORECASE) for _keys, words in CONDITIONS)


@cache
def _data() -> tuple[str, frozenset[str], frozenset[str]]:
    with (domain_dir("play") / "data" / FILE).open("rb") as file:
        rows = tomllib.load(file)
    return rows["han"], frozenset(rows["han_words"].split()), frozenset(rows["latin"].split()) - _NOT_LATIN_NAMES


@cache
def _rules() -> tuple[tuple[str, re.Pattern[str]], ...]:
    han, _words, _latin = _data()
    name_sign = f"[{han}]"
    name = r"[A-Z][a-z]{1,14}(?:-[A-Z][a-z]+)?"
    return (
        ("full", re.compile(rf"(?P<x>(?:欧阳|上官|司马|诸葛|[{SURNAMES}]){name_sign}{{2}})(?!{name_sign}{{2}})")),
        ("full", re.compile(rf"(?:我叫|我是|本人|妈妈叫|爸爸叫|叫|名叫|是|{_KIN})(?P<x>[{SURNAMES}]{name_sign})(?=[，,。.、！!？?\s]|$|的(?:妈|爸))")),
        ("kin", re.compile(rf"(?:老师|医生|教练|治疗师|保姆|阿姨|叔叔|邻居)(?P<x>[{SURNAMES}]{name_sign})(?=让|叫|教|建议|夸|发|给|来|打|带|陪|{_GOES_ON[3:]}")),
        ("kin", re.compile(rf"(?:和|跟|与|、)(?P<x>{name_sign}{{2}})(?=一起|吵|抢|打|手拉手|轮流|分享|来|都|也)")),
        ("kin", re.compile(rf"(?:{_KIN}|{_OURS})(?:小名|大名|乳名|昵称)?(?:叫做?|是)?(?P<x>{name_sign}{{2}}){_GOES_ON}")),
        ("called", re.compile(r"(?:小名|大名|乳名|昵称|名字|中文名|外号|绰号)(?:叫做?|是|为|：|:)?\s?[“\"'「]?(?P<x>[\u4e00-\u9fff]{2,4}?)(?=[，,。.、！!？?；;\s”\"'」]|大名|小名|今年|现在|喜欢|很|特别|最|也|$|[\d一二两三四五六七八九十]+岁)")),
        ("small", re.compile(rf"(?:{_KIN}|{_OURS})(?:叫做?)?(?P<x>[小大阿][\u4e00-\u9fff])(?=喜欢|很|今|最|不|在|特|给|说|老|来|带|怕|爱|总|已|每|会|也|就|和|跟|的|教|让|陪|夸|建议|[，,。！!？?]|$)")),
        ("kin", re.compile(rf"(?:^|[，,。！!？?；;：:\s]|[跟和请找])(?P<x>(?!{_KIN}|今|昨|明|晚|早|周末|后来|刚才|于是|然后|一起|大家|可是|但是|因为|所以|小[熊猫狗鸭兔猪]|动物|熊|兔|鸭|猫|狗)[\u4e00-\u9fff]{{2}})(?=[妈爸]{{1,2}}(?:约|推荐|送来|发来|问|说|家))")),
        ("number", re.compile(r"(?:病历号?|住院号|门诊号|就诊卡?号?|医保号|学籍号|学号|编号|\b(?:patient|record|case|file|policy|insurance) (?:no\.?|number))(?:是|is)?\s?[:：]?\s?(?P<x>[A-Za-z]{0,3}-?\d[\dA-Za-z-]{3,})", re.IGNORECASE)),
        ("number", re.compile(r"\b(?:reg(?:istration)?|number|licen[cs]e) plate(?: is|:)?\s?(?P<x>[A-Z0-9]{2,4}[ -]?[A-Z0-9]{2,4})\b")),
        ("short", re.compile(rf"(?:^|[，,。！!？?；;\s的和跟请让是家]|保姆|阿姨|月嫂|育儿嫂|邻居)(?P<x>[{SURNAMES}])(?=(?:姐|哥|姨|叔|嫂|婶)(?!姐|哥|姨|叔|嫂|婶))")),
        ("latin", re.compile(rf"(?:{_KIN}|{_OURS}|叫|英文名(?:叫|是)?|名字(?:叫|是)?)\s?(?P<x>{name})")),
        ("institute", re.compile(r"(?:在|去|到|送(?:他|她|孩子)?[去到]?)(?P<x>(?!家|客厅|卧室|楼|外面|公园|地|床|这|那|床上|学校|幼儿园|机构|医院|小区)[\u4e00-\u9fffA-Za-z]{2,10}?)(?=上(?:小班|中班|大班|托班|学前班|学|课|早教|幼儿园)|做(?:干预|康复|训练|语训|感统|评估|治疗)|(?:读|念)(?:小班|中班|大班|书|一|二)|复诊|复查|看诊)")),
        ("institute", re.compile(r"(?P<x>(?:(?!在|去|到|读|上|念|送|的|是|了)[\u4e00-\u9fff]){1,8}(?:[一二三四五六七八九十]小|附小|附幼|[一二三四五六七八九十]幼|机关幼儿园|[一二三四五六]院|儿研所|妇幼|妇幼保健院|儿童医院|儿保|附一|附二|医大))(?![\u4e00-\u9fff]?学)")),
        ("home", re.compile(r"(?:(?:^|[，,。.！!？?；;、\s]|我们|我家?|他们?|她们?|现在|一家|全家|家)住(?:在|的是)?|老家在?|搬到了?)(?P<x>[\u4e00-\u9fff]{1,12}(?:区|镇|乡|路|街|道|巷|弄|园|苑|村|庄|庭|府|城|湾|小区|公寓|花园|家园|新村|县|市|省|期)(?:\d{1,4}(?:号楼?|栋|幢|座|弄|期))*(?:\d{1,2}单元)?(?:\d{3,4}室?)?)(?=[，,。.、！!？?；;\s的]|$)")),
        ("birth", re.compile(r"(?P<x>(?:19|20)\d\d\s?[年./-]\s?\d{1,2}(?:\s?[月./-]\s?\d{1,2})?\s?[日号月]?)(?=生[的人]?|出世|降生)")),
        ("said", re.compile(rf"\b(?:[Cc]all(?:s|ed)? (?:him|her)|[Aa]nswers to|[Kk]nown as) (?P<x>{name})\b")),
        ("visited", re.compile(rf"(?:去|回|到|在|从|来自|飞|飞往|住|搬到)了?(?P<x>{_CITIES})(?=[，,。.、！!？?\s看玩住来旅的出]|$)")),
        ("said", re.compile(rf"\b(?:[Tt]his is|[Mm]eet|I'm|I am|[Mm]y name is|[Hh]er name is|[Hh]is name is|[Ll]ittle|[Bb]aby) (?P<x>{name})\b(?! (?:the|a|an|years?|old)\b)")),
        ("said", re.compile(rf"\b(?:[Gg]randma|[Gg]randpa|[Gg]randad|[Gg]ranny|[Nn]an(?:a|ny)?|[Aa]untie?|[Aa]unty|[Uu]ncle|[Cc]oach|[Tt]herapist|[Tt]eacher|[Ss]ister|[Bb]rother|[Cc]ousin|[Ff]riend(?: is)?) (?P<x>{name}(?: {name})?)")),
        ("place", re.compile(rf"\b(?:from|in|near|outside|around) (?P<x>{name}(?: {name})?, (?:{name}(?: {name})?|[A-Z]{{2}})\b)")),
        ("institute", re.compile(rf"\b(?:[Aa]ttends?|[Aa]ttending|[Gg]oes to|[Ee]nrolled (?:at|in)|[Ss]tarted at|[Pp]icked? (?:him|her) up from|[Dd]rop(?:ped|s)? (?:him|her) (?:off )?at|[Tt]herapy at|[Aa]t) (?P<x>(?:St\.? )?{name}(?:'s)?(?: (?:{name}(?:'s)?|of|the|and|&))*(?: {name}(?:'s)?)|St\.? {name}(?:'s)?)")),
        ("institute", re.compile(rf"\b(?:[Aa]ttends?|[Aa]ttending|[Ee]nrolled (?:at|in)) (?P<x>{name}(?:'s)?)")),
    )  # fmt: skip


_STAND_INS = {
    "institute": ("[机构]", "[institution]"),
    "home": ("[地址]", "[address]"),
    "place": ("[地址]", "[address]"),
    "visited": ("[地址]", "[address]"),
    "birth": ("[出生日期]", "[date of birth]"),
    "short": ("某", "[name]"),
    "number": ("[号码]", "[number]"),
}
_NO_NAME = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December Lego Duplo Bear Pig Teddy Mum Mom Dad Mummy Mommy Daddy Home The A An Red Blue Green Yellow Time Night Day Mrs Mr Ms Miss Dr Paw Ball Car Train Christmas Easter".split()
)
_LATIN_WORD = re.compile(r"(?<![A-Za-z@._-])[A-Za-z][a-z]+(?:-[a-z]+)?(?![A-Za-z])")
_CALLED_BEFORE = re.compile(
    r"\b(?:my|our|his|her|little|baby|big) (?:\w+ )?(?:son|daughter|boy|girl|kid|child|toddler|brother|sister|friend|twin|cousin|baby)(?: is| called| named|,)? $|\b(?:named|called|name is|name's|this is|i'm|i am) $",
    re.IGNORECASE,
)


def unnamed(plain: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end and the Chinese and English stand-in of each; they may overlap."""
    _han, words, latin = _data()
    for kind, rule in _rules():
        chinese, english = _STAND_INS.get(kind, ("[名字]", "[name]"))
        for hit in rule.finditer(plain):
            name = hit["x"]
            if kind in ("full", "kin") and name[-2:] in words:
                continue
            if kind in ("said", "institute") and name.split()[0] in _NO_NAME:
                continue
            yield hit.start("x"), hit.end("x"), chinese, english
    for start, end in _doubles(plain):
        yield start, end, "[名字]", "[name]"
    for hit in _LATIN_WORD.finditer(plain):
        if hit[0].casefold() in latin and (hit[0][0].isupper() or _CALLED_BEFORE.search(plain[: hit.start()][-40:])):
            yield hit.start(), hit.end(), "[名字]", "[name]"


def _doubles(plain: str) -> Iterator[tuple[int, int]]:
    """轩轩, 朵朵: a letter said twice where a name stands."""
    for place in range(len(plain) - 1):
        one = plain[place]
        if one != plain[place + 1] or not "\u4e00" <= one <= "\u9fff" or one in _DOUBLES:
            continue
        if plain[place - 1 : place] == one or plain[place + 2 : place + 3] == one:
            continue
        before = _BEFORE_A_DOUBLE.search(plain[max(0, place - 12) : place])
        after = _AFTER_A_DOUBLE.match(plain, place + 2)
        if (
            before
            and (before[0].strip("，,。！!？?；;：: \n") or after)
            and (
                after
                or place + 2 == len(plain)
                or plain[place + 2] in "，,。、！!？?；;一抢要把给说"
                or before[0].strip()
            )
        ):
            yield place, place + 2
