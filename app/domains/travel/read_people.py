"""Who travels: adults, children and their ages."""

from __future__ import annotations

import re
from itertools import pairwise

from app.core.reading.numerals import Number, numbers
from app.core.reading.text import contains, first_of, spans
from app.core.reading.units import follows, has_unit, is_part_of_date
from app.core.slots import Slots, Surroundings, Table

_END_OF_LIST = re.compile(
    r"[。.;!?！？]|\bto\b|\bin\b|去|来|在|[,，](?! ?(?:and|和|还有|跟|我|my|our|the|a |two|three|four))"
)


def read_party(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """adults and children (ages); a child without an age gets that of its word ("a toddler"), else `child_age`, and
    the slot age_assumed. Who joins a party that is known ("我妈也想来") is counted in adults_more."""
    if more := _joining(text, table, around) - _leaving(text, table, around):
        return {"adults_more": more}
    adults, children, people, ages = 0, 0, 0, []
    named_ages = _ages(text, table)
    for number in numbers(text):
        if is_part_of_date(text, number):
            continue
        if has_unit(text, number, table.get("months", ())):
            ages.append(number.whole // 12)
        elif number in named_ages:
            ages += [number.whole] * (2 if _is_of_twins(text, number, table) else 1)
        elif has_unit(text, number, table["children"]):
            children = number.whole
        elif has_unit(text, number, table["adults"]):
            adults = number.whole
        elif has_unit(text, number, table["family"]) or follows(text, number, table["family_before"]):
            elders = sum(count for word, count in table.get("elders", {}).items() if contains(text, word))
            adults = min(number.whole, 2 + elders)
            children = number.whole - adults
        elif has_unit(text, number, table.get("couples", ())):
            people = 2 * number.whole
        elif _is_company(text, number, table):
            people = number.whole + 1
        elif has_unit(text, number, table["people"]) or follows(text, number, table["people_before"]):
            people = number.whole
    if adults:
        adults += _added(text, table)
    elif people and not _is_total(text, table):
        people = max(people + _added(text, table), _companions(text, table))
    elif not people:
        people = next((count for word, count in table["words"].items() if contains(text, word)), 0)
        adults = _companions(text, table)
        adults, people = (adults, 0) if adults > people else (0, people)
    small = [age for word, age in table.get("child_words", {}).items() if contains(text, word)]
    if not children and not ages and (small or first_of(text, table["with_children"])):
        children = 1
    if people and children and not adults:
        # "3 people with a child": the child is one of them, unless they are counted as a pair of grown-ups.
        people = people - children if people > 2 else people
    return _party(
        adults or people, children, [age for age in ages if age <= 17], (small or [table["child_age"]])[0], table
    )


def _ages(text: str, table: Table) -> list[Number]:
    """Numbers before "岁" or behind "aged", and those joined to them: "4和9岁", "aged 4 and 9"."""
    slots = list(numbers(text))
    ages = [has_unit(text, number, table["ages"]) for number in slots]
    for n, number in enumerate(slots):
        before = text[: number.start].rstrip()
        ages[n] = ages[n] or any(before.endswith(word) for word in table.get("ages_before", ()))
        ages[n] = ages[n] or _is_bracketed(before, table)
        behind = text[number.end :].lstrip()
        alone = not behind[:1].isalpha() or behind.startswith("and ")
        ages[n] = ages[n] or (alone and any(before.endswith(word) for word in table.get("ages_after_noun", ())))
    joined = [text[a.end : b.start].strip() in table.get("joints", ()) for a, b in pairwise(slots)]
    for n, is_joined in enumerate(joined):
        ages[n + 1] = ages[n + 1] or (is_joined and ages[n])
    for n, is_joined in reversed(list(enumerate(joined))):
        ages[n] = ages[n] or (is_joined and ages[n + 1])
    return [number for number, is_age in zip(slots, ages, strict=True) if is_age]


def _is_bracketed(before: str, table: Table) -> bool:
    """ "our daughter (9", "my son, 7": the age behind a word for a child."""
    noun = before.rstrip(" (,").rsplit(" ", 1)[-1]
    return before.endswith(("(", ",")) and noun in table.get("child_nouns", ())


def _is_company(text: str, number: Number, table: Table) -> bool:
    """ "with two friends": oneself is not counted."""
    before = text[: number.start].rstrip()
    return has_unit(text, number, table.get("friends", ())) and any(
        before.endswith(word) for word in table.get("company_before", ())
    )


def _is_of_twins(text: str, number: Number, table: Table) -> bool:
    around = text[max(0, number.start - 12) : number.end + 12]
    return first_of(around, table.get("twins", ())) is not None


def _is_total(text: str, table: Table) -> bool:
    """ "我和她还有她爸妈，四个人": the number behind the list counts all of them."""
    ends = [end for word in table.get("plus", ()) for _at, end in spans(text, word)]
    return bool(ends) and any(
        number.start >= min(ends) and has_unit(text, number, table["heads"]) for number in numbers(text)
    )


def _companions(text: str, table: Table) -> int:
    """Oneself and the grown-ups named behind "with", "taking", 带 or 我和: "taking my grandmother"; 0 for nobody."""
    ends = [end for word in table.get("company", ()) for _at, end in spans(text, word)]
    if not ends:
        return 0
    cut = _END_OF_LIST.search(text, min(ends))
    others = _joiners(text[min(ends) : cut.start() if cut else len(text)], table, every=True)
    return others + 1 if others else 0


def _leaving(text: str, table: Table, around: Surroundings) -> int:
    """How many of those who were known do not come: "有俩人不来了", "one dropped out"."""
    if not around.known.get("adults") or first_of(text, table.get("staying_away", ())) is None:
        return 0
    counted = next((n.whole for n in numbers(text.replace("俩", "两个"))), 0)
    return counted or _joiners(text, table, every=True) or 1


def _joining(text: str, table: Table, around: Surroundings) -> int:
    """How many more come along, where who travels is known."""
    if not around.known.get("adults") or first_of(text, table.get("joining", ())) is None:
        return 0
    return _joiners(text, table)


def _added(text: str, table: Table) -> int:
    """ "两大两小加一位老人": grown-ups named behind the count."""
    ends = [end for word in table.get("plus", ()) for _at, end in spans(text, word)]
    behind = text[min(ends) : min(ends) + 12] if ends else ""
    return min(1, _joiners(behind, table)) if first_of(behind, table.get("elder_words", ())) else 0


def _joiners(text: str, table: Table, *, every: bool = False) -> int:
    """The grown-ups that a text names; `every`: those that are counted ("two friends") and the others."""
    people, rest = 0, text
    for n in numbers(text):
        if has_unit(text, n, table.get("joiners_counted", ())) and n.whole <= table.get("max", 30):
            people += n.whole
            end = n.end + table.get("unit_length", 10)
            rest = f"{rest[: n.start]}{' ' * (min(end, len(rest)) - n.start)}{rest[end:]}"
            if not every:
                return people
    for word, count in table.get("joiners", {}).items():
        for start, end in spans(rest, word):
            people += count
            rest = f"{rest[:start]}{' ' * (end - start)}{rest[end:]}"
            break
    return people


def _party(adults: int, children: int, ages: list[int], child_age: int, table: Table) -> Slots:
    found: Slots = {}
    if adults:
        found["adults"] = min(adults, table.get("max", 30))
    missing = max(children - len(ages), 0)
    if children or ages:
        found["children"] = [*ages, *[child_age] * min(missing, 10)]
    if missing:
        found["age_assumed"] = child_age
    return found
