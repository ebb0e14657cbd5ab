"""Who lives, who is dead, and who is spelt how: N01, N02, N11."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model.project import Book, Chapter, Character
from .finding import ContinuityFinding
from .sentences import MASK, StorySentence, clauses_of

ACTS = (
    "说|道|笑|走|站|坐|推|拿|端|递|抬|点了?点?头|摇了?摇?头|看|望|喊|问|答|转[身过]|伸|跑|抱|拍|开口|叫|骂|"
    "哭|叹|握|拔|举|蹲|跪|"
    "敲|拉|扶|接|放下|倒了|喝|吃|写|皱|眨|瞪|咳|冲|挥|指|跟|带|提|背|挑|扔|踢|打|进|出来|出现|来[到了]|回来|"
    "回到|醒|睁|爬|骑|"
    "挤|披|穿上|脱|掏|翻|关|开[了始]|停|听|想|靠|躺|应|劝|嘱|吩咐|解释|沉默|微微|慢慢|忽然|突然|正|又|也|便|就|"
    "却|缓缓|轻轻|"
    "(?:said|says|laughed|smiled|walked|stood|sat|nodded|asked|answered|opened|took|turned|looked|came|ran|"
    "shouted|replied|"
    "picked|put|held|handed|poured|knocked|climbed|shook|raised|pulled|pushed|stepped|leaned|began|waited|"
    "went|got|gave|rode|leaned|leant|swung|paused|coughed|bowed|lifted|set|drew|rubbed|kissed|swept|drank|ate|"
    "sang|told|made|found|left|knew|wore|showed|"
    "read|wrote|lit|closed|threw|carried|knelt|whispered|cried|called|grinned|shrugged|sighed|watched|pointed|"
    "(?:was|were|is) [a-z]+ing)"
)
_DONE = (
    r"(?P<dup>[一-鿿])(?P=dup)[手头眼肩嘴腿]|(?P<once>[一-鿿])了一?(?P=once)|(?:把|将|朝|往)[一-鿿]{1,6}|"
    r"(?![没死成离去亡完不有是在的倒像过])[一-鿿](?![没死成离去亡完不])[一-鿿]?[了着](?!$)|"
    r"(?![没死离倒留一])[一-鿿][起紧住开掉进](?=[一-鿿])(?!的)"
)
"""Grammar of a deed whatever its verb is: 磕了磕, 把茶碗…, 系着, 拧紧."""
_ACTION = re.compile(
    rf"[ ]?(?:[在从于][一-鿿]{{1,6}}?[里上中前边外下旁口][一-鿿]|[一-鿿]{{0,4}}?(?:{ACTS})|[一-鿿]?{_DONE}|"
    r"(?!died|buried|killed|murdered|loved|named|called|used|lived|seemed|needed|owned|belonged|supposed|"
    r"deserved)[a-z]{3,}ed\b(?! by))"
)
_OF_A_THING = re.compile("[一-鿿]{1,2}(?:过|下|好|来)?的[一-鿿]")
"""赵恒写的字 is no deed of his now."""
_LEADS = ("见", "着", "了", "后", "时", "里", "中", "才", "但", "而", "then", "and")
_SAID_BY = re.compile('["”] (?:said|asked|answered|replied|cried|called|whispered|shouted|muttered) $')
_WHEN = re.compile(
    "(?:天|晚|夜|日|早|晨|年|月|候|刻|际|上|下|前|边|旁|午|初|更|后来|忽然|突然|这次|此时|原来|果然|只见|于是|"
    "接着|可是|不过)$|"
    r"^(?:the next|that|next|one|in the|on (?:the|[A-Z])|at|by|two|three|a few|later|meanwhile|"
    r"soon|when|outside|upstairs|"
    r"downstairs|suddenly|at last|\W)",
    re.IGNORECASE,
)
"""Times and places in front of a name."""
_NO_ACT = re.compile(
    "^(?:的|之|[那这](?:[条只个张把件匹辆封双头]|一)|家[的里]|死|去世|已死|遗|墓|坟|牌|像|这个名字|二字|两个字|"
    "留下|生前|临死|临终|死前|死后|说过的|写过的|'s\\b|’s\\b| was dead| had)"
)
_DIES = re.compile(
    "死[了去在于]|死掉|身亡|去世|过世|病逝|逝世|辞世|牺牲|断了?气|咽了?气|咽下.{0,6}口气|没了气息|没了呼吸|"
    "人(?:已经|早就?|早已)?没了|没有?了(?:心跳|呼吸|气息|脉搏)|没了?脉搏|(?:人|身子|手)(?:已经|早就?|"
    "早已)?凉了|停止了?呼吸|(?:身子|身体|手|"
    "尸身)(?:渐渐|已经|慢慢|早已|都|全)?(?:[冷凉僵硬]透?了|僵硬|冰凉|冰冷)|再没有?动过|不再动弹|"
    "变成了?一[捧把盒]骨?灰|气绝|"
    "毙命|丧命|"
    "殒命|殉[职国情]|战死|病死|自尽|自刎|自缢|自戕|服毒|而亡|身死|丧生|葬身|尸骨无存|身首异处|撒手人寰|与世长辞|"
    "羽化|坐化|仙逝|作古|一命呜呼|归西|没能?[挺熬撑]过|再也没有?(?:起来|站起来|爬起来|醒来|睁开)|被[^，。]{0,10}(?:杀死|杀害|害死|"
    "毒死|刺死|打死|处死|处决)|再也没有?醒|再没有?[能再]?(?:醒|睁开|起来|站起来)|上吊了|吊死|"
    "再也没有?[能再]?(?:浮|游|爬)上来|(?:捞|打捞|拖)[上起]来(?:的时候|时|"
    "后)?，?[^，。]{0,6}(?:泡[白胀发肿]|没了?气)|永远闭上|"
    "下葬|心跳(?:就|也|已经|早就)?停|监护仪[^，。]{0,8}(?:直线|平)|斩首|枪决|处决了|绞死|正法|砍了头|掉了脑袋|"
    "人头(?:挂|落)|"
    "\\bdied\\b|\\b(?:had )?stopped breathing\\b|was past (?:all )?help|gave up the ghost|\\bwas dead\\b|"
    "\\bdrowned\\b(?! in (?:work|noise))|drew (?:his|her) last|bled to death|froze to "
    "death|(?:was|were|been) (?:hanged|beheaded|executed|strangled|stabbed to death|shot dead|buried)|"
    "took (?:his|her) own life|(?:hanged|shot|drowned) (?:himself|herself)|did not survive|was killed|was "
    "murdered|was shot dead|passed away|breathed (?:his|her) last|lay dead|"
    "with (?:a|the) (?:knife|dagger|bullet) in (?:his|her) (?:chest|back|heart|head)"
)
_BEFORE_DEATH = re.compile("^[ \u3000]*(?:说)?(?:[一-鿿]{1,8}?的?时候?)?(?:已经|早已|[就便已早也终于还是当场])*")
"""Times and adverbs between the start of a clause and the death it tells."""
_DIES_PRONOUN = re.compile(
    "(?:^|[，。；\u3000 ])(?:[他她]|老人|男人|女人|少年|孩子)(?:就|便|也|终于|已经|还是|当场|从此|最后|最终)*"
    "(?:死[了在于]|断了?气|咽了?气|咽下|没了(?:气息|呼吸|脉搏)|去世|气绝|闭上了?眼[^。]{0,6}再也)|"
    "(?:^|[，。；\u3000 ])[他她]的(?:身子|身体|手|尸身|心跳|呼吸|脉搏)"
    "(?:渐渐|已经|慢慢|早已|都|全|终于|也)*(?:[冷凉僵硬]透?了|停了?|"
    "没了)|"
    "\\b(?:[Hh]e|[Ss]he) (?:\\w+ )?(?:died|was dead|drew (?:his|her) last|breathed (?:his|her) last|was gone|"
    "passed away)\\b"
)
_AS_BODY = (
    "(?:把|将)(?:{names})[^，。]{{0,6}}?(?:安葬|下葬|埋葬|葬[在于入到]|埋[在进入了到]|火化|入殓|杀了|杀死|"
    "毒死|勒死|掐死|砍死|推下.{{0,6}}(?:悬崖|楼))|"
    "(?:{names})(?:已经|早已|早就)去了(?=[，。；]|$)|(?:{names})(?:已经|终于|就|被|都)?变成了?一[捧把盒]骨?灰|"
    "(?:{names})(?:就|便|也|被)*(?:葬|埋)(?:在|于|进|到|入)|"
    "(?:安葬|埋葬|埋|杀死|杀害|害死|毒死|刺死|射杀|击毙|处死|处决)了?(?:{names})(?=[，。；的]|$)|"
    "(?:{names})的(?:遗体|尸体|尸首|尸身|骨灰|葬礼|丧事|后事|灵堂|灵柩|棺材|追悼会|坟|坟头|墓|坟墓|灵位|头七|"
    "遗孀|遗骨)(?!.{{0,6}}(?:没有?|还未|失踪))|"
    "(?:{names})(?:就|便|终于|已经?|还是|当场|从此|最终|最后)*(?:死亡|遇难|遇害|罹难|身故|离世|离开了?人世|"
    "长眠|圆寂|驾崩|溺亡|坠亡|猝死|暴毙|阵亡|"
    "殉难|丧生|自尽|没能?(?:挺|熬|撑)过|停止了?心跳|没了?心跳|咽气|断气|气绝|合上了?(?:双)?眼.{{0,6}}再也)|"
    "(?:割断|刺穿|砍下|斩下|拧断|射穿|洞穿|捅穿)了?(?:{names})的(?:喉咙|脖子|头|首级|人头|心脏|胸膛|心口|咽喉)|"
    "白布[^。]{{0,12}}(?:{names})的?(?:脸|尸|身子)|(?:{names})[^，。]{{0,6}}(?:躺|停)在(?:太平间|停尸房|灵床|"
    "棺材|解剖台)|"
    "(?:{names})的(?:心跳|呼吸|脉搏)(?:已经|就|也|早就|终于)*(?:停|没了)|"
    "宣布(?:了)?(?:{names})的?(?:已经)?(?:死亡|死了|不治|去世)|(?:给|替|为)(?:{names})(?:盖|蒙|罩)上了?白布|"
    "(?:{names})走了[，,]?[^。]{{0,14}}(?:灵堂|后事|安详|送葬|出殡|遗体|走得)|"
    "(?:{names})[^。]{{0,12}}(?:[下落]水|跳[进入下]|沉[进入到]|掉[进入下]|"
    "游[向进])[^。]{{0,30}}没有?能?再?[浮游爬]?上来(?=[，。；]|$)|"
    "(?:打中|射中|刺中|击中|贯穿)了?(?:{names})的?[^。]{{0,24}}再也没"
)
_AS_BODY_ENGLISH = (
    r"\b(?:killed|murdered|strangled|poisoned|buried|cremated|hanged|executed|beheaded|laid to rest) "
    r"(?:{names})\b(?![’']s)|"
    r"\b(?:sheet|blanket|coat) (?:up )?over (?:{names})[’']s (?:face|head)|"
    r"\bfound (?:{names})(?: [a-z]+){{0,4}},? (?:face down|dead|stiff|hanged|drowned|"
    r"strangled|lifeless|murdered|hanging|cold)|"
    r"\b(?:{names})[’']s (?:heart (?:had )?(?:stopped|gave out)|funeral|body|corpse|coffin|grave|burial|wake|"
    r"ashes|murder|death)\b(?! (?:of|was not|had not))"
)
_NO_DEATH = re.compile(
    "没有?死|没死|未死|不会死|不死|差点|险些|几乎|假死|诈死|装死|死[心死活命]|该死|找死|累死|笑死|气死|吓死|"
    "急死|饿死了|烦死|"
    "想死|要死|怕死|死不|生死|did not die|nearly|almost|alive"
)
_LIVES = re.compile(
    "还活着|没有?死|没死|未死|活了过来|死而复生|复活|诈死|假死|起死回生|大难不死|"
    "still alive|had not died|came back to life"
)
_SPIRIT = re.compile("鬼魂|魂魄|幽灵|亡魂|冤魂|阴魂|化作|冒充|假扮|扮[成作]|易容|替身|附身|ghost|disguised|twin")
SPEAKS = "说|道|问|答|喊|叫|笑|叹|骂|嚷|应|劝"
SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺"
    "倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危"
    "江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉龚程邢裴陆荣翁荀羊惠甄曲封储靳汲邴段焦巴牧山谷"
    "车侯宓蓬全班仰秋仲伊宫宁仇栾暴甘钭厉戎祖武符刘景詹束龙叶幸司韶黎蓟薄印宿白怀蒲从鄂索赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍"
    "璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习艾鱼容向古易慎戈廖终暨居衡步都耿满弘匡国文寇广禄阙东欧殳沃利蔚越夔隆师巩厍聂晁勾敖融冷"
    "訾辛阚那简饶空曾毋沙乜养鞠须丰巢关蒯相查后荆红游竺权逯盖益桓公"
)
ADDRESSES = (
    "先生", "太太", "小姐", "老师", "医生", "大夫", "警官", "队长", "队", "局长", "主任", "经理", "师傅", "掌柜",
    "老板", "教授", "船长", "站长", "总", "少爷", "姑娘", "将军", "护士", "公子", "夫人", "师兄", "师姐", "院长",
    "校长",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Death:
    who: Character
    chapter: Chapter
    place: int
    """Behind the words that told it; 0: it was so before the chapter began."""
    quote: str


def deaths_of(book: Book, sentences: Sequence[StorySentence]) -> dict[str, Death]:
    """By name: told in the text, or noted as a character's state."""
    deaths: dict[str, Death] = {}
    by_number = {chapter.number: chapter for chapter in book.chapters if chapter.number}
    meant = _meant(book, sentences)
    for who in book.characters:
        for state in sorted(who.state_by_chapter, key=lambda one: one.chapter):
            chapter = by_number.get(state.chapter)
            if state.status == "dead" and chapter is not None:
                death_scene = next((one for one in _told(who, sentences, meant) if one.chapter is chapter), None)
                deaths[who.name] = death_scene or Death(who, chapter, len(chapter.text), "")
                break
        else:
            if any(state.status == "dead" for state in who.state_by_chapter):
                continue
            for death in _told(who, sentences, meant):
                deaths[who.name] = death
                break
    return deaths


def _meant(book: Book, sentences: Sequence[StorySentence]) -> dict[int, str]:
    """Of sentences that tell a death and do not begin with the name of who died: whom they mean. In a sentence with
    names the first one; in one with a pronoun alone the one who was named in the sentence before, or the one before
    that."""
    names = {name: who.name for who in book.characters for name in who.names}
    meant: dict[int, str] = {}
    before: tuple[str, int] = ("", -9)
    chapter: Chapter | None = None
    for number, sentence in enumerate(sentences):
        if sentence.chapter is not chapter:
            chapter = sentence.chapter
            titled = {card for name, card in names.items() if name in chapter.title}
            before = (next(iter(titled)), number) if len(titled) == 1 else ("", -9)
        mentions = sorted((place, -len(name), name) for name in names if (place := sentence.text.find(name)) >= 0)
        if before[0] and number - before[1] <= 2 and _watched(sentence, before[0], names):
            meant[id(sentence)] = before[0]
        elif mentions:
            death = _DIES.search(sentence.text)
            ahead = [one for one in mentions if death is not None and one[0] < death.start()]
            if ahead:
                # In English the subject stands right before its verb, in Chinese the first name is the topic.
                subject = ahead[-1] if ahead[-1][2].isascii() else ahead[0]
                meant[id(sentence)] = names[subject[2]]
            people = {names[name] for _place, _length, name in mentions}
            before = (next(iter(people)), number) if len(people) == 1 else ("", number)
        elif number - before[1] <= 2 and before[0] and _DIES_PRONOUN.search(sentence.text):
            meant[id(sentence)] = before[0]
    return meant


_WATCHED = re.compile(
    "[把将][他她][^，。]{1,10}，?(?:人|身子|他|她)?(?:已经|早就?|就|也)*(?:没了?气|断了?气|没了呼吸|死了|凉透?了)|"
    "(?:看着|眼看着?|亲眼[见看]着?|守着|抱着|等)[他她](?:就|慢慢|在[^，。]{1,8})?(?:咽了?气|咽下|断了?气|没了气)|"
    "\\b(?:closed|shut) (?:his|her) eyes and (?:covered|drew|pulled)|"
    "\\bsewed (?:him|her) into (?:the |his |her )?(?:canvas|sail|hammock)"
)


def _watched(sentence: StorySentence, who: str, names: Mapping[str, str]) -> bool:
    """Somebody sees him die who was named right before, and whom the sentence itself does not name."""
    if _WATCHED.search(sentence.text) is None:
        return False
    return not any(card == who and name in sentence.text for name, card in names.items())


def _told(who: Character, sentences: Sequence[StorySentence], meant: dict[int, str]) -> Iterator[Death]:
    names = "|".join(re.escape(name) for name in sorted(who.names, key=len, reverse=True))
    body = re.compile((_AS_BODY_ENGLISH if who.name.isascii() else _AS_BODY).format(names=names))
    for sentence in sentences:
        if not sentence.is_plain or sentence.performed:
            continue
        if not any(name in sentence.text for name in who.names):
            if meant.get(id(sentence)) == who.name and not _NO_DEATH.search(sentence.text) and not sentence.denied:
                yield Death(who, sentence.chapter, sentence.end, sentence.quote())
            continue
        if body.search(sentence.text) and not _NO_DEATH.search(sentence.text) and not sentence.denied:
            yield Death(who, sentence.chapter, sentence.end, sentence.quote())
            continue
        if (buried_at := _left_for_good(sentence, names)) is not None:
            yield Death(who, sentence.chapter, buried_at, sentence.quote())
            continue
        if _FOUND.search(sentence.text) and (said_at := _said_dead(sentence, names)) is not None:
            yield Death(who, sentence.chapter, said_at, sentence.quote())
            continue
        for _start, clause in clauses_of(sentence):
            if not _DIES.search(clause) or _NO_DEATH.search(clause) or _WATCHED.search(clause):
                continue
            if who.name.isascii() and meant.get(id(sentence), who.name) != who.name:
                continue
            if any(_is_subject(name, clause) for name in who.names) or (
                _tells_death(clause) and meant.get(id(sentence)) == who.name
            ):
                yield Death(who, sentence.chapter, sentence.end, sentence.quote())


def _tells_death(clause: str) -> bool:
    """A clause that begins with a death, or with 他 and a death."""
    plain = _BEFORE_DEATH.sub("", clause)
    if _DIES.match(plain):
        return True
    return plain[:1] in ("他", "她") and _DIES.match(_BEFORE_DEATH.sub("", plain[1:])) is not None


_RITES = re.compile("出的?殡|送葬|灵堂|下葬|入土|棺|头七|守灵|守孝|披麻|戴孝|后事|丧事|寿衣|遗体|纸钱|火化")
_GONE_AWAY = (
    "(?:{names})(?:就|便|也|终于|已经|还是|到底|安安静静地?|静静地?|悄悄地?|平静地?)*(?:走了|去了|"
    "没了|合上了眼|闭上了眼)(?=[，。；])|(?:{names})是[^，。]{{1,14}}走的(?=[，。；])"
)


def _left_for_good(sentence: StorySentence, names: str) -> int | None:
    """他走了 means a death where the rites for the dead are told right after it."""
    match = re.search(_GONE_AWAY.format(names=names), sentence.text)
    if match is None:
        return None
    rites = _RITES.search(sentence.chapter.text, sentence.start + match.end(), sentence.end + _AFTERMATH)
    return rites.end() if rites is not None else None


_AFTERMATH = 50
_FOUND = re.compile(
    "(?:发现|找到|看见|抬[出进来着]|扶起|背[出回]|抱[着起出])[^，。]{0,8}|倒在|躺在|伏在|趴在|\\b(?:found|lay|"
    "lying|carried|discovered|knelt beside)\\b"
)
_SAID_DEAD = re.compile(
    '[“「"](?:[^”」"\n]{0,8}[，,。])?(?:他|她|人)?(?:已经|早就|早已)?(?:死了|没气了|断气了|没救了|凉了|'
    "没有?呼吸了|没有?脉搏了|不行了，)(?![吗么？])|"
    "[“\"](?:He|She)(?:['’]s| is) (?:quite |already )?(?:dead|gone)\\b"
)
_SCENE = 220


def _said_dead(sentence: StorySentence, names: str) -> int | None:
    """Where somebody says of whoever was found in a sentence that he is dead, soon after it."""
    if not re.search(
        rf"(?:found|discovered|发现了?|找到了?|抬[出进来着]了?|扶起了?|[背抱][着起出]了?) ?(?:{names})|"
        rf"(?:{names})(?:就|正|还)?(?:倒|躺|伏|趴)在|(?:{names}) (?:lay|was lying)",
        sentence.text,
    ):
        return None
    match = _SAID_DEAD.search(sentence.chapter.text, sentence.end, sentence.end + _SCENE)
    return match.end() if match is not None else None


def _is_subject(name: str, clause: str) -> bool:
    """老周死了, and not 老周的儿子死了 nor 害死老周的人."""
    place = clause.find(name)
    if place < 0:
        return False
    rest = clause[place + len(name) :]
    if name.isascii() and re.match(r"(?: \w+)? (?:died|was dead|was killed|lay dead)\b", rest):
        return True
    most = 40 if name.isascii() else 6
    return not rest.startswith(("的", "之", "家", "'s", "’s", "和", "与", "跟")) and len(clause[:place].strip()) <= most


def dead_who_act(
    book: Book, sentences: Sequence[StorySentence], deaths: dict[str, Death]
) -> Iterator[ContinuityFinding]:
    order = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    for name, death in deaths.items():
        seen: set[str] = set()
        for sentence in sentences:
            if not _is_after(sentence, death, order) or not any(one in sentence.text for one in death.who.names):
                continue
            if _LIVES.search(sentence.chapter.text[sentence.start : sentence.end]):
                break  # told to live after all: from here on nothing is wrong
            if not sentence.is_plain or _SPIRIT.search(sentence.text) or sentence.chapter.id in seen:
                continue
            if (act := act_of(death.who, sentence)) is not None:
                seen.add(sentence.chapter.id)
                yield ContinuityFinding(
                    "N02",
                    "error",
                    sentence.chapter.id,
                    act,
                    sentence.end,
                    sentence.quote(),
                    name,
                    other_chapter=death.chapter.id,
                    other_quote=death.quote,
                )


def _is_after(sentence: StorySentence, death: Death, order: dict[str, int]) -> bool:
    here, there = order[sentence.chapter.id], order[death.chapter.id]
    return here > there or (here == there and sentence.start >= death.place)


def act_of(who: Character, sentence: StorySentence) -> int | None:
    """Where somebody does something."""
    for start, clause in clauses_of(sentence):
        for name in who.names:
            place = clause.find(name)
            if place < 0:
                continue
            if name.isascii() and _SAID_BY.search(clause[:place]):
                return start + place
            before = clause[:place].replace(MASK, "").strip('“”「」『』\u3000 "')
            rest = clause[place + len(name) :]
            if len(before) > 2 and not before.endswith(_LEADS) and not _WHEN.search(before):
                continue
            if before.endswith(
                ("为", "替", "给", "对", "向", "叫", "像", "是", "把", "被", "跟", "和", "与", "提", "说", "见", "念")
            ):
                continue
            if _NO_ACT.match(rest) or _OF_A_THING.match(rest):
                continue
            if _ACTION.match(rest):
                return start + place
    return None
