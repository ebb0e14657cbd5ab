"""What an English clause says of somebody: looks, sides, age, birth, family, work."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .looks import Reading

_HUES = {
    "black": "black jet-black raven ebony jet",
    "white": "white snow-white snowy silver-white silver silvery",
    "brown": "brown chestnut hazel chocolate bay",
    "blue": "blue sapphire pale-blue",
    "green": "green emerald jade",
    "grey": "grey gray slate steel-grey",
    "red": "red ginger auburn copper crimson scarlet",
    "blond": "blond blonde fair golden flaxen straw-coloured",
    "violet": "violet purple",
    "amber": "amber",
    "yellow": "yellow",
    "dark": "dark",
}
HUE = {word: hue for hue, words in _HUES.items() for word in words.split()}
HUES = "|".join(sorted(HUE, key=len, reverse=True))
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_ONES = {
    word: n
    for n, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split(),
        1,
    )
}
NUMBER = (
    rf"\d{{1,4}}|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(list(_ONES)[:9])}))?|"
    rf"(?:(?:{'|'.join(sorted(_ONES, key=len, reverse=True))}|a) (?:hundred|thousand|dozen))|"
    rf"{'|'.join(sorted(_ONES, key=len, reverse=True))}"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
ORDINAL = "|".join(_ORDINALS) + r"|\d{1,2}(?:st|nd|rd|th)"
_I = re.IGNORECASE

_EYES = re.compile(
    rf"\b(?P<c>{HUES})(?:[, ]\w+){{0,1}}[ -]eye[sd]\b|\beyes (?:\w+ ){{0,1}}?(?:were|are|was|of)(?: an?)?(?: "
    rf"\w+){{0,1}}? (?P<d>{HUES})\b",
    _I,
)
_HAIR = re.compile(
    rf"\b(?P<c>{HUES})(?:[, ]+\w+){{0,1}}[ -](?:hair(?:ed)?|curls|braids?|ponytail|locks|plaits?|tresses|mane)\b|"
    rf"\b(?:hair|curls|braid|ponytail|locks|plaits) (?:\w+ )?(?:was|were|is|are)(?: \w+){{0,1}}? (?P<d>{HUES})\b",
    _I,
)
_BEARD = re.compile(
    r"(?:stroked|scratched|tugged(?: at)?|had|wore|with|trimmed|in|into|combed) (?:his|a|an) (?:\w+ "
    r"){0,2}(?:beard|moustache|mustache|whiskers)\b|\bbearded\b",
    _I,
)
_SHAVEN = re.compile(r"clean-shaven|clean shaven|\bbeardless\b|no beard|never (?:grown|worn|had) a beard", _I)
_BALD = re.compile(r"\bbald\b(?!ly)|hairless|not a hair on (?:his|her) head", _I)
_HAIRED = re.compile(
    r"(?:ran|run|pushed|raked|combed|brushed|tossed|shook|tore|dragged|smoothed|braided|tied)[^.;]{0,24}\b(?:his|"
    r"her) (?:\w+ ){0,2}hair\b",
    _I,
)
_TALL = re.compile(
    r"\b(?:was|is|a|very|stood) (?:very |unusually |a )?(?:tall|towering|huge)\b(?: (?:man|woman|girl|boy|and|"
    r"fellow)|[,.]|$)|over six feet|six feet tall|six foot|six feet (?:two|three|four)",
    _I,
)
_SHORT = re.compile(
    r"\b(?:was|is|a|very) (?:very |a )?(?:short|tiny|small)(?: (?:man|woman|girl|boy|fellow)\b|[,.]|$)|barely "
    r"five feet|(?:under|not) five feet",
    _I,
)
_SIDED = re.compile(
    r"\b(?P<v>left|right) (?P<part>cheek|temple|eyebrow|brow|eye|ear|forearm|arm|hand|wrist|shoulder|leg|knee|"
    r"thigh|ankle|calf|foot|hip|side|chest|jaw|chin|thumb|palm|breast)\b",
    _I,
)
_PARTS = {
    "temple": "face",
    "cheek": "face",
    "jaw": "face",
    "chin": "face",
    "eyebrow": "brow",
    "forearm": "arm",
    "thigh": "leg",
    "calf": "leg",
}
_CONDITIONS = {
    "scar": r"scar(?:red|s)?|burn mark",
    "mole": "mole|birthmark",
    "tattoo": "tattoo(?:ed)?",
    "wound of old": r"bullet|shrapnel|splinter|old wound|limp(?:ed|ing)?|lame|stiff|"
    r"shattered|crippled",
    "lost": r"maimed|mangled|wooden|false|artificial|missing|lost|lacked|amputated|cut off|stump|hook|prosthetic",
    "blind": r"patch|blind(?:ed)?|glass",
    "deaf": "deaf",
    "ring": "earring",
    "dimple": "dimple",
}
_CONDITION = re.compile("|".join(rf"(?P<k{n}>\b(?:{words})\b)" for n, words in enumerate(_CONDITIONS.values())), _I)
_AGE = re.compile(
    rf"\b(?:was|is|turned|aged|just turned|already|now|only|am|[’']m) (?P<v>{NUMBER})(?: years? old|"
    rf" years of age| that (?:spring|summer|autumn|winter|year|day)|(?=[,.]|"
    rf"$| and had| and (?:he|she)| now))|\b(?P<w>{NUMBER})[- ]years?[- ]old\b|"
    rf",? at (?P<x>{NUMBER})(?=,)|(?:^|, )(?P<y>{NUMBER}) years (?:old|of age)",
    _I,
)
_NO_AGE = re.compile(
    r"\b(?:when|as) (?:\w+ ){0,3}(?:was|had been)\b|\bas a (?:boy|girl|child)|years ago|\bthen\b|as if|as though|"
    r"felt|looked|seemed|like an?|lied|would be|pretend|more than|less than|at least|not yet",
    _I,
)
_BORN_IN = re.compile(r"\bborn in (?P<y>1[0-9]{3}|20[0-9]{2})\b", _I)
_PLACE = re.compile(
    r"\b(?:born (?:and raised |and bred )?(?:in|at)|came from|comes from|come from|grew up in|raised in|[Aa] "
    r"native of|hailed from|hails from|was from|is from|were from|originally from|[Aa] child of|brought up in) "
    r"(?P<v>[A-Z][a-z]+(?: [A-Z][a-z]+)?)|\b[Ii]n (?P<w>[A-Z][a-z]+),? where [A-Z]?\w+ (?:was|"
    r"had been) (?:born|raised)"
)
_ONLY = re.compile(
    r"\bonly (?:child|son|daughter)\b|\bno (?:brothers|sisters|siblings)\b|neither (?:brothers?|sisters?)|"
    r"\bwithout (?:brothers|siblings)",
    _I,
)
_ORPHAN = re.compile(
    r"\borphan(?:ed)?\b|(?:both )?(?:his|her) parents (?:had )?(?:died|were dead|had been killed)|lost both "
    r"(?:his|her )?parents",
    _I,
)
_UNMARRIED = re.compile(
    r"\bbachelor\b|\bnever (?:been )?married\b|\bunmarried\b|\bspinster\b|never took a (?:wife|husband)|lived "
    r"alone all (?:his|her) life",
    _I,
)
_WIDOWED = re.compile(
    r"\bwidower\b|\bwidow\b(?! of)|(?:wife|husband) (?:had |was )?(?:died|dead|passed away|been killed|been dead|"
    r"lost)|lost (?:his|her) (?:wife|husband)|buried (?:his|her) (?:wife|husband)",
    _I,
)
_CHILDLESS = re.compile(
    r"\bchildless\b|\bno children\b|never had (?:any )?(?:children|a child)|without (?:children|issue)", _I
)
_ONLY_SIBLING = re.compile(r"\bonly sibling (?:was|is) (?:a|his|her) (?:\w+ )?(?P<kin>brother|sister)\b", _I)
_COUNT = re.compile(
    rf"\b(?:had|has|have|raised|with|of|left|only|just|the|his|her|all|['’]s) (?:only |just |her |his |all "
    rf")?(?P<n>{NUMBER}) (?:\w+ ){{0,2}}?(?P<kin>sons|daughters|children|brothers|sisters|son|daughter|wives|"
    rf"husbands)\b",
    _I,
)
_NO_LIVING = re.compile(
    r"\b(?:late|dead|died|grave|buried|would-be|future|former|in-law|half|step|foster|dream\w*|memory|"
    r"remember\w*|photograph|portrait|loved like|like a)\b",
    _I,
)
_WORKS = (
    "doctor|nurse|teacher|schoolmaster|lawyer|solicitor|barrister|journalist|reporter|policeman|detective|"
    "inspector|cook|chef|driver|engineer|programmer|pilot|astronaut|geologist|accountant|tailor|blacksmith|"
    "carpenter|joiner|mason|hunter|fisherman|monk|priest|vicar|painter|singer|actor|actress|writer|novelist|poet|"
    "soldier|merchant|sailor|professor|student|mechanic|farmer|butcher|baker|brewer|miller|musician|pianist|"
    "banker|clerk|translator|editor|architect|fireman|postman|scientist|physicist|chemist|biologist|judge|spy|"
    "miner|electrician|plumber|barber|cobbler|gardener|photographer|surgeon|dentist|vet|librarian|shepherd|"
    "innkeeper|cooper|weaver|seamstress|governess|midwife|apothecary|clockmaker|watchmaker|glazier|thatcher|"
    "schoolteacher|dentist|chemist|pharmacist|lawyer|policewoman|waiter|waitress|porter|bookseller|printer|"
    "optician|taxi driver|bus driver"
)
_WORK = re.compile(
    rf"\b(?:was|is|been|were|worked as|working as|by trade|had become|served as|trained as|earned (?:his|her) "
    rf"living as) (?:once )?(?:an?|the) (?:\w+ ){{0,2}}?(?P<v>{_WORKS})\b(?!['’]s| (?:shop|son|daughter|wife))",
    _I,
)
_NO_WORK = re.compile(
    r"\bnot\b|n['’]t\b|never|\bonce\b|used to|wanted|like|as if|pretend|would|wished|to be\b|\bif\b|before|"
    r"formerly|future|dressed",
    _I,
)
_SAME_WORK = {
    "solicitor": "lawyer",
    "barrister": "lawyer",
    "reporter": "journalist",
    "schoolmaster": "teacher",
    "schoolteacher": "teacher",
    "detective": "policeman",
    "inspector": "policeman",
    "novelist": "writer",
    "joiner": "carpenter",
    "surgeon": "doctor",
    "actress": "actor",
    "chef": "cook",
    "vicar": "priest",
    "watchmaker": "clockmaker",
}
_YEARS = re.compile(
    rf"\b(?:had|has|have|['’]d|['’]ve) (?:\w+ly )?(?P<verb>been|kept|worked|lived|served|run|taught|played|"
    rf"driven|sailed|ruled|owned|waited|practi[sc]ed|ridden|fished|farmed|managed|lain|stood|known|dwelt|"
    rf"married)\b(?P<what>[^.;,]{{0,40}}?)(?:,)? (?:for|these|the last|nearly|over|almost)+ (?:over |nearly |"
    rf"almost |the last |about )?(?P<n>{NUMBER}) years\b|\b(?P<verb2>kept|worked|lived|served|ran|taught|played|"
    rf"ruled|married)\b(?P<what2>[^.;,]{{0,40}}?) for (?:over |nearly |almost )?(?P<n2>{NUMBER}) years\b",
    _I,
)
_FLOOR = re.compile(
    rf"\b(?:lived|lives|flat|room|office|apartment|rooms|lodg\w+|slept|desk|home)\b[^.;]{{0,24}}?\bon the "
    rf"(?P<v>{ORDINAL}) floor",
    _I,
)
_LANGUAGES = (
    "French|German|English|Latin|Spanish|Russian|Italian|Chinese|Greek|Arabic|Polish|Dutch|Welsh|Gaelic|"
    "Portuguese|Japanese|Hebrew|Turkish"
)
_SPEAKS_NO = re.compile(
    rf"\b(?:spoke|knew|had|understood|speaks|knows) (?:no|not a word of|hardly a word of) (?P<v>{_LANGUAGES})\b|"
    rf"(?:not|n['’]t|never|cannot|unable to) (?:speak|understand|learn(?:ed|t)?|read|follow)(?: a word of| any)? "
    rf"(?P<w>{_LANGUAGES})\b",
    _I,
)
_SPEAKS = re.compile(
    rf"\b(?:said|answered|replied|spoke|asked|whispered|explained|talked|cursed|wrote|swore|sang|recited|chatted|"
    rf"read)\b[^.;]{{0,24}}\b(?:in|to (?:him|her|them) in)(?: \w+){{0,1}} (?P<v>{_LANGUAGES})\b|\b(?:spoke|"
    rf"speaks)(?: \w+){{0,1}} (?P<w>{_LANGUAGES})\b",
    _I,
)
_NEVER_BEEN = re.compile(
    r"\bnever (?:yet )?(?:been|gone|travelled|traveled|come) to (?P<v>[A-Z][a-z]+)|never (?:seen|visited|set "
    r"foot in|left for) (?P<w>[A-Z][a-z]+)"
)
_WAS_THERE = re.compile(
    r"\b(?:years|days|time|summers?|winters?|months|childhood|student)\b[^.;]{0,24}\b(?:in|at) "
    r"(?P<v>[A-Z][a-z]+)\b|\b(?:lived|studied|worked|grown up|stayed|served) (?:\w+ ){0,3}?in "
    r"(?P<w>[A-Z][a-z]+)\b|\b(?:been|gone|back) to (?P<x>[A-Z][a-z]+)\b|back from (?P<y>[A-Z][a-z]+)"
)


def count(words: str) -> int:
    low = words.lower().replace("-", " ").split()
    if len(low) == 1 and low[0].isdecimal():
        return int(low[0])
    total = 0
    for word in low:
        if word in ("hundred", "thousand", "dozen"):
            total = max(total, 1) * {"hundred": 100, "thousand": 1000, "dozen": 12}[word]
        else:
            total += _TENS.get(word, _ONES.get(word, 1 if word == "a" else 0))
    return total


def lasting(clause: str, sentence: str) -> Iterator[Reading]:
    """What is so to this day, whether it is remembered or not."""
    if (match := _BORN_IN.search(clause)) is not None:
        yield Reading(match.start(), "year of birth", match["y"])
    if (match := _PLACE.search(clause)) is not None:
        yield Reading(match.start(), "出生地", match["v"] or match["w"])
    if (match := _YEARS.search(clause)) is not None:
        verb, what = match["verb"] or match["verb2"], match["what"] if match["n"] else match["what2"]
        words = re.findall(r"[a-z]{3,}", (what or "").lower())
        yield Reading(
            match.start(), f"{verb.lower()} {' '.join(words[-2:])}的年数", str(count(match["n"] or match["n2"]))
        )
    if (match := _NEVER_BEEN.search(clause)) is not None:
        yield Reading(match.start(), f"been in {match['v'] or match['w']}", "无", True)
    elif (match := _WAS_THERE.search(clause)) is not None and "never" not in clause:
        yield Reading(match.start(), f"been in {match['v'] or match['w'] or match['x'] or match['y']}", "有", True)
    if (match := _WORK.search(clause)) is not None and re.search(
        "all (?:his|her) life|by trade|for .{1,20} years", clause
    ):
        yield Reading(match.start(), "work", _SAME_WORK.get(match["v"].lower(), match["v"].lower()))
    for form, value in ((_TALL, "tall"), (_SHORT, "short")):
        if (match := form.search(clause)) is not None:
            yield Reading(match.start(), "height", value, True)


def sides(sentence: str) -> Iterator[Reading]:
    placed = list(_SIDED.finditer(sentence))
    for match in _CONDITION.finditer(sentence) if placed else ():
        kind = next(name for n, name in enumerate(_CONDITIONS) if match[f"k{n}"])
        near = min(placed, key=lambda one: max(one.start() - match.end(), match.start() - one.end()))
        if max(near.start() - match.end(), match.start() - near.end()) <= 34:
            part = near["part"].lower()
            yield Reading(near.start(), f"{kind}: {_PARTS.get(part, part)}", near["v"].lower())


_HAND = re.compile(
    r"\b(?:wr[oi]te|writes|written|writing|signed|sign|drew|painted|threw|shot|fenced|cut|ate|stirred|scribbled|"
    r"sketched)\b[^.;]{0,40}?"
    r"\b(?:with|in) (?:his|her) (?P<v>left|right) hand|(?P<w>left|right)-handed|(?:pen|sword|brush|knife|pencil|"
    r"racket) in (?:his|her) (?P<x>left|right) hand",
    _I,
)


def states(clause: str, sentence: str) -> Iterator[Reading]:
    for attribute, form in (("眼睛", _EYES), ("头发", _HAIR)):
        if (match := form.search(clause)) is not None:
            yield Reading(match.start(), attribute, HUE[(match["c"] or match["d"]).lower()])
    if (match := _HAND.search(clause)) is not None and (
        match["w"] or not re.search("because|only|bandage|sling", sentence)
    ):
        yield Reading(match.start(), "惯用手", (match["v"] or match["w"] or match["x"]).lower())
    if (match := _SHAVEN.search(clause)) is not None:
        yield Reading(match.start(), "beard", "none")
    elif (match := _BEARD.search(clause)) is not None:
        yield Reading(match.start(), "beard", "yes")
    if (match := _BALD.search(clause)) is not None:
        yield Reading(match.start(), "has hair", "无")
    elif (match := _HAIRED.search(clause)) is not None:
        yield Reading(match.end() - 6, "has hair", "有")
    if (match := _AGE.search(clause)) is not None and not _NO_AGE.search(sentence):
        yield Reading(match.start(), "年龄", str(count(match["v"] or match["w"] or match["x"] or match["y"])))
    if (match := _WORK.search(clause)) is not None and not _NO_WORK.search(clause[: match.end()]):
        word = match["v"].lower()
        yield Reading(match.start(), "work", _SAME_WORK.get(word, word))
    if (match := _FLOOR.search(clause)) is not None:
        yield Reading(match.start(), "floor", match["v"].lower())


def family(clause: str) -> Iterator[Reading]:
    for form, attribute in (
        (_ONLY, "brothers or sisters"),
        (_ORPHAN, "living parents"),
        (_UNMARRIED, "wife or husband"),
        (_WIDOWED, "wife or husband"),
        (_CHILDLESS, "children"),
    ):
        if (match := form.search(clause)) is not None:
            yield Reading(match.start(), attribute, "无")
    if (match := _ONLY_SIBLING.search(clause)) is not None:
        other = "sisters" if match["kin"] == "brother" else "brothers"
        yield Reading(match.start(), f"number of {other}", "0")
    for match in _COUNT.finditer(clause):
        kin = match["kin"].lower().removesuffix("s")
        yield Reading(match.start(), f"number of {kin}s", str(count(match["n"])))


def has_kin(kin: str, clause: str) -> str:
    """The attribute that a living relative of somebody speaks against; "" none."""
    if _NO_LIVING.search(clause):
        return ""
    return {
        "brother": "brothers or sisters",
        "sister": "brothers or sisters",
        "father": "living parents",
        "mother": "living parents",
        "parents": "living parents",
        "wife": "wife or husband",
        "husband": "wife or husband",
        "son": "children",
        "daughter": "children",
        "child": "children",
    }.get(kin, "")


def speech(clause: str) -> Iterator[Reading]:
    if (match := _SPEAKS_NO.search(clause)) is not None:
        yield Reading(match.start(), f"speaking {match['v'] or match['w']}", "不会")
    elif (match := _SPEAKS.search(clause)) is not None:
        yield Reading(match.start(), f"speaking {match['v'] or match['w']}", "会")
