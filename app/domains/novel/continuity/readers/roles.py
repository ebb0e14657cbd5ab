"""What a Chinese clause says of who somebody is: work, rank, school, class, sex, family, names of relatives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...reading.numerals import CHINESE, heading_number
from .looks import Reading
from .people import BLOOD, KIN, KIN_WORDS, People

_N = rf"[0-9]{{1,3}}|[{CHINESE}]{{1,3}}"
_SAME_WORK = {
    "大夫": "医生", "郎中": "医生", "教师": "老师", "先生": "老师", "教书匠": "老师", "刑警": "警察", "民警": "警察",
    "捕头": "捕快",
}  # fmt: skip
WORKS = (
    "医生|护士|老师|教师|教书匠|律师|记者|警察|刑警|民警|厨师|厨子|司机|工程师|程序员|飞行员|宇航员|地质学家|"
    "会计|裁缝|铁匠|木匠|石匠|泥瓦匠|瓦匠|银匠|"
    "猎人|猎户|渔夫|渔民|郎中|大夫|镖师|捕快|捕头|秀才|书生|举人|和尚|道士|尼姑|画家|歌手|演员|作家|法医|侦探|"
    "军人|士兵|将军|商人|掌柜|船长|水手|教授|"
    "学生|药剂师|机械师|农民|佃户|屠夫|屠户|货郎|樵夫|琴师|乐师|舞女|戏子|账房|翻译|编辑|诗人|建筑师|消防员|保安|"
    "快递员|邮差|邮递员|钢琴家|"
    "科学家|物理学家|化学家|生物学家|考古学家|牧师|神父|法官|检察官|外交官|间谍|杀手|刺客|乞丐|矿工|电工|焊工|"
    "理发师|修鞋匠|鞋匠|花匠|园丁|摄影师|导演|模特"
)
_WORK_BEFORE = re.compile(
    "不是|曾|以前|从前|想|要|像|原来|本来|打算|将来|长大|扮|装|冒充|假|如果|恨不得|比|当成|看作|以为|叫做|学着"
)
_WORK = re.compile(
    rf"(?:(?:是|当|做|身为|作为|干)(?:了|着|过)?|以)(?:一|这|那|本|半辈子|一辈子|多年|{_N}年){{0,2}}(?:的)?(?:个|"
    rf"名|位|里|站里|村里|镇上|城里|县里|店里|船上|"
    rf"队里|院里|学校|公司|有名的?|出色的?|老|小|普通|"
    rf"穷){{0,3}}的?[一-鿿]{{0,6}}?(?P<v>{WORKS})(?=[，。；、！？的]|出身|为业|$)"
    rf"|^[\u3000 ]*(?P<w>铁匠|木匠|裁缝|石匠|屠夫|法医|律师|侦探|琴师|镖师|捕快|道士|记者|教授|船长|猎户|渔夫|"
    rf"秀才)(?=[一-鿿]{{2,3}})"
)
_TRADES = (
    (
        re.compile(
            "教了?.{0,5}(?:书|数学|语文|英语|历史|物理|化学|音乐|美术)|在.{0,6}(?:学校|中学|小学|大学|学堂|"
            "书院)(?:里)?教"
        ),
        "老师",
    ),
    (re.compile("行了?.{0,4}医(?!院)"), "医生"),
    (re.compile("打了?.{0,4}铁(?=[，。的]|$)"), "铁匠"),
    (re.compile("种了?.{0,5}地(?=[，。的]|$)|务农"), "农民"),
    (re.compile("打了?.{0,5}鱼(?=[，。的]|$)|以打鱼为生"), "渔夫"),
    (re.compile("开了?.{0,5}出租"), "司机"),
    (re.compile("走了?.{0,5}镖"), "镖师"),
    (re.compile("是(?:个)?教书的"), "老师"),
    (re.compile("是(?:个)?打铁的"), "铁匠"),
    (re.compile("是(?:个)?(?:开车|开出租|跑车)的"), "司机"),
    (re.compile("是(?:个)?种(?:地|田|庄稼)的"), "农民"),
    (re.compile("是(?:个)?(?:打鱼|捕鱼)的"), "渔夫"),
    (re.compile("是(?:个)?(?:看病|行医)的"), "医生"),
    (re.compile("是(?:个)?(?:唱戏)的|唱了?.{0,5}戏(?=[，。的]|$)"), "戏子"),
    (re.compile("是(?:个)?(?:杀猪|卖肉)的"), "屠夫"),
)
_OPEN_WORK = re.compile(
    rf"(?:是|当|做|干)(?:了|过)?(?:一|这|那|本|半辈子|一辈子|多年|{_N}年){{0,2}}(?:的)?(?:个|名|位)?[一-鿿]{{0,4}}?"
    "(?P<v>[一-鿿]{1,2}(?:员(?!外)|师(?![父傅兄弟姐妹])|匠|贩子?))(?=[，。；、！]|$)"
    "|是(?:个)?(?P<w>[卖修弹箍补磨剃算跑放养看守][一-鿿]{1,3})的(?=[，。；]|$)"
    rf"|(?P<x>箍桶|弹棉花|磨刀|剃头|补锅|修表|修鞋|算命|放羊|放牛|养蜂|卖菜|卖鱼|卖布)[^，。]{{0,2}}(?:{_N}年|"
    rf"一辈子|半辈子)"
)
_RANKS = (
    "知县|县令|知府|巡抚|总督|御史|尚书|侍郎|丞相|宰相|太守|刺史|千户|百户|都督|县丞|主簿|总兵|参将|游击|把总",
    "少尉|中尉|上尉|少校|中校|上校|大校|少将|中将|上将|下士|中士|上士|列兵",
    "高一|高二|高三|初一|初二|初三|大一|大二|大三|大四|研一|研二",
)
_RANK_NAMES = ("官职", "军衔", "年级")
_RANK = tuple(
    re.compile(
        rf"(?:官居|官拜|官至|任|是|做了?|当了?|念|读|上|在|才|刚|升|时任|现任|"
        rf"身为)[一-鿿]{{0,5}}?(?P<v>{words})(?!来|去|那年|的时候|时)"
               rf"|^[\u3000 ]*(?P<w>{words})(?=[一-鿿]{{2,3}})")
    for words in _RANKS
)  # fmt: skip
_SCHOOL = re.compile(
    "(?:是|身为|原是|本是)(?P<v>[一-鿿]{2})(?:派|门|山|寺|帮|教|宫|谷)?的?(?:弟子|门下|传人|门人|嫡传|高徒)|"
    "(?:出身|师承|师从|拜在|拜入|出自)(?P<w>[一-鿿]{2})(?:派|门|山|寺|帮|教|宫|谷)?(?=[，。；]|弟子|门下|$)"
)
_NO_SCHOOL = frozenset(
    "名门 贫寒 世家 农家 豪门 寒门 行伍 富贵 书香 官宦 此处 他的 她的 我的 一个 这个 那个 入室 关门 得意".split()
)
_SEX = (
    (
        re.compile(
            "(?<!不)是[^，。找跟]{0,8}(?:女性|女兵|女孩|妇人|老太太|丫头)(?=[，。！]|$)|女扮男装|女儿身|"
            "是个?女(?:人|子|孩|儿家|的)(?=[，。！]|$)"
        ),
        "女",
    ),
    (
        re.compile(
            "(?<!不)是[^，。找跟]{0,10}(?:男性|汉子|小伙子?|老头子?|爷们|男孩|后生)(?=[，。！]|$)|男儿身|"
            "男扮女装|是个?男(?:人|子|孩|的)(?=[，。！]|$)|堂堂男儿"
        ),
        "男",
    ),
)
_HOME = re.compile(
    "(?:老家|家乡|故乡|籍贯|祖籍)(?:就|原|本)?(?:在|是)(?P<v>[一-鿿]{2,3}?)(?=的|省|市|县|乡下|农村|，|。|人|$)|"
    "(?:是|本是|原是|乃|算是)(?P<w>四川|山东|山西|河南|河北|湖南|湖北|江苏|浙江|福建|广东|广西|云南|贵州|陕西|"
    "甘肃|东北|江西|安徽|北京|上海|天津|重庆|海南|"
    "西藏|新疆|青海|宁夏|内蒙|辽宁|吉林|黑龙江|香港|台湾|澳门|杭州|苏州|扬州|成都|广州|南京|西安|洛阳|长安|绍兴|"
    "徽州|关外|江南|塞北|岭南|川西|湘西)(?:姑娘|汉子|人|妹子|小伙|老乡|娃)"
    "|(?:生在|生于|出生在|出生于|长在|来自)(?P<x>[一-鿿]{2,3}?)(?=的一|乡下|农村|，|。|$)"
    "|(?:是)?在(?P<z>[一-鿿]{2})的?[^，。]{0,8}?(?:出生|长大)的|土生土长的(?P<s>[一-鿿]{2,3}?)人|"
    "(?P<t>[一-鿿]{2})生[一-鿿]{2}长的?"
    "|(?<![的是在])(?:我们|咱们|咱)?(?P<u>[一-鿿]{2})老家(?=的|，|。|那|有)"
    "|(?:从小|打小|自小|自幼)(?:就|一直)?(?:在|生在)(?P<y>[一-鿿]{2}?)(?:城|市|县|的|乡下)?[^，。]{0,4}?(?:长大|里长)"
)
_CALLED = re.compile(
    r"(?:名叫|名字叫|叫做|叫作|取名叫?|起名叫?|唤作|名唤|单名|叫|名)(?P<v>[一-鿿]{1,4}?)(?=[，。；！、”]|的|$)"
)
_SURNAMED = re.compile("(?:本|原|娘家)?姓(?P<v>[一-鿿])(?=[，。；名]|$)")
_WHO_IS = re.compile(
    "(?:师父|恩师|父亲|母亲|丈夫|妻子|未婚夫|未婚妻)(?:就|便|正|乃)?是(?P<v>[一-鿿]{2,5})(?=[，。；]|$)"
)
_STYLED = re.compile("^[\u3000 ]*字(?P<v>[一-鿿]{2})$")
_SHOP = re.compile(
    "(?P<x>店|铺子|铺|医馆|药铺|茶馆|酒楼|客栈|书店|武馆|镖局|公司|餐馆|饭馆|面馆|诊所|酒吧|船|狗|猫|马)(?:名|就|"
    "便|名字)?(?:叫做?|唤作|名为|名叫)(?P<v>[一-鿿]{2,5}?)(?=[，。；！、]|$)"
)
_ONLY_CHILD = re.compile(
    "(?:只(?:有|生了?|养了?|得了?)|膝下(?:只)?有|独独(?:有|生了))一个(?:亲生)?(?P<kin>女儿|儿子|闺女)"
)
_BOTH = re.compile("一儿一女|儿女双全|[一两三四五]儿[一两三四五]女")
_CHILDLESS = re.compile("无儿无女|没儿没女|(?:没有|无|没)(?:儿女|子女|孩子|子嗣|后人)|膝下(?:无|空|没)")
_SONS = re.compile("(?:大|二|三|小|长|次|亲生)?(?P<kin>儿子|女儿|闺女)")
_COUNT = re.compile(
    rf"(?:有|带了|收了|生了|养了|育有|共有|一共|只有|膝下有)(?P<n>{_N})个(?:亲|小|大)?(?P<kin>儿子|女儿|闺女|孩子|"
    rf"兄弟|姐妹|哥哥|姐姐|弟弟|妹妹|徒弟|弟子|妻子|老婆|媳妇)"
    rf"|的(?P<n2>{_N})个(?:亲|小|大)?(?P<kin2>儿子|女儿|闺女|孩子|兄弟|姐妹|哥哥|姐姐|弟弟|妹妹|徒弟|弟子)"
)
_OF_KIN = re.compile(
    rf"(?:是|乃|就是|便是|原是)(?P<of>[一-鿿]{{1,4}}?)的(?:亲|同胞|孪生|双胞胎|小|"
    rf"大)?(?P<kin>{KIN_WORDS})(?=[，。；！]|$)"
)
_RELATIONS = frozenset("哥哥 弟弟 姐姐 妹妹 儿子 女儿 父亲 母亲".split())


_ANY_ROLE = re.compile(
    "[是当做为干以教行打种开走官任念读在升拜师老家乡生来子男女身才刚铁木裁石屠法律侦琴镖捕道记船猎渔秀知县太守尉校将士校高初大研]"
)


def works(clause: str) -> Iterator[Reading]:
    if _ANY_ROLE.search(clause) is None:
        return
    if (match := _WORK.search(clause)) is not None and not _WORK_BEFORE.search(clause[: match.end()]):
        word = match["v"] or match["w"]
        at = match.start() if match["v"] else -match.end()
        yield Reading(at, "职业", _SAME_WORK.get(word, word), not match["v"])
    else:
        if (match := _OPEN_WORK.search(clause)) is not None and not _WORK_BEFORE.search(clause[: match.end()]):
            yield Reading(match.start(), "职业", match["v"] or match["w"] or match["x"], True)
        for form, work in _TRADES:
            if (trade := form.search(clause)) is not None and not _WORK_BEFORE.search(clause):
                yield Reading(trade.start(), "职业", work, True)
                break
    for name, form in zip(_RANK_NAMES, _RANK, strict=True):
        if (match := form.search(clause)) is not None and not _WORK_BEFORE.search(clause[: match.end()]):
            yield Reading(match.start() if match["v"] else -match.end(), name, match["v"] or match["w"], name != "年级")
    if (match := _SCHOOL.search(clause)) is not None:
        school = match["v"] or match["w"]
        if school not in _NO_SCHOOL and not _WORK_BEFORE.search(clause[: match.start()]):
            yield Reading(match.start(), "门派", school)
    for form, sex in _SEX:
        if (match := form.search(clause)) is not None:
            yield Reading(match.start(), "性别", sex)
    if (match := _HOME.search(clause)) is not None and not _WORK_BEFORE.search(clause[: match.start()]):
        named = match["v"] or match["w"] or match["x"]
        supposed = match["y"] or match["z"] or match["s"] or match["t"] or match["u"]
        yield Reading(match.start(), "出生地", named or supposed, not named)


_ANY_NAME = re.compile("[姓叫名唤字是]")


def names(clause: str) -> Iterator[Reading]:
    """Of relatives and of what somebody keeps; the owner is looked up behind the word for them."""
    if _ANY_NAME.search(clause) is None:
        return
    if (match := _SURNAMED.search(clause)) is not None:
        yield Reading(match.start(), "姓", match["v"])
    if (match := _CALLED.search(clause)) is not None:
        yield Reading(match.start(), "名字", match["v"])
    if (
        (match := _WHO_IS.search(clause)) is not None
        and match["v"] not in ("一个", "谁")
        and not re.search(WORKS, match["v"])
    ):
        yield Reading(match.start("v"), "是谁", match["v"], True)
    if (match := _STYLED.search(clause)) is not None:
        yield Reading(match.start(), "字", match["v"])
    if (match := _SHOP.search(clause)) is not None:
        yield Reading(match.start(), f"{match['x']}的名字", match["v"])


def family(clause: str, people: People) -> Iterator[tuple[str, Reading]]:
    """With the name whose it is where the clause itself says so, else ""."""
    if (match := _CHILDLESS.search(clause)) is not None:
        yield "", Reading(match.start(), "有儿子", "无")
        yield "", Reading(match.start(), "有女儿", "无")
    if (match := _ONLY_CHILD.search(clause)) is not None:
        other = "儿子" if match["kin"] != "儿子" else "女儿"
        yield "", Reading(match.start(), f"有{other}", "无")
        yield "", Reading(match.start(), f"{KIN[match['kin']]}的数目", "1")
    for match in _COUNT.finditer(clause):
        number = heading_number(match["n"] or match["n2"])
        kin = match["kin"] or match["kin2"]
        if number is not None:
            yield "", Reading(match.start(), f"{KIN.get(kin, kin)}的数目", str(number))
            if number and re.search("[兄弟姐妹哥]", kin):
                yield "", Reading(match.start(), "有兄弟姐妹", "有")
    if (match := _BOTH.search(clause)) is not None:
        yield "", Reading(match.start(), "有子女", "有")
    if (match := _OF_KIN.search(clause)) is not None and match["of"] in people.names:
        kin = KIN[match["kin"]]
        if kin in BLOOD:
            yield "", Reading(match.start(), f"与{people.names[match['of']]}的关系", kin)
    for match in _SONS.finditer(clause):
        if re.search("没有?|无|干|养|义|不是|要是|未来|将来", clause[max(0, match.start() - 4) : match.start()]):
            continue
        if clause[: match.start()].endswith(("的", "自己")) or match["kin"] != match[0]:
            yield "", Reading(match.start(), f"有{KIN[match['kin']]}", "有")
