"""Who travels: adults, children and their ages."""

from __future__ import annotations

from itertools import pairwise

from app.core.reading.numerals import Number, numbers
from app.core.reading.text import contains, first_of, spans
from app.core.reading.units import follows, has_unit, is_part_of_date
from app.core.slots import Slots, Surroundings, Table


def read_party(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """adults and children (ages); a child without an age gets that of its word ("a toddler"), else `child_age`, and
    the slot age_assumed. Who joins a party that is known ("我妈也想来") is counted in adults_more."""
    joining = _joining(text, table, around)
    if joining:
        return {"adults_more": joining}
    adults, children, people, ages = 0, 0, 0, []
    named_ages = _ages(text, table)
    for number in numbers(text):
        if is_part_of_date(text, number):
            continue
        if has_unit(text, number, table.get("months", ())):
            ages.append(number.whole // 12)
        elif number in named_ages:
            ages.append(number.whole)
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
    if adults or people:
        adults += _added(text, table) if adults else 0
        people += _added(text, table) if people else 0
    if not adults and not people:
        people = next((count for word, count in table["words"].items() if contains(text, word)), 0)
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


def _joiners(text: str, table: Table) -> int:
    counted = (n.whole for n in numbers(text) if has_unit(text, n, table.get("joiners_counted", ())))
    if number := next(counted, 0):
        return number
    people, rest = 0, text
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
