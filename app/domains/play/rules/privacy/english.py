"""How a name in Latin letters is written: short, fond, stretched, spelled, in a handle."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re

_SHORT = (
    "thomas tom tommy tommie|william will bill billy willy liam|elizabeth liz lizzie beth eliza betty ellie|benjamin ben benny benji|"
    "samuel sam sammy|samantha sam sammy|alexander alex xander sasha|alexandra alex lexi sasha|michael mike mikey mick|daniel dan danny|"
    "matthew matt matty|joseph joe joey|katherine kate katie kathy kitty|catherine cate cathy katie|olivia liv livvy ollie|oliver ollie olly|"
    "isabella bella izzy isa|charlotte charlie lottie|charles charlie chuck|leonardo leo|leonard leo len lenny|leon leo|emma em emmy|amelia millie amy|"
    "james jim jimmy jamie|robert rob robbie bob bobby|nicholas nick nicky|edward ed eddie teddy ted|theodore theo teddy ted|jonathan jon jonny|"
    "margaret maggie meg peggy|rebecca becky becca|victoria vicky tori|abigail abby gail|madeleine maddie|gabriel gabe|gabriella gabby ella|"
    "zachary zach zack|christopher chris kit|andrew andy drew|anthony tony|patrick pat paddy|maximilian max|sophia sophie|natalie nat|jacob jake"
)
_WORDS = frozenset(
    "may will joy hope mark rose grace summer june april august faith ivy lily daisy violet ruby pearl jade amber dawn eve star sky river ash bill jack pat rob art rich drew chance king angel "
    "sunny happy lucky bear bean peanut honey pepper ginger sage basil olive cherry apple peach plum max ray dean miles frank grant chase hunter mason cooper taylor carter robin jay wren "
    "skip rusty buddy teddy ted bob sue nick gene don ken ben".split()
)
_BEFORE_A_NAME = re.compile(r"(?:^|[.!?\n]\s*)$")
_WORD_AFTER = re.compile(
    r"^(?:will|may|mark|hope)(?: (?:he|she|it|they|we|you|i|the|this|that|a|an|be|not|have|his|her|your|our|there|for|to|and|on|down|each|where|how)\b)",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"^(?:'s\b| (?:loves?|likes?|is|was|has|had|wants?|plays?|played|laughs?|laughed|smiles?|smiled|runs?|ran|looks?|looked|says?|said|hates?|builds?|built|enjoys?|gets?|got|does|did|can|went|goes|sat|took|gave|came|cried|cries)\b)"
)
_FOND = "(?:bear|boo|bug|kins|bee|pie|pop|ster|baby|cakes)?"
_KIN = "(?:s?_?(?:mum|mom|mama|mommy|mummy|dad|daddy|papa|nana|family|life|journey|diary|world)[0-9]{0,4})?"


def pattern(name: str) -> str:
    """As a part of a regular expression over plain text, matched without case."""
    words = re.findall(r"[A-Za-z]+", name)
    if not words:
        return ""
    first = words[0].casefold()
    forms = {first}
    for group in _SHORT.split("|"):
        names = group.split()
        if first in names:
            # From the long name to the short ones and back; not to another long name's.
            forms |= set(names)
    if len(first) > 3:
        forms |= {re.sub(r"(?:ie|ey|y)$", "", first)} if len(re.sub(r"(?:ie|ey|y)$", "", first)) > 2 else set()
    if len(first) <= 4 and first not in _WORDS:
        forms |= {f"{first}y", f"{first}ie", f"{first}{first[-1]}y"}
    parts = []
    for form in sorted(forms, key=len, reverse=True):
        parts.append(_stretched(form) + _FOND + "(?:s(?![a-z]))?" + _KIN)
    spelled = r"[ .*_-]".join(first)
    whole = r"[\s_.-]*".join(_stretched(word.casefold()) for word in words)
    return "|".join(([whole] if len(words) > 1 else []) + parts + ([spelled] if len(first) > 2 else []))


def surname_pattern(name: str) -> str:
    """The last of several words, also of the whole family: the Bennetts. "" where there is none, or it is a word."""
    words = re.findall(r"[A-Za-z]+", name)
    if len(words) < 2 or len(words[-1]) < 4 or words[-1].casefold() in _WORDS:
        return ""
    return f"{words[-1].capitalize()}(?:e?s)?"


def _stretched(word: str) -> str:
    """Each letter once or more: Leooo, Tomy."""
    return "".join(f"{letter}+" for index, letter in enumerate(word) if index == 0 or word[index - 1] != letter)


def is_word(text: str, start: int, end: int) -> bool:
    """Whether a name that is also a word stands there as the word."""
    word = text[start:end]
    if word.casefold() not in _WORDS:
        return False
    if word[0].islower():
        return not _ACTS.match(text[end:])
    if _BEFORE_A_NAME.search(text[:start]):
        return bool(_WORD_AFTER.match(text[start:]))
    month = word.casefold() in ("may", "june", "april", "august")
    return month and bool(
        re.search(r"\b(?:in|of|on|since|until|last|next|by|\d) ?$", text[:start]) or re.match(r" \d", text[end:])
    )


def is_whole(text: str, start: int, end: int) -> bool:
    """At the borders of a word, or where small letters turn to capitals, as in TeamLeo."""
    before, after = text[start - 1 : start], text[end : end + 1]
    is_start = not before.isascii() or not before.isalpha() or (before.islower() and text[start].isupper())
    is_end = not after.isascii() or not after.isalpha() or (text[end - 1].islower() and after.isupper())
    return is_start and is_end


SURNAME_AFTER = re.compile(r"(?: [A-Z][a-z]+(?:-[A-Z][a-z]+)?){1,2}(?![a-z])")
NO_SURNAME = frozenset(
    "I Lego Duplo Dir English Chinese Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December "
    "Floortime Paw Patrol Peppa Pig Thomas And The Is Was Has Likes Loves Mum Mom Dad Grandma Grandpa".split()
)
