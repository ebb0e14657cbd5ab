"""Things of everyday life that somebody loses, breaks, burns, sells or gives away, and has in his hand again later: by
whose they are, without a card for each. In Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ..model.project import Book
from . import english
from .finding import ContinuityFinding
from .readers.people import People
from .sentences import StorySentence, clauses_of
from .things import is_another

_THINGS = (
    "花瓶|茶壶|水缸|老井|水井|井|石桥|木桥|祠堂|戏台|老屋|老宅|磨坊|水塔|玉佩|玉镯|玉坠|镯子|戒指|项链|耳环|"
    "手表|怀表|手机|"
    "相机|钥匙|匕首|短刀|长刀|佩刀|长剑|宝剑|佩剑|剑|刀|枪|"
    "手枪|步枪|弓|扇子|折扇|笛子|长笛|玉笛|箫|琴|琵琶|吉他|小提琴|"
    "信|遗书|日记本?|账本|账册|笔记本|照片|画像|地图|图纸|护身符|令牌|腰牌|印章|玉玺|香囊|荷包|手帕|帕子|眼镜|"
    "帽子|斗笠|围巾|雨伞|油纸伞|灯笼|蜡烛|手电筒?|"
    "拐杖|酒壶|葫芦|药瓶|解药|念珠|佛珠|铜钱|银票|契约|地契|卖身契|婚书|车票|船票|护照|录音笔|硬盘|电脑|U盘|车子|"
    "轿车|汽车|车|摩托车?|自行车|马车|马|驴|骡子|船|渔船|"
    "怀炉|铃铛|镜子|铜镜|梳子|发簪|簪子|步摇|钢笔|毛笔|砚台|罗盘|指南针|望远镜|通讯器|对讲机|面具|披风|斗篷|盔甲|"
    "盾牌|长矛|长枪|鞭子|鱼竿|斧头|锤子|口琴|八音盒|风筝|布娃娃|木偶"
)
_EVERYDAY = frozenset(
    "信 刀 枪 剑 手机 照片 车 车子 马 帽子 蜡烛 钥匙 眼镜 雨伞 灯笼 船 电脑 酒壶 镜子 马车 钢笔 手帕 围巾 斧头 "
    "铜钱 银票 自行车 汽车".split()
)
"""That people have more than one of, or buy again."""
_THING = re.compile(
    rf"(?P<v>{_THINGS})(?!店|铺|厂|声|法|套(?![在上进住])|匠|术|光|客|锋|夫|票|站|房|灯|窗|厢|轮|门|队|上的人|"
    rf"鞘|背上|蹄|路)"
)
_GONE = re.compile(
    "(?:摔|砸|打|跌|踩|震|捏|敲|碰|压|碾|击)(?:得|成)?(?:了|个)?(?:粉碎|稀烂|碎|烂|破|坏|断|裂)|碎成|碎了|断成|"
    "断为|折断|断了|裂成|劈成|炸(?:毁|成|碎|飞|了)|"
    "烧(?:成|了|掉|毁|尽|为)|焚(?:毁|了)|化为灰|撕(?:成|了|碎|得)|熔(?:了|成)|掉(?:进|到|下|入)|落(?:进|入|到)|"
    "坠入|沉(?:入|进|到|了)|滚(?:进|入|下)|滑(?:进|入|下)|"
    "(?:扔|丢|抛|投|掷)(?:进|入|到|下|了|向)|冲走|卷走|漂走|抢(?:走|去|了)|偷(?:走|去|了)|夺(?:走|去)|顺走|没收|"
    "缴了|收缴|弄丢|遗失|丢失|丢了|不见了|失窃|报废|毁(?:了|于|掉)|"
    "卖(?:了|掉|给)|当(?:给|进)了?|押给|抵给|吹(?:进|走|到|落)|飘(?:进|走|向|出)|飞(?:进|走|出)了|[塞放](?:进|"
    "入)了?(?:棺|墓|坟|炉|火)|陪葬|刮(?:进|走|到)|"
    "当(?:了|掉)(?=[，。；！]|$|换)|"
    "典当|抵(?:了|给)|送(?:给|了|与)|赠(?:给|与|予)|还给|留给|"
    "捐(?:了|给)|送[进到去]了?(?:当铺|寄卖|典当|废品|旧货)|填(?:平|上|死)|拆(?:了|掉|除)|塌了|推倒|铲平|夷为|"
    "冲垮|埋(?:在|进|了)|开不了机|再也(?:开|找|修)不"
)
_BROKEN_THING = re.compile(
    rf"(?:摔|砸|打|踩|捏|烧|撕|弄|卖|当|丢|折|毁)(?:碎|断|坏|破|烂|毁|掉|丢|了){{1,2}}(?:那|这|自己|他|她|的|"
    rf"唯一|祖传|只|把|枚|块|个|封|张|支|条|辆|部|台|匹|一){{0,5}}[一-鿿]{{0,3}}?(?P<v>{_THINGS})"
)
_HAS = re.compile(
    "(?:[拿取掏拔抽摸亮端捧举提翻戴佩挂点握攥揣擎挎扛骑拎摘脱别拨按敲吹弹拉挥抖展打转摩擦系抱翻看瞧低瞥披撑插]|把玩|"
    "摩挲|发动|插上|接通|掂了?掂|跨上)"
    "(?:[出起着上住开响动了过在下]|了[一看掂擦摸晃]){0,3}[^，。]{0,8}$|(?:腰间|怀里|手里|手中|身上|头上|腕上|"
    "颈间|脖子上|背上|桌上|鼻梁上|枕边|手上|胸前|指间|口袋里|袖中|墙上)(?:还|仍|依旧|正)?(?:别|挂|握|攥|拿|戴|揣|"
    "系|插|佩|捧|放|摆|藏|有|架|缠|拎|提)(?:着|了)?[^，。]{0,6}$|用[^，。]{0,6}$|(?:腕|手|头|颈|腰|胸|指|耳|"
    "身)(?:上|间|里|中)的[^，。]{0,4}$"
)
_HAS_AFTER = re.compile(
    "^(?:就|还|依旧|依然|仍|仍旧|正|好好|一直){0,2}(?:在(?:手|腰|怀|桌|包|口袋|身|他|她|鞘|掌)|挂在|别在|戴在|"
    "握在|揣在|响了|亮了|出鞘|一挥|一横|一指|嗡鸣)"
)
_SPARED = re.compile(
    "差点|险些|几乎|没有?[碎断毁丢]|不会|要是|如果|打算|想要?|准备|舍不得|不肯|不能|假装|心[碎死都]|一地|目光|"
    "视线|笑容|声音"
)
_BACK = re.compile(
    "找回|修好|修补|修复|粘好|补好|重铸|重打|赎回|失而复得|还回|捞[起上]|寻回|夺回|抢回|追回|拼[好起]|找到了|"
    "拿回|要回|买回|接好|补办|归还|还给[了他她]|送回|物归原主|捡[起回]"
)
_NEW = re.compile(
    "新|另|又一|借|别人|旁人|备用|仿|假|赝|复制|同样|一模一样|残|碎|断|灰|半[块截]|别的|路边|对方|敌人|士兵|老板|"
    "店里|第二|换了|一[把辆部匹只个支条封张]$"
)
_POINTED = re.compile("那|这|祖传|唯一|陪嫁|遗[物留]|家传|传家")


_TOUCHED = re.compile(
    "(?:[把将用拿抬从在]|[一-鿿][着起上住开出过下了回到进]|[取抽摸]|"
    "[的那])(?:[那这他她自己的只把枚块张条支本串面方根一]){0,4}[一-鿿]{0,2}$"
)
"""In front of a thing that somebody seems to have in his hand."""
_TALKED_OF = re.compile(
    "[想记念提忘说问谈找看望追寻查惦梦赔买换补缺]|没有?|不在|残|灰|可惜|要是|下落|丢|碎|断|烧|沉|样子|主人|"
    "模样|影子|去向"
)


def _plain(thing: str) -> str:
    """Of a sword, a car, a horse the kind."""
    return (
        thing[-1]
        if thing[-1] in "剑刀枪车马船伞琴笛表" and len(thing) > 1 and thing not in ("怀表", "马车", "手枪", "短刀")
        else thing.removesuffix("子")
        if thing == "车子"
        else thing
    )


class _Mention(NamedTuple):
    """A thing in a clause, and whose it is; `pointed`: one that is told from others of its kind."""

    thing: str
    owner: str
    pointed: bool


_NOTHING = _Mention("", "", False)


class _Loss(NamedTuple):
    owner: str
    pointed: bool
    sentence: StorySentence


def lost_and_used(
    book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    people = People({name: who.name for who in book.characters for name in who.names})
    gone: dict[str, _Loss] = {}
    last, chapter = "", ""
    for sentence in sentences:
        if sentence.chapter.id != chapter:
            last, chapter = "", sentence.chapter.id
        if (sentence.is_plain or _is_of_paper(sentence)) and not english.is_english(sentence.text):
            yield from _in_sentence(sentence, people, gone, last, wanted)
        last = people.first(sentence.text) or last


def _is_of_paper(sentence: StorySentence) -> bool:
    """A letter or diary as a thing in somebody's hand, and not what it tells."""
    return (
        sentence.document and not sentence.supposed and not sentence.remembered
        and re.search("遗书|遗嘱|日记|信", sentence.text) is not None
        and re.search("[信记书嘱片像][里上中]|写[着道：]", sentence.text) is None
    )  # fmt: skip


def _in_sentence(
    sentence: StorySentence, people: People, gone: dict[str, _Loss], last: str, wanted: frozenset[str]
) -> Iterator[ContinuityFinding]:
    subject = last
    things: list[_Mention] = []
    returned, lost = _BACK.search(sentence.text), [one.start() for one in _GONE.finditer(sentence.text)]
    back = returned is not None and not any(place > returned.start() for place in lost)
    for start, clause in clauses_of(sentence):
        named = list(_THING.finditer(clause))
        for match in named:
            thing, owner = _plain(match["v"]), people.owner(clause, match.start(), subject)
            mention = _Mention(
                thing, "" if "的" in owner else owner, _POINTED.search(clause[: match.start()][-6:]) is not None
            )
            loss = gone.get(thing)
            if loss is not None and back:
                gone.pop(thing)
            elif loss is not None and (severity := _used_again(sentence, clause, match, mention, loss)):
                gone.pop(thing)
                if sentence.chapter.id in wanted:
                    yield _finding(sentence, start, start + len(clause), severity, mention, loss)
                continue
            things.append(mention)
        if not back and not sentence.denied and not _SPARED.search(clause):
            mention = _lost_in(clause, people, subject, named, things)
            thing = mention.thing
            if thing and not _NEW.search(clause[: clause.find(thing)][-6:] if thing in clause else ""):
                gone[thing] = _Loss(mention.owner, mention.pointed, sentence)
        subject = people.about(clause, subject)


def _used_again(
    sentence: StorySentence, clause: str, match: re.Match[str], mention: _Mention, loss: _Loss
) -> Literal["error", "warn", ""]:
    """How sure it is that the lost thing is in use here; "" for not at all."""
    lead, rest = clause[: match.start()], clause[match.end() :]
    if _NEW.search(lead[-8:]) or is_another(mention.thing, clause) or _SPARED.search(lead) or sentence is loss.sentence:
        return ""
    owner, later = mention.owner, sentence.chapter is not loss.sentence.chapter
    used = _HAS.search(lead) is not None or _HAS_AFTER.match(rest) is not None
    touched, that = later and _TOUCHED.search(lead) is not None, re.search("那[一-鿿]{0,3}$", lead) is not None
    seems = not used and touched and _TALKED_OF.search(clause) is None and (loss.pointed or loss.owner == owner != "")
    used = used or seems
    if not loss.pointed and not used and that:
        used = seems = touched
    is_his = (seems and that) or loss.owner == owner or (loss.pointed and not (loss.owner and owner))
    if not (used and is_his):
        return ""
    weak = seems or (mention.thing in _EVERYDAY and not (loss.pointed and _POINTED.search(lead)))
    return "warn" if weak else "error"


def _lost_in(
    clause: str, people: People, subject: str, named: Sequence[re.Match[str]], things: Sequence[_Mention]
) -> _Mention:
    """What is lost or broken in a clause; without a thing where nothing is."""
    broken, gone_at = _BROKEN_THING.search(clause), _GONE.search(clause)
    if broken is not None:
        owner = people.owner(clause, broken.start("v"), subject)
        return _Mention(_plain(broken["v"]), owner, _POINTED.search(broken[0]) is not None)
    if gone_at is None:
        return _NOTHING
    ahead = [_plain(one["v"]) for one in named if one.end() <= gone_at.start()]
    if ahead:
        return next((one for one in reversed(things) if one.thing == ahead[-1]), _NOTHING)
    return things[-1] if things and not named and not re.search("[把将]", clause) else _NOTHING


def _finding(
    sentence: StorySentence, start: int, end: int, severity: Literal["error", "warn"], mention: _Mention, loss: _Loss
) -> ContinuityFinding:
    return ContinuityFinding(
        "N03", severity, sentence.chapter.id, start, end, sentence.quote(),
        f"{mention.owner}的{mention.thing}" if mention.owner else mention.thing, mention.thing, "",
        loss.sentence.chapter.id, loss.sentence.quote(), {"attribute": "gone"},
    )  # fmt: skip
