"""What a parent writes that calls for a doctor or for help, not for a game. By words alone, before any model.

What was long ago or never, and what is asked about in general, is still answered by help where the words leave doubt:
a wrong alarm costs a sentence, a missed one may cost a child.
"""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
from dataclasses import dataclass

from app.core.text.i18n import N_

from .safety.text import folded

_WHO = r"(?:他|她|孩子|宝宝|儿子|女儿|娃|小朋友|弟弟|妹妹)?"
_KINDS: dict[str, str] = {
    "loss": (
        r"(?:突然|忽然|一下子|慢慢|渐渐|最近|上周|这几天|近来)\w{0,8}(?:不会|不再|不能|没法)(?:说|讲|叫|走|站|坐|爬|玩|笑|用)\w{0,6}|"
        r"(?:原来|以前|之前|本来|曾经|早就)\w{0,4}会[^.!?]{0,14}(?:现在|如今|最近|后来|却)\w{0,6}(?:不会|不再|不说|不叫|没有|忘|丢)|"
        r"(?:语言|技能|能力|说话|走路|会的)\w{0,4}(?:倒退|退步|退化|丧失|丢失|消失|没了)|(?:退步|倒退)\w{0,4}(?:很多|厉害|严重|明显)|"
        r"\b(?:lost|losing|lose) (?:\w+ ){0,3}(?:words?|speech|language|skills?|abilit\w+|the ability)|\bregress|"
        r"\b(?:stopped|no longer|doesn't|does not|can't|cannot|won't|quit) (?:\w+ ){0,2}(?:talk(?:ing)?|speak(?:ing)?|walk(?:ing)?|say(?:ing)? (?:words|mama|any)|respond(?:ing)?|babbl\w+)\b.{0,40}(?:any ?more|suddenly|since|overnight|last|used to|at all)|"
        r"\b(?:suddenly|overnight|all of a sudden)\b.{0,30}(?:stopped|can't|cannot|no longer|doesn't|won't) (?:\w+ ){0,2}(?:talk|speak|walk|say|stand|move|respond|use)|"
        r"\b(?:stopped|quit) (?:talking|speaking|walking|babbling|responding)|\bused to (?:talk|speak|say|walk|sing|wave|point)\b.{0,40}(?:now|but|not|stopp)"
    ),
    "seizure": (
        r"抽搐|抽风|惊厥|癫痫(?:发作|又|犯)|(?:羊癫疯|羊角风)|全身(?:发抖|僵硬|僵直)|(?:翻白眼|口吐白沫)|(?:眼神|两眼|眼睛)\w{0,3}(?:发直|上翻)\w{0,6}|"
        r"(?:突然|忽然)\w{0,4}(?:晕倒|昏倒|失去意识|没有?反应|叫不醒)|昏迷|叫不醒|"
        r"\bseizures?\b|\bconvuls|\bfits? (?:again|last|this|today|yesterday|of shaking)|\bhaving (?:a )?fits?\b|\bepileptic|\bjerk(?:s|ed|ing) (?:\w+ ){0,4}(?:all over|uncontroll|and (?:didn't|did not))|"
        r"\b(?:eyes? )?roll(?:s|ed|ing)? (?:back|up)\b|\bpass(?:ed|es|ing) out|\bfaint(?:s|ed|ing)\b|\bunconscious|\bunresponsive|\bblack(?:ed|s)? out|\bgo(?:es)? stiff and"
    ),
    "self_injury": (
        r"(?:撞|磕|砸)(?:自己的?)?(?:头|脑袋)|(?:用|拿)?头(?:去)?(?:撞|砸|磕)(?:墙|地|桌|门|床)?|(?:打|咬|掐|抓|抠|伤害|扇|揪|割)(?:伤|破)?自己|自(?:伤|残|虐|杀)|(?:咬|抓|抠)(?:手|胳膊|脸|皮肤)?(?:到|得|出)(?:出)?血|不想活|想(?:去)?死|"
        r"\b(?:bang|hit|smash|slam|knock)(?:s|ing|ed|ging)? (?:his|her|their) (?:own )?head|\bhead[- ]?bang|\b(?:hits?|hitting|bites?|biting|bit|hurts?|hurting|scratch\w*|cuts?|cutting|harms?|harming|punch\w*|slap\w*) (?:him|her|them)sel(?:f|ves)|"
        r"\bself[- ](?:harm|injur)|\bbit(?:es|ing)? (?:his|her) (?:own )?(?:hands?|arms?|fingers?) (?:\w+ ){0,4}(?:bleed|blood)|\bwants? to die|\bkill (?:him|her|them)sel(?:f|ves)|\bsuicid"
    ),
    "vital": (
        r"(?:几天|两天|三天|一天|整天|好几天|\d+天|昨天起|从昨天)\w{0,6}(?:没|不|滴水未)(?:有)?(?:吃|喝|进|尿)|(?:什么都|一口|完全|根本|一点)\w{0,2}(?:都|也)?(?:不|没)(?:肯)?(?:吃|喝|进食)|(?:不吃不喝|拒食|绝食|脱水)|"
        r"(?:喘不(?:过|上)气|呼吸困难|呼吸(?:急促|停|不)|没(?:有)?呼吸|憋气|嘴唇(?:发|变)?(?:紫|青)|脸(?:色)?(?:发|变)(?:紫|青)|窒息|噎(?:住|着)|卡(?:住|在)\w{0,3}(?:喉|嗓|气管))|"
        r"(?:吞|咽|吃)(?:了|下|下了|掉了|进)\w{0,6}(?:电池|磁铁|磁珠|硬币|药|针|钉|玻璃|清洁|洗)|误(?:吞|服|食)|中毒|高烧(?:不退)?|(?:大量|一直)(?:流|出)血|"
        r"\b(?:not|hasn't|has not|isn't|won't|refus\w+|stopped|doesn't|nothing to) (?:\w+ ){0,2}(?:eat|ate|eaten|eating|drink|drunk|drinking)\b(?:.{0,40}(?:days?|anything|since|at all|all|any ?more|hours|nothing|week)|$)|"
        r"\b(?:trouble|difficulty|hard|struggl\w+|can't|cannot|stopped|problems?|not) (?:to )?breath|\bgasping|\bturn(?:s|ed|ing)? blue|\blips? (?:are|turn\w*|went) blue|\bchok(?:es|ed|ing)\b(?! hazard)|\bswallow(?:ed|s)? (?:a |an |the |some |two |his |my )*(?:\w+ )?(?:batter|magnet|coin|pill|button|needle|bleach|marble)|\bpoison|\bdehydrat|\boverdos"
    ),
    "abuse": (
        r"(?:家暴|虐待|性侵|猥亵|虐童)|(?:老师|阿姨|保姆|爸爸|妈妈|爷爷|奶奶|姥姥|姥爷|外公|外婆|他爸|她爸|他妈|她妈|叔叔|舅舅|丈夫|老公|老婆|邻居|有人|我)\w{0,6}(?:打了?|揍|踢|扇|掐|烫|摸)(?:他|她|孩子|宝宝|娃|了他|了她)|"
        r"(?:身上|腿上|背上|胳膊上|屁股上|大腿)\w{0,8}(?:淤青|瘀青|伤痕|烫伤|针眼|青一块|咬痕|血印|掐痕)|(?:被|挨)(?:人|老师|爸爸|妈妈|阿姨|保姆|他爸|她爸|家里人|同学|丈夫)?\w{0,3}(?:打(?!扮|扰|断)|揍|踢|掐|虐|摸下面|摸私处)|(?:私处|下体|下面)\w{0,6}(?:疼|痛|红|伤|血|摸)|"
        r"\babus(?:e|ed|es|ing|ive)\b|\bmolest|\bbruis|\b(?:hits?|hit|beats?|beat|beaten|kick(?:s|ed)?|burn(?:s|ed|t)|slap(?:s|ped)|shook|shak(?:es|en)|chok(?:es|ed)|hurt(?:s)?|punch(?:es|ed)) (?:my |our |the )?(?:him|her|son|daughter|child|kid|toddler|baby|boy|girl|kids|children)\b(?! (?:self|with the pillow))|\btouch(?:es|ed|ing) (?:him|her|my \w+) (?:\w+ ){0,3}(?:private|down there|inappropriately)|\b(?:cigarette|burn|bite) marks?|\bscared of (?:his|her) (?:father|dad|mother|mum|mom|uncle|teacher|stepfather|nanny|carer)\b.{0,40}(?:hit|hurt|touch|mark)"
    ),
    "carer": (
        r"(?:我|实在|真的|快|已经)\w{0,6}(?:撑不(?:住|下去)|崩溃|活不下去|受不了了?|坚持不(?:住|下去)|熬不(?:住|下去)|扛不(?:住|下去))|(?:我|一家|全家|带着?(?:他|她|孩子))\w{0,6}(?:不想活|想死|跳楼|一起死|去死|自杀|了断|同归于尽|结束(?:生命|一切))|"
        r"(?:想|恨不得|忍不住|差点|控制不住)\w{0,6}(?:打(?:死)?|掐(?:死)?|捂死|伤害|扔掉|丢掉|摔|闷死)(?:了)?(?:他|她|孩子|宝宝|娃)?|怕(?:我|自己)\w{0,4}(?:伤害|打)(?:他|她|孩子)|"
        r"\bi (?:\w+ ){0,3}(?:can't|cannot|can not|couldn't) (?:\w+ ){0,2}(?:take|do|cope|go on|handle|bear|stand|live)\b(?: (?:it|this|with))?(?:.{0,12}(?:any ?more|longer|on))?|\bat (?:my|the) (?:breaking point|wits'? end|end of my rope)|\bi(?:'m| am) (?:\w+ ){0,3}(?:breaking|falling apart|going to (?:snap|hurt|lose it)|afraid i(?:'ll| will| might|'d| would) (?:hurt|hit|shake|harm))|"
        r"\b(?:want|wanted|going|about|ready|feel like) (?:to )?(?:hurt(?:ing)?|shak(?:e|ing)|hit(?:ting)?|kill(?:ing)?|smother(?:ing)?|harm(?:ing)?|give up on) (?:him|her|my (?:son|child|daughter|baby|kid)|myself|us|them)\b|\bend (?:it all|my life|everything)|\bi want to die|\bkill myself|\bno reason to live|\bi might (?:hurt|hit|shake|snap)|\bburn(?:ed|t) out and (?:can't|cannot)"
    ),
}  # fmt: skip
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}
_NEVER = re.compile(
    r"(?:从来?(?:都)?(?:没有?|不)|从未|没有(?:过)?(?:任何)?|并没有|不会|没|无|未(?:曾|出现|见|有)|排除了?|假装|扮演|玩具|游戏里)\W{0,2}\w{0,3}$|"
    r"\b(?:never(?: \w+){0,2}|no(?: history of| signs? of)?|not|without(?: any)?|hasn't had(?: a| any)?|doesn't have(?: any)?|ruled out|didn't have(?: any| a)?|pretend(?:s|ing|ed)?(?: to| that he| that she)?(?: \w+)?)\s$"
)
_PLAY = re.compile(r"^\W{0,2}(?:the )?(?:ball|drum|pillow|balloon|tower|tambourine)|^(?:球|鼓|枕头)")
_ALARM_AFTER_NO = frozenset({"vital", "loss", "carer"})
"""Their patterns hold the no themselves."""

HELP: dict[str, str] = {
    "loss": N_("Losing words or skills should be seen by a doctor soon: call your paediatrician today."),
    "seizure": N_("Shaking, going stiff or not reacting needs a doctor now. If it lasts or the child does not wake, call the emergency number."),
    "self_injury": N_("When a child hurts itself, keep it safe, stay near, and call your doctor or therapist today; in danger, the emergency number."),
    "vital": N_("Trouble with breathing, choking, something swallowed, or not eating or drinking cannot wait: call the emergency number or a doctor now."),
    "abuse": N_("If somebody may be hurting a child, bring it to safety and call the police or a child protection line; a doctor can look at injuries."),
    "carer": N_("This is more than one person can carry. Put the child in a safe place, step aside, and call somebody now: family, a doctor, a crisis line. In danger, the emergency number."),
}  # fmt: skip
NO_GAME = N_("I do not make a game from this. I am no doctor and no emergency service.")


@dataclass(frozen=True, slots=True)
class RedFlag:
    kind: str
    words: str


def red_flags(text: str) -> list[RedFlag]:
    """One of each kind, in their order; [] where there is nothing to worry about."""
    plain = folded(text)
    flags = []
    for kind, pattern in _PATTERNS.items():
        for sentence in re.split(r"[.!?;\n。！？；]+", plain):
            hit = next((one for one in pattern.finditer(sentence) if not _denied(kind, sentence, one)), None)
            if hit is not None:
                flags.append(RedFlag(kind, hit[0].strip()))
                break
    return flags


def _denied(kind: str, sentence: str, hit: re.Match[str]) -> bool:
    if _PLAY.match(sentence[hit.end() :]):
        return True
    return kind not in _ALARM_AFTER_NO and bool(_NEVER.search(sentence[: hit.start()]))
