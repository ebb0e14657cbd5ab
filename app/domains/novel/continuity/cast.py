"""Who is in a book that has no cards yet: names that stand where somebody acts or speaks, often enough for a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model.project import Book, Chapter, Character
from .introduced import familiar_names, standing_people
from .persons import ACTS, ADDRESSES, SPEAKS, SURNAMES
from .readers.people import KIN_WORDS
from .readers.roles import WORKS
from .sentences import masked

FEWEST = 3
"""Times a name stands in the book before it is taken for one."""
_NO_NAME = frozenset(
    "于是 从来 从前 而且 那么 那时 那人 高兴 高声 平时 方才 安静 时间 时候 连忙 全都 金色 白天 黄昏 水面 "
    "马上 车子 石头 何时 何必 何况 别人 别的 "
    "常常 明天 明明 和尚 武功 花香 雷声 雷雨 路上 路人 温柔 祖父 祖母 钱财 华丽 大家 众人 老板 老人 老师 "
    "老爷 老者 小心 小声 小孩 小姐 小时 小子 "
    "安然 安排 易容 应该 万一 元气 古人 向来 包括 包袱 席间 常年 成为 戴着 房间 房子 支持 文章 施主 查看 "
    "柏油 柳树 梅花 江上 江面 汤药 洪水 "
    "游客 满脸 满意 焦急 焦虑 牛车 甘心 田里 田野 白色 皮肤 盛夏 相信 相互 石阶 祝福 符合 管家 经过 经常 "
    "红色 终于 能够 花园 苏醒 英雄 莫名 "
    "融化 谷底 谷口 贝壳 贺喜 费力 车夫 车上 边上 通过 通常 道士 都是 金属 钟声 鱼儿 龙头 顾客 解释 强大 "
    "强烈 单独 双手 双眼 双方 后来 后面 "
    "公子 公主 全家 全身 冷笑 冷静 利用 劳累 卓越 国王 国家 堂上 多么 夜里 夏天 季节 宁静 安全 宫里 容易 "
    "密密 屈服 居然 尚未 左右 左手 "
    "巫师 干脆 平静 广场 康复 强盗 怀里 慕名 戚戚 房东 舒服 明白 时常 景色 曲子 曾经 木匠 权力 杜绝 松树 "
    "林中 林子 林间 柴火 桂花 梁上 水里 "
    "水手 汪洋 沙滩 沙发 海上 温暖 滑稽 火光 燕子 狄 班长 班主 甘甜 申请 百姓 盖子 盛开 童年 童子 竺 管事 "
    "粉 红 索性 经理 翁 耿直 艾草 范围 荣幸 "
    "荷花 萧瑟 葛布 蒋 蓝色 薄雾 蔡 虞 蛇 詹 诸位 谢谢 谈笑 谭 贾 路边 路过 辛苦 辛酸 连声 逄 邓 郎中 邻居 "
    "金光 关上 关门 阎王 阮 陆续 陶醉 隆重 "
    "雷电 雪白 青年 项链 顿时 顾虑 饶 马车 马匹 马背 高处 高大 魏 鲁莽 黄色 黄金 黎明 "
    "黑暗 齐声 龙王 段落 顾不得 东西 全不 始终 平日 并且 想要 明知 白塔 老实 虽然 谁知 "
    "越想 车轮 连头 骆驼 空气 空中 强盛 强迫 暴雨 暴露 暴力 惠风 成功 成绩 成长 成了 "
    "成千 支撑 支付 文件 文字 方法 方向 方才 方便 时代 时光 明显 明媚 明确 易碎 曲折 "
    "杜鹃 杨柳 杭州 松开 松手 松口 柏树 查找 查看 查出 柳条 桂树 梁柱 水声 水流 水壶 "
    "水缸 江水 汤碗 沙哑 沙子 沙土 洪亮 温和 温热 温度 游戏 湛蓝 焦黄 燕麦 牛肉 牛奶 "
    "甘蔗 田埂 申请 白发 白布 白菜 白酒 白雪 白昼 皮鞋 皮箱 皮带 盛大 盛情 盛满 相同 "
    "相识 石子 石板 石墙 石碑 祖先 祖宗 祝贺 秋风 秋天 秋雨 空地 空荡 童话 章程 筷子 "
    "管子 管理 粉笔 红木 红砖 红酒 红灯 经验 经历 经营 羊肉 羊皮 羊毛 老家 老远 老早 "
    "胡子 胡乱 胡同 舒坦 花朵 花瓶 花白 花生 苍白 苏州 茅屋 茅草 荆棘 荣耀 莫不 莫大 "
    "葛藤 蓝天 薄薄 虞美人 解决 解开 计划 计算 许久 许多 许是 谈话 谈论 谢天 谢绝 谷子 "
    "谷仓 贝类 贺礼 费用 赖在 赵家 路灯 路口 路面 车间 车票 车站 车厢 边缘 边走 连夜 "
    "连同 连着 那家 那边 郎君 都市 金币 金钱 金子 钟头 钟楼 钱包 钱袋 长久 长大 长廊 "
    "门帘 关系 关键 阴天 阴影 阴沉 陆地 陶罐 隆冬 雪花 雪地 雷雨 霍然 革命 鞠躬 韦编 "
    "项目 顺手 饶有 马路 马鞍 高度 高兴 高声 鱼网 鲜红 鲁班 黄昏 黄土 黎民 龙船 小鱼 "
    "小米 小路 小河 小楼 小院 小屋 小船 小手 小脸 小道 小镇 小店 小径 小桥 小刀 小鸟 "
    "小狗 小猫 老虎 老鼠 老式 老旧 老树 老友 老街 老屋 阿姨 阿婆 阿公".split()
)
_TITLES = (
    "班主|掌柜|队长|船长|班长|局长|科长|站长|村长|镇长|校长|探长|警官|医生|大夫|老师|教授|师父|师傅|师兄|师姐|"
    "师弟|师妹|"
    "将军|少爷|小姐|主任|经理|老板|护士|记者|律师|道长|长老|公子|姑娘|馆长|组长|连长|船医|侦探"
)
_NO_NAME_HOLDS = re.compile("[这那哪们个辆我他她你的吗呢吧怎么]|自己|[明今昨]天|可以|无论|.再$|^连")
"""What only looks like a name: 连自己, 车夫们, 明天再."""
_CHINESE = re.compile(
    rf"(?:^|[，。！？；：”」…\n\u3000 ])(?:{_TITLES})?(?P<v>(?:[{SURNAMES}][一-鿿]{{1,2}}?|[老小阿][一-鿿]))"
    rf"(?P<act>(?:[又也便就却还都正忽微慢轻缓低大高冷苦淡][一-鿿]{{0,2}})?(?:{ACTS}|{SPEAKS}))"
)
_TITLED = re.compile(
    rf"(?:^|[，。！？；：”」…\n\u3000 ])(?P<v>[{SURNAMES}]"
    "老?(?:先生|太太|太|伯|叔|婶|嫂|爷|婆婆|师傅|掌柜|大夫|老师|镖头|捕头|员外|夫人|爷子|大爷|大娘|姨|姑|道长|帮主|"
    "庄主|将军|大人))(?P<act>[^的，。！？])"
)
_LATIN = re.compile(
    r"\b(?P<v>(?:(?:Mr|Mrs|Ms|Dr|Sir|Lady|Captain|Inspector|Aunt|Uncle)\.? )?[A-Z][a-zà-ÿ]{2,}(?: "
    r"[A-Z][a-zà-ÿ]{2,})?)"
    r" (?P<act>(?:had |was |did )?(?:said|asked|looked|took|stood|walked|came|went|knelt|carried|put|sat|turned|"
    r"smiled|laughed|nodded|found|wrote|opened|held|ran|answered|jumped|folded|closed|stepped|gave|shook|waited|"
    r"[a-z]{3,}ed|was|had|did|rose|threw|kept|could|would))\b"
)
_FULL_LATIN = re.compile(
    r"(?!The |This |That |These |When |Then |Old |Young |Poor |Every |And |But |One |Two |All |No |On |In |At "
    r")[A-Z][a-z]+ [A-Z][a-z]+$"
)
_INSIDE = r"[a-z,;] {name}\b"
"""A name stands within sentences too, where no other word has a capital letter."""


def with_cast(book: Book, chapters: Sequence[Chapter]) -> Book:
    """The book with a card, of a name only, for everybody who has none and acts in it."""
    cast_names = [name for who in book.characters for name in who.names]
    acts: dict[str, Counter[str]] = {}
    whole: list[str] = []
    for chapter in chapters:
        text = masked(chapter.text)
        whole.append(text)
        for form in (_CHINESE, _TITLED, _LATIN):
            for match in form.finditer(text):
                acts.setdefault(match["v"], Counter())[match["act"]] += 1
    joined = "\n".join(whole)
    for name, deeds in _speakers(whole).items():
        acts.setdefault(name, Counter()).update(deeds)
    for name, deeds in _full_names(whole).items():
        acts.setdefault(name, Counter()).update(deeds)
    new_names: list[str] = []
    for name, deeds in sorted(acts.items(), key=lambda one: (-len(one[0]), one[0])):
        if (
            name in _NO_NAME
            or _NO_NAME_HOLDS.search(name)
            or any(name in one or one in name for one in (*cast_names, *new_names))
        ):
            continue
        if (
            name.isascii()
            and not _FULL_LATIN.match(name)
            and re.search(_INSIDE.format(name=re.escape(name)), joined) is None
        ):
            continue
        if _is_name_and_verb(name, joined):
            continue
        is_active = joined.count(name) >= FEWEST and (len(deeds) >= 2 or deeds.total() >= FEWEST)
        if is_active or _is_everywhere(name, whole):
            new_names.append(name)
    for name in standing_people(whole):
        if name not in _NO_NAME and not any(name in one or one in name for one in (*cast_names, *new_names)):
            new_names.append(name)
    people = [Character(name, _short_forms(name, new_names, joined)) for name in new_names]
    everybody = [*book.characters, *people]
    spoken = "\n".join(chapter.text for chapter in chapters)
    all_names = {name: who.name for who in everybody for name in who.names}
    return replace(book, characters=[_with_titles(who, everybody, all_names, spoken) for who in everybody])


_WITH_TITLE = re.compile(rf"(?:{_TITLES}|先生|太太|小姐|爷|伯|叔|婶|嫂|婆|姨|姑|头|哥|姐|妈|娘|爹|公|夫人|老师)$")


def _is_name_and_verb(name: str, text: str) -> bool:
    """祥子想 is 祥子, who thinks: two signs of it stand far more often without the third."""
    if len(name) != 3 or name.isascii() or _WITH_TITLE.search(name):
        return False
    return text.count(name) * 3 < text.count(name[:2]) * 2


_SPEAKER = re.compile(
    "(?:^|[，。！？；：”」…\n\u3000 ])(?P<v>[一-鿿]{2,3}?)(?P<act>[又也便就却还]?(?:说|问|道|答|喊|笑着|"
    "点了?点?头|摇了?摇?头)(?![过得法])"
    "[道，。：着起了他她]?)"
)
_NOBODY = re.compile(
    rf"[的了着过是在不有我你他她们就也都这那里上下么吗呢吧啊个一二三几两没说人话声心又再还只很和跟与对向]|"
    rf"^(?:{KIN_WORDS})$|"
    rf"(?:{WORKS}|{_TITLES}|同学|亲戚|邻居|伙计|头儿|爷|娘|妈|爸|子|天|口|时|候|后|前|来|去|边|面|手|眼|头|气)$"
)


def _speakers(texts: Sequence[str]) -> dict[str, Counter[str]]:
    """Names with any family name, or none: who begins a clause and speaks, and begins clauses in two chapters."""
    deeds: dict[str, Counter[str]] = {}
    called = _called_with_zi(texts)
    for text in texts:
        for match in _SPEAKER.finditer(text):
            if match["v"] not in _NO_NAME and (_NOBODY.search(match["v"]) is None or match["v"] in called):
                deeds.setdefault(match["v"], Counter())[match["act"]] += 1
    begins = {
        name: [len(re.findall(rf"(?:^|[，。！？；：”」…\n\u3000 ]){re.escape(name)}", text)) for text in texts]
        for name in deeds
    }
    return {name: deeds[name] for name, times in begins.items() if sum(times) >= FEWEST and sum(map(bool, times)) >= 2}


_WITH_ZI = re.compile("(?:^|[，。！？；：”」…\n\u3000 ])(?P<v>[一-鿿]子)(?P<next>[一-鿿])")
_NO_WITH_ZI = frozenset(
    "孩子 儿子 妻子 嫂子 婶子 老子 汉子 男子 女子 弟子 王子 公子 太子 君子 小子 瞎子 "
    "胖子 瘦子 矮子 傻子 疯子 骗子 妹子 侄子 孙子 影子 日子 房子 屋子 院子 车子 轿子 "
    "鬼子 哑子 聋子 瘸子 拐子 麻子 秃子 才子 浪子 夫子 娘子 痞子 探子 贩子 长子 次子 "
    "独子 母子 父子 样子 身子 肚子 嗓子 脑子 鼻子 胡子 辫子 林子 村子 巷子 狮子 猴子 "
    "兔子 耗子 虫子 燕子 鸽子 骡子 驴子 狗子".split()
)
_OFTEN = 20


def _called_with_zi(texts: Sequence[str]) -> frozenset[str]:
    """祥子: begins clauses very often, before ever other words."""
    behind: dict[str, list[str]] = {}
    for text in texts:
        for match in _WITH_ZI.finditer(text):
            behind.setdefault(match["v"], []).append(match["next"])
    return frozenset(
        name
        for name, signs in behind.items()
        if name not in _NO_WITH_ZI and len(signs) >= _OFTEN and len(set(signs)) * 2 >= _OFTEN
    )


_FULL_NAME = re.compile(
    rf"(?=(?P<v>[{SURNAMES}][一-鿿]{{2}})(?P<act>(?:[又也便就却还都正忽微慢轻缓低大高冷苦淡小][一-鿿]{{0,2}})?(?:{ACTS}|"
    rf""
    rf""
    rf""
    rf"{SPEAKS}))?)"
)
_IN_NO_NAME = re.compile("[的了着过是在不有我你他她们就也都这那里上下说道把被和与向对从到来去又还只很么吗呢吧啊个]")


def _full_names(texts: Sequence[str]) -> dict[str, Counter[str]]:
    """Names of three signs wherever they stand: three times, in two chapters, before and after ever other words, and
    always whole."""
    places: dict[str, list[tuple[int, str, str]]] = {}
    deeds: dict[str, Counter[str]] = {}
    for number, text in enumerate(texts):
        for match in _FULL_NAME.finditer(text):
            name, at = match["v"], match.start()
            if _IN_NO_NAME.search(name) is None:
                places.setdefault(name, []).append((number, text[at - 1 : at], text[at + 3 : at + 4]))
                if match["act"]:
                    deeds.setdefault(name, Counter())[match["act"]] += 1
    joined = "\n".join(texts)
    return {
        name: deeds[name]
        for name, found in places.items()
        if len(found) >= FEWEST
        and name in deeds
        and len({number for number, _before, _after in found}) >= 2
        and len({before for _number, before, _after in found}) >= 2
        and len({after for _number, _before, after in found}) >= FEWEST
        and len(found) * 3 >= joined.count(name[:2]) * 2
    }


def _is_everywhere(name: str, texts: Sequence[str]) -> bool:
    """A Chinese name that stands in several chapters before ever other words, and acts at least once."""
    if name.isascii() or sum(name in text for text in texts) < 2:
        return False
    behind = {match[1] for text in texts for match in re.finditer(rf"{re.escape(name)}([一-鿿，。])", text)}
    return sum(text.count(name) for text in texts) > FEWEST and len(behind) > FEWEST


def _with_titles(who: Character, people: Sequence[Character], all_names: Mapping[str, str], text: str) -> Character:
    """何队 and 何警官 are 何岩, where nobody else has his family name."""
    if familiar := familiar_names(who.name, all_names, text):
        return replace(who, aliases=[*who.aliases, *(one for one in familiar if one not in who.names)])
    surname = who.name[:1]
    if surname not in SURNAMES or not 2 <= len(who.name) <= 3 or who.name[1:] in ADDRESSES:
        return who
    if sum(one.name.startswith(surname) for one in people) > 1:
        return who
    more = [surname + title for title in ADDRESSES if surname + title in text]
    return replace(who, aliases=[*who.aliases, *(one for one in more if one not in who.names)]) if more else who


def _short_forms(name: str, names: Sequence[str], text: str) -> list[str]:
    """Of "Tom Ackroyd" Tom and Ackroyd, as far as the book uses them and nobody else is called so."""
    parts = [part for part in name.split() if len(part) > 2 and not part.endswith(".")]
    if len(parts) < 2:
        return []
    alone = [part for part in parts if len(re.findall(rf"\b{re.escape(part)}\b", text)) > text.count(name)]
    return [part for part in alone if not any(part in other for other in names if other != name)]
