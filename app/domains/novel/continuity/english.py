"""What an English sentence states of a person or a thing: the same attributes as `statements`, by English forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COLOUR = (
    "brown|blue|green|grey|gray|hazel|black|amber|violet|white|red|blond|blonde|fair|auburn|silver|chestnut|"
    "golden|ginger"
)
_SAME = {"gray": "grey", "blonde": "blond", "fair": "blond", "golden": "blond", "ginger": "red", "chestnut": "brown"}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ONES = {
    word: n
    for n, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen "
        "nineteen".split(),
        1,
    )
}
_NUMBER = (
    rf"\d{{1,3}}|(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_ONES)}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))}"
)
_CANNOT = (
    r"(?:could not|couldn't|cannot|can't|can not|never (?:learned|learnt) (?:how )?to|did not know how to|"
    r"was unable to|unable to|had never learned to|had never learnt to)"
)
_EYES = re.compile(rf"\b(?P<v>{_COLOUR}) eyes\b", re.IGNORECASE)
_HAIR = re.compile(rf"\b(?P<v>{_COLOUR})(?:, \w+)? (?:hair|curls|braids?|ponytail)\b", re.IGNORECASE)
_AGE = re.compile(
    rf"\b(?:was|is|turned|aged|had just turned|at) (?P<v>{_NUMBER})(?:(?: years old| years of age)|(?=[,.]|$| "
    rf"and had| and (?:he|she)))",
    re.IGNORECASE,
)
_HAND = re.compile(
    r"\b(?:wr[oi]te|writes|written|writing|signed|sign|drew|painted|threw|shot|fenced|cut|ate|stirred)\b[^.;]{0,40}?"
    r"\b(?:with|in) (?:his|her) (?P<v>left|right) hand|(?P<w>left|right)-handed",
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"\b(?P<kind>scar|tattoo|birthmark|mole|burn|eyepatch|patch)\b[^.;]{0,24}?\b(?:on|over|above|across|"
    r"under|below|down) "
    r"(?:his|her|the) (?P<v>left|right) (?P<part>\w+)"
    r"|(?P<w>left|right) (?P<p2>\w+)[^.;]{0,16}?\b(?P<k2>scar|tattoo|birthmark|mole)\b",
    re.IGNORECASE,
)
_LIMB = re.compile(
    r"\b(?:lost|missing|wooden|false|artificial|glass|lame|lacked|limped on|blind in|deaf "
    r"in)\b[^.;]{0,30}?\b(?P<v>left|right) "
    r"(?P<part>leg|arm|hand|eye|ear|foot)|(?P<w>left|right) (?P<p2>leg|arm|hand|eye|ear|foot) (?:was|is) "
    r"(?:missing|wooden|false|glass|lame|blind)",
    re.IGNORECASE,
)
_CHILDREN = re.compile(
    rf"\b(?:had|has|left|raised|with|father of|mother of|have) (?:only |his |her |just )?"
    rf"(?P<n>{_NUMBER}) (?:\w+ )?"
    r"(?P<kind>sons|daughters|children|brothers|sisters)\b",
    re.IGNORECASE,
)
_UNMARRIED = re.compile(r"\bbachelor\b|\bnever (?:been )?married\b|\bunmarried\b|\bspinster\b", re.IGNORECASE)
_MARRIED = re.compile(
    r"\b(?:his|her) (?:own )?(?:wife|husband)\b|\bmarried (?:to|for)\b|\bwas married\b", re.IGNORECASE
)
_FOR_YEARS = re.compile(
    rf"\b(?:been|worked|lived|served|married) (?P<what>[^.;,]{{0,40}}?)\bfor "
    rf"(?:over |nearly |almost )?(?P<n>{_NUMBER}) years\b",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\bonly (?:child|son|daughter)\b|\bno (?:brothers|sisters|siblings)\b|neither (?:brothers?|sisters?)",
    re.IGNORECASE,
)
_SIBLING = re.compile(
    r"\b(?:his|her) (?:own |older |younger |elder |little |twin |big |eldest |youngest )?(?P<v>sister|"
    r"brother)\b(?!-in-law|s? in arms)",
    re.IGNORECASE,
)
_AVERSE = re.compile(
    r"\ballergic to (?P<v>\w+)|\b(?:never|did not|didn't|does not|doesn't|would not) (?:eat|ate|drink|drank|"
    r"touch|touched) (?P<w>\w+)",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:ate|drank|sipped|swallowed|bit into|finished|chewed|tasted)\b(?P<v>[^.;,]{1,40})", re.IGNORECASE
)
_UNABLE = {
    "游泳": (rf"{_CANNOT} swim|non-swimmer", r"\bswam\b|\bdived in|\bswimming (?:to|toward|across|back)"),
    "识字": (rf"{_CANNOT} read|illiterate", r"\bread (?:the|a|his|her|it|out|aloud)\b|\bwrote (?:a|the|him|her)\b"),
    "开车": (rf"{_CANNOT} drive|no driving licen[cs]e", r"\bdrove\b|behind the wheel|started the (?:car|engine)"),
    "骑马": (rf"{_CANNOT} ride|never ridden", r"\brode\b|swung into the saddle|spurred"),
    "抽烟": (
        r"(?:did not|didn't|does not|never) smoked?\b|(?:hated|loathed|could not bear) (?:smoke|tobacco)|non-smoker",
        (
            r"\blit (?:a|another|his|her) (?:cigarette|cigar|pipe)|\bsmoked (?:a|his|her|another)|drew on (?:a|"
            r"his|her) (?:cigarette|pipe|cigar)"
        ),
    ),
    "喝酒": (
        r"(?:did not|didn't|does not|never) (?:drink|drank|touch(?:ed)? (?:alcohol|a drop|wine|spirits))|teetotal",
        (
            r"\b(?:drank|downed|drained|emptied|sipped)\b[^.;]{0,30}\b(?:wine|whisk(?:e)?y|beer|brandy|gin|rum|"
            r"ale|glass|champagne|sherry)\b"
        ),
    ),
    "吃肉": (
        r"vegetarian|(?:ate|eats|eat) no meat|never (?:ate|eats) meat",
        r"\bate\b[^.;]{0,30}\b(?:meat|steak|chicken|beef|ham|bacon|lamb|pork|sausages?)\b",
    ),
    "听见": (r"\b(?:was|is|born|stone|completely) deaf\b|could hear nothing", r"\bheard\b|\blistened\b"),
    "看见": (
        r"\b(?:was|is|born|completely) blind\b|could see nothing",
        r"\bsaw\b|\blooked (?:at|up|down|out)\b|\bwatched\b|\bstared\b",
    ),
    "说话": (
        r"\b(?:was|is|born) (?:mute|dumb)\b|(?:could not|couldn't) speak",
        r"\b(?:said|shouted|cried|whispered|answered|called)\b",
    ),
    "走路": (
        r"wheelchair|(?:could not|couldn't) walk|paralysed",
        (
            r"\b(?:ran|walked|strode|jumped|climbed|stood "
            r"up)\b"
        ),
    ),
}
UNABLE = {name: (re.compile(no, re.IGNORECASE), re.compile(yes, re.IGNORECASE)) for name, (no, yes) in _UNABLE.items()}
_NOT_DONE = re.compile(
    r"\b(?:not|never|nobody|no one|couldn't|didn't|wouldn't|pretend\w*|tried to|wanted to|if|almost|nearly)\b",
    re.IGNORECASE,
)
CHANGES = re.compile(
    r"\b(?:dyed|(?<!never )(?:learned|learnt)|healed|wig|contact lenses|no longer|since then|from then on|had begun to|"
    r"bandage\w*|broken|injured|"
    r"new|another|replaced|sprained|in a sling)\b",
    re.IGNORECASE,
)
_PAST_AGE = re.compile(
    r"\b(?:when|as) (?:\w+ ){0,3}(?:was|had been)\b|\bas a (?:boy|girl|child)|years ago|then\b", re.IGNORECASE
)
PLACED = re.compile(
    r"\b[Tt]he (?P<v>[a-z]+(?: [a-z]+)?)(?: of [A-Z]\w*(?: [A-Z]\w*)*)? "
    r"(?:stood|lay|stands|lies|was built|is built|sat|rose) "
    r"(?:\w+ )?(?:(?:on|at|in|to) the )?(?P<d>north|south|east|west)(?:ern)?\b",
)
DESTROYED = re.compile(
    r"\b(?:(?:threw|flung|dropped|tossed|hurled|let) (?:the|his|her) (?P<v>(?:[a-z]+ )?[a-z]+?)(?: from "
    r"[^,.;]{1,30}?| out of [^,.;]{1,30}?| fall)? "
    r"(?:into|in|to|over|overboard)\b|(?:burned|burnt|smashed|shattered|crushed|melted|tore up|broke) (?:the|"
    r"his|her) (?P<w>(?:[a-z]+ )?[a-z]+?)"
    r"(?= (?:into|to|in|against|with|on|and|over)\b|[,.;]|$))"
)
USED = re.compile(
    r"\b(?:took|picked up|held|opened|unlocked|put on|wore|drew|raised|turned|used|pulled out|lifted|carried|"
    r"unfolded|read|pocketed|polished)\b"
)
OTHER = re.compile(
    r"\b(?:another|copy|copies|pieces|ashes|replica|just like|new|second|duplicate|spare|similar|found again|"
    r"mended|repaired|glued)\b",
    re.IGNORECASE,
)


PRONOUN = re.compile(r"\b(?:he|she|his|her)\b", re.IGNORECASE)


def is_english(text: str) -> bool:
    return not re.search("[\u3400-\u9fff]", text)


def states(clause: str, sentence: str) -> Iterator[tuple[str, str]]:
    """Attribute and value of what it says of its subject."""
    if match := _EYES.search(clause):
        yield "眼睛", _SAME.get(match["v"].lower(), match["v"].lower())
    if match := _HAIR.search(clause):
        yield "头发", _SAME.get(match["v"].lower(), match["v"].lower())
    if (match := _AGE.search(clause)) and not _PAST_AGE.search(sentence):
        yield "年龄", str(_count(match["v"]))
    if match := _HAND.search(clause):
        yield "惯用手", (match["v"] or match["w"]).lower()
    yield from body(clause)
    if match := _CHILDREN.search(clause):
        yield f"{match['kind'].lower()}的数目", str(_count(match["n"]))
    if _UNMARRIED.search(clause):
        yield "有配偶", "无"
    elif _MARRIED.search(clause) and not _NOT_DONE.search(clause):
        yield "有配偶", "有"
    if match := _FOR_YEARS.search(clause):
        yield f"{match[0].split()[0].lower()} {match['what'].strip().lower()}的年数", str(_count(match["n"]))
    if _ONLY.search(clause):
        yield "有兄弟姐妹", "无"
    elif match := _SIBLING.search(clause):
        yield "有兄弟姐妹", "有"
    for name, (unable, does) in UNABLE.items():
        if unable.search(clause):
            yield name, "不会"
        elif does.search(clause) and not _NOT_DONE.search(clause):
            yield name, "会"
    if (match := _AVERSE.search(clause)) is not None:
        yield f"忌{(match['v'] or match['w']).lower()}", "不会"
    elif (match := _TAKES.search(clause)) and not _NOT_DONE.search(clause):
        for word in re.findall(r"[a-z]{3,}", match["v"].lower()):
            yield f"忌{word}", "会"


def body(clause: str) -> Iterator[tuple[str, str]]:
    """Marks and what is lost, which last."""
    if match := _SIDE.search(clause):
        kind, part = match["kind"] or match["k2"], match["part"] or match["p2"]
        yield f"{part.lower()}: {kind.lower()}", (match["v"] or match["w"]).lower()
    if match := _LIMB.search(clause):
        yield f"残{(match['part'] or match['p2']).lower()}", (match["v"] or match["w"]).lower()


def by_speaker(clause: str, speaker: str) -> str:
    """I and my in what somebody says are his own."""
    return re.sub(r"\bmy\b", f"{speaker}'s", re.sub(r"\bI\b", speaker, clause))


def subject(clause: str, names: dict[str, str], last: str) -> tuple[str, bool]:
    """Whom a clause is about, and whether it is about somebody of his: Ned's cousin is not Ned."""
    plain = clause.strip(' "“”\x01')
    places = [(clause.find(name), -len(name), name) for name in names if name in clause]
    if places:
        place, _length, name = min(places)
        rest = clause[place + len(name) :]
        before = clause[:place]
        if re.match(r"['’]s (?!eyes|hair|scar|left|right|face|hand|voice)", rest):
            return names[name], True
        if re.search(
            r"\b(?:to|with|at|for|of|by|from|behind|beside|saw|watched|told|asked|like|than)\s+(?:\w+ )?$", before
        ):
            return (last, False) if re.match(r"(?:he|she)\b", plain, re.IGNORECASE) else ("", True)
        return names[name], False
    if match := re.match(r"(?:he|she|his|her)\b", plain, re.IGNORECASE):
        own = re.match(r"(?:his|her) (?:\w+ )?(?:eyes|hair|scar|hand|left|right)", plain, re.IGNORECASE)
        return last, match[0].lower() in ("his", "her") and own is None
    return "", False


def _count(words: str) -> int:
    if words.isdecimal():
        return int(words)
    tens, _, ones = words.lower().partition("-")
    return _TENS.get(tens, _ONES.get(tens, 0)) + _ONES.get(ones, 0)
