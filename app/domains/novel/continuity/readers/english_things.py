"""What an English clause says of things, animals and places: colour, number, measure, where they stand, what they are
made of and called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .amounts import Amount
from .english_persons import HUE, HUES, NUMBER, count
from .looks import Reading

_I = re.IGNORECASE
_CARS = "volvo|ford|mercedes|bmw|toyota|fiat|jaguar|bentley|rover|morris|honda|audi|buick|cadillac|chevrolet"
_DOGS = "labrador|terrier|spaniel|collie|retriever|sheepdog"
_KEPT = (
    "horse|mare|stallion|pony|gelding|colt|dog|hound|puppy|cat|kitten|tabby|car|van|truck|lorry|bicycle|motorcycle|"
    f"motorbike|parrot|cow|mule|donkey|umbrella|door|carriage|boat|yacht|{_CARS}|{_DOGS}"
)
_SAME = {
    "mare": "horse",
    "stallion": "horse",
    "pony": "horse",
    "gelding": "horse",
    "colt": "horse",
    "hound": "dog",
    "puppy": "dog",
    "kitten": "cat",
    "lorry": "truck",
    "motorbike": "motorcycle",
    **dict.fromkeys(_CARS.split("|"), "car"),
    **dict.fromkeys(_DOGS.split("|"), "dog"),
    "tabby": "cat",
}
_COLOURED = re.compile(
    rf"\b(?P<c>{HUES})(?:,? (?:old|young|little|big|small|great|shaggy|battered|rusty|tabby|silk|wooden|front))? "
    rf"(?P<x>{_KEPT})\b(?![- ](?:brown|handle|bell))",
    _I,
)
_COLOURED_AFTER = re.compile(rf"\b(?P<x>{_KEPT}) (?:was|is) (?:\w+ )?(?P<c>{HUES})\b(?! with)", _I)
_FOREIGN = re.compile(
    r"\b(?:borrowed|hired|new|another|neighbou?r|rented|strange|stranger|bought|other|second|their|painted|"
    r"repainted|passing|somebody|someone)\b",
    _I,
)
_NAMED = re.compile(
    rf"\b(?P<x>{_KEPT}|ship|boat|inn|pub|shop)(?: (?:was|is|had been))?,? (?:called|named) (?:the |The "
    rf")?(?P<v>[A-Z][a-z]+)\b|\b(?P<x2>{_KEPT}), (?P<v2>[A-Z][a-z]+)(?=,)|\b(?P<v3>[A-Z][a-z]+), (?:the|a|an|his|"
    rf"her) (?:\w+ ){{0,2}}?(?P<x3>{_KEPT})\b"
)
_HEAD = r"(?:[Tt]he|[Tt]his|[Tt]hat|[Tt]heir|[Oo]ur|[Hh]is|[Hh]er) (?P<head>(?:[a-z]+ ){0,2}?[a-z]{3,})"
_HAD = re.compile(
    rf"\b{_HEAD} (?:of [A-Z]\w+ )?(?:had|has|held|contained|counted|boasted|housed|numbered|consisted of) "
    rf"(?:only |just |exactly |all of )?(?P<n>{NUMBER}) (?P<x>(?:[a-z]+ ){{0,2}}?[a-z]+)\b"
)
_THERE_WERE = re.compile(
    rf"\b[Tt]here (?:were|are|was) (?:only |just |exactly )?(?P<n>{NUMBER}) (?P<x>(?:[a-z]+ ){{0,1}}?[a-z]+) "
    rf"(?:on|in|at|aboard)(?: the)? (?P<head>[a-z]+)\b"
)
_OF_THESE = re.compile(
    rf"\b[Tt]he (?P<n>{NUMBER}) (?P<x>(?:[a-z]+ ){{0,1}}?[a-z]+) (?:on|in|of|at|aboard)(?: the)? (?P<head>[a-z]+)\b"
)
_MEASURE = re.compile(
    rf"\b{_HEAD} (?:was|is|stood|rose|weighed|measured|ran|stretched) (?:only |about |over |nearly |exactly "
    rf")?(?P<n>{NUMBER}) (?P<u>feet|foot|metres|meters|yards|miles|pounds|storeys|stories|inches|tons|acres|"
    rf"kilometres)\b"
)
_MEASURE_BEFORE = re.compile(
    rf"\b(?P<n>{NUMBER})[- ](?P<u>foot|metre|meter|yard|mile|pound|storey|story|inch|ton|acre)[- ](?:long |high |"
    rf"tall |wide |deep )?(?P<head>[a-z]+)\b"
)
_UNITS = {
    "foot": "feet",
    "meters": "metres",
    "meter": "metres",
    "metre": "metres",
    "yard": "yards",
    "mile": "miles",
    "pound": "pounds",
    "storey": "storeys",
    "story": "storeys",
    "stories": "storeys",
    "inch": "inches",
    "ton": "tons",
    "acre": "acres",
}
_STREET = re.compile(
    rf"\b{_HEAD} (?:was|stood|is|lay|stands) (?:\w+ )?(?:on|in|at) (?P<v>[A-Z][a-z]+ (?:Street|Road|Lane|Square|"
    rf"Avenue|Row|Alley))"
)
_COMPASS = re.compile(
    rf"\b{_HEAD} (?:stood|lay|was|is|stands|lies|sat|rose|was built) (?:\w+ )?(?:(?:on|at|in|to) the "
    rf")?(?P<d>north|south|east|west)(?:ern)?(?: \w+)? of (?:the )?(?P<by>[A-Za-z]+)"
)
_SIDE = re.compile(
    rf"\b{_HEAD} (?:was|stood|is|lay|stands) (?:\w+ ){{0,2}}?on the (?P<d>left|right)(?:-hand)? (?:side )?of "
    rf"(?:the )?(?P<by>[a-z]+)"
)
_MADE = re.compile(
    r"\b(?P<head>[a-z]{3,}) (?:was|is|had been) (?:made|cast|carved|forged|cut|built|wrought) (?:out )?(?:of|"
    r"from|in) (?:solid |pure |old )?(?P<v>gold|silver|bronze|iron|steel|copper|brass|wood|oak|stone|marble|"
    r"ivory|jade|glass|bone|lead|pine|brick|granite)\b",
    _I,
)
_MADE_BEFORE = re.compile(
    r"\b(?:the|his|her|a|an|that) (?P<v>gold|golden|silver|bronze|iron|steel|copper|brass|wooden|oak|stone|"
    r"marble|ivory|jade|glass|bone|brick|granite) (?P<head>sword|ring|statue|dagger|crown|bell|key|box|figure|"
    r"knife|bowl|cross|cup|mask|gate|bridge|tower|door|clock|flute|chest|throne)\b",
    _I,
)
_SAME_STUFF = {"golden": "gold", "wooden": "wood", "oak": "wood", "pine": "wood"}
_NONE = re.compile(
    rf"\b{_HEAD} (?:had|has|was without) (?:no|not a single|never had a) (?P<x>window|door|telephone|chimney|"
    rf"lift|elevator|well|bell|stove|clock|fireplace|bridge)s?\b"
)
_NONE_WITHOUT = re.compile(
    r"\bno (?P<x>window|door|telephone|chimney|lift|well|fireplace)s? in (?:the|that|this) (?P<head>[a-z]+)\b", _I
)
_THERE = re.compile(
    r"\b(?P<x>window|door|telephone|chimney|lift|elevator|well|bell|stove|clock|fireplace|bridge)s? (?:of|in) "
    r"(?:the|that|this) (?P<head>[a-z]+)\b",
    _I,
)
_NOT_HEADS = frozenset("others rest man woman men women days years morning end other next one way same".split())
_NO_NOUNS = frozenset("o'clock year day time hour more minute mile month week other century".split())
_PLAIN = re.compile(r"^(?:old|new|little|great|big|small|good|whole|other|long|narrow|high|large|empty|quiet) ")


def colours(clause: str) -> Iterator[Reading]:
    for form in (_COLOURED, _COLOURED_AFTER):
        for match in form.finditer(clause):
            if not _FOREIGN.search(clause):
                thing = match["x"].lower()
                thing = _SAME.get(thing, thing)
                yield Reading(
                    match.start(),
                    f"colour of the {thing}",
                    HUE[match["c"].lower()],
                    thing in ("boat", "door", "umbrella"),
                )


def pets(sentence: str) -> Iterator[tuple[int, str, str]]:
    """Place, kind and name of an animal or thing that has a name."""
    for match in _NAMED.finditer(sentence):
        kind = (match["x"] or match["x2"] or match["x3"]).lower()
        yield match.start(), _SAME.get(kind, kind), match["v"] or match["v2"] or match["v3"]


def amounts(clause: str) -> Iterator[Amount]:
    for form in (_HAD, _THERE_WERE, _OF_THESE):
        for match in form.finditer(clause):
            head, noun = _head(match["head"]), _noun(match["x"])
            if head and noun not in _NO_NOUNS:
                yield Amount(match.start(), head, f"number of {noun}s", str(count(match["n"])))
    for form in (_MEASURE, _MEASURE_BEFORE):
        for match in form.finditer(clause):
            unit = match["u"].lower()
            if head := _head(match["head"]):
                yield Amount(match.start(), head, _UNITS.get(unit, unit), str(count(match["n"])))
    if (one := _STREET.search(clause)) is not None and (head := _head(one["head"])):
        yield Amount(one.start(), head, "street", one["v"])
    for form, what in ((_COMPASS, "direction from"), (_SIDE, "side of")):
        if (one := form.search(clause)) is not None and (head := _head(one["head"])):
            yield Amount(one.start(), head, f"{what} {one['by'].lower()}", one["d"].lower())
    for form in (_MADE, _MADE_BEFORE):
        if (one := form.search(clause)) is not None:
            stuff = one["v"].lower()
            yield Amount(one.start(), one["head"].lower(), "material", _SAME_STUFF.get(stuff, stuff))
    for form, value in ((_NONE, "无"), (_NONE_WITHOUT, "无"), (_THERE, "有")):
        if (one := form.search(clause)) is not None and (head := _head(one["head"])):
            yield Amount(one.start(), head, f"has a {one['x'].lower()}", value)
            break


def _head(words: str) -> str:
    """orchard house of the old orchard house."""
    words = words.lower()
    while (plain := _PLAIN.sub("", words)) != words:
        words = plain
    return "" if words.split()[-1] in _NOT_HEADS else words


def _noun(words: str) -> str:
    last = words.lower().split()[-1]
    irregular = {
        "men": "man",
        "women": "woman",
        "children": "child",
        "people": "person",
        "feet": "foot",
        "mice": "mouse",
        "teeth": "tooth",
    }
    return irregular.get(last, last.removesuffix("s"))


def same_head(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (
        long.endswith(f" {short}") and not re.match(r"(?:next|other|neighbou?r\w*|old|second) ", long)
    )
