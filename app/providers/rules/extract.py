"""What a question says, as slots: one small reader per kind of fact.

A rule book names its slots and their kinds (`[slots.days] kind = "count"`); each kind is a function below or a reader
of the domain. It gets the normalised text and its table of the book, and returns the slots it found. To add a kind
that belongs to no trade: write the function and add it to KINDS; others belong to their domain (`Domain.slots`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from app.core.reading.dates import read_date, read_month
from app.core.reading.numerals import Number, numbers
from app.core.reading.text import blanked, contains, find, first_of, is_chinese, spans, without
from app.core.reading.units import NEAR, bounded, has_unit, is_part_of_date, is_refused, unit_end
from app.core.slots import SlotReader, Slots, Surroundings, Table

from .unknown_names import READER as UNKNOWN_NAME

Kinds = Mapping[str, SlotReader]
RANGE = ("到", "至", "-", "–", "~", "to")


def plain_words(text: str, around: Surroundings) -> str:
    """The text with blanks where names of the data stand: what is part of a name says nothing else."""
    return blanked(text, [(mention.at, mention.end) for mention in around.names.mentions(text, around.known)])


def read_slots(text: str, tables: Mapping[str, Table], kinds: Kinds, around: Surroundings) -> Slots:
    """All slots of a normalised question."""
    rest = plain_words(text, around)
    found: Slots = {}
    for name, table in tables.items():
        reader = kinds[table["kind"]]
        looked_at = without(text if reader.whole else rest, table.get("ignore", ()))
        found.update(reader.read(looked_at, name, table, around))
    return found


# ---------------------------------------------------------------- numbers with a unit


def read_count(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A whole number before one of `units`; `more` are units that count one less (nights). Behind a word of
    `relative` it says how many more or fewer: the slot `name_more`."""
    for word, sign in table.get("relative_words", {}).items():
        if contains(text, word):
            return {f"{name}_more": sign}
    words = {pattern: value for pattern, value in table.get("words", {}).items() if contains(text, pattern)}
    for units, extra in ((table["units"], 0), (table.get("more", ()), 1)):
        for number in numbers(text):
            if has_unit(text, number, units) and not is_part_of_date(text, number):
                before = text[: number.start].rstrip()
                sign = next((sign for word, sign in table.get("relative", {}).items() if before.endswith(word)), 0)
                return {f"{name}_more": sign * number.whole} if sign else bounded(name, number.whole + extra, table)
    return bounded(name, next(iter(words.values())), table) if words else {}


# ---------------------------------------------------------------- money


def read_money(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """An amount with a currency or beside a budget word: `name`, name_per_day, name_per_person. `currencies` gives the
    words and signs of foreign money; the code goes into the slot that `code` names."""
    amounts = list(numbers(text))
    for n, number in enumerate(amounts):
        if number.value < table.get("min", 1) or is_part_of_date(text, number):
            continue
        if _begins_range(text, amounts[n : n + 2], table):
            continue  # "五千到六千": the upper end is the limit
        start = amounts[n - 1].start if n and _begins_range(text, amounts[n - 1 : n + 1], table) else number.start
        before = text[max(0, start - NEAR) : start]
        end, code = unit_end(text, number, table["units"]), ""
        for each, words in table.get("currencies", {}).items():
            behind_it = unit_end(text, number, words)
            if behind_it != -1 or before.rstrip().endswith(tuple(words)):
                end, code = max(end, behind_it), each
                break
        marked = bool(code) or before.rstrip().endswith(tuple(table["signs"]))
        enough = text[number.end :].lstrip(" ,").startswith(tuple(table.get("near_behind", ())))
        is_near = enough or first_of(before, table["near"]) is not None
        if end == -1 and not marked and not (is_near and _is_bare(text, number, table)):
            continue
        behind = text[max(end, number.end) :].lstrip()[: NEAR + 2]
        amount = number.whole if number.value.is_integer() else number.value
        money = {f"{name}_given": True, **({str(table["code"]): code} if code else {})}
        if first_of(before, table["per_day"]) or first_of(behind, table["per_day"]):
            return {f"{name}_per_day": amount, **money}
        if first_of(before, table["per_person"]) or first_of(behind, table["per_person"]):
            return {f"{name}_per_person": amount, **money}
        return {name: amount, **money}
    return {}


def _begins_range(text: str, pair: Sequence[Number], table: Table) -> bool:
    """Whether an amount is the lower end of "5000-6000"; a number of days behind it is none."""
    if len(pair) < 2 or pair[1].value <= pair[0].value:
        return False
    return text[pair[0].end : pair[1].start].strip() in RANGE and _is_bare(text, pair[1], table)


def _is_bare(text: str, number: Number, table: Table) -> bool:
    """No unit of something else follows: the 3 in "预算3天" is not money."""
    rest = text[number.end :].lstrip()
    return not (rest[:1].isalpha() and rest[:1].isascii()) and not rest.startswith(tuple(table.get("other_units", ())))


# ---------------------------------------------------------------- time


def read_clock(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A time of day, "14:30", "下午2点半", "7 pm", as HH:MM."""
    for number in numbers(text):
        behind = text[number.end : number.end + NEAR].lstrip()
        minutes = _minutes_behind(behind)
        half = next((half for half in ("am", "pm") if find(behind, half) == 0), "")
        if (minutes is None and not half) or not number.value.is_integer() or number.whole > 24:
            continue
        before = text[max(0, number.start - 4) : number.start]
        if text[number.start : number.end + 1] == "一点" and not before.endswith(
            ("午", "上", "晨", "到", "在", "于", "从")
        ):
            continue  # 慢一点
        late = half == "pm" or first_of(before, table.get("late", ())) is not None
        hour = number.whole + 12 if late and number.whole < 12 else number.whole
        return {name: f"{hour:02d}:{minutes or 0:02d}"} if hour < 24 else {}
    return {}


def _minutes_behind(text: str) -> int | None:
    if text[:1] in (":", "点") and text[1:3].isdecimal() and int(text[1:3]) < 60:
        return int(text[1:3])
    if text.startswith("点"):
        return 30 if text[1:2] == "半" else 0
    return None


def read_ordinal(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The number behind a word of `before` and in front of one of its units: {"第" = ["天"], "day" = []}."""
    for number in numbers(text):
        before = text[: number.start].rstrip()
        for word, units in table["before"].items():
            if before.endswith(word) and number.value.is_integer() and (not units or has_unit(text, number, units)):
                return {name: number.whole}
    return next(({name: value} for word, value in table.get("words", {}).items() if contains(text, word)), {})


# ---------------------------------------------------------------- words


def read_object(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The JSON object behind one of `words`, as a button of a card writes it."""
    for word in table["words"]:
        at = find(text, word)
        start = text.find("{", at) if at != -1 else -1
        if start == -1:
            continue
        try:
            value, _end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return {name: value}
    return {}


def read_tags(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A list: every value of `words` one of whose words occurs and is not refused.

    `english` says what the values are called in a question without Chinese.
    """
    refusals = table.get("refusals", ())
    english = {} if is_chinese(text) else table.get("english", {})
    chosen = [
        english.get(value, value)
        for value, words in table["words"].items()
        if any(not is_refused(text, at, refusals) for word in words for at, _ in spans(text, word))
    ]
    return {name: chosen} if chosen else {}


def read_choice(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The first value of `words` one of whose words occurs."""
    for value, words in table["words"].items():
        if first_of(text, words):
            return {name: value}
    return {}


def read_flag(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    return {name: True} if first_of(text, table["words"]) else {}


KINDS: Kinds = {
    reader.kind: reader
    for reader in (
        SlotReader("count", read_count, gives=("{name}", "{name}_more", "{name}_asked")),
        SlotReader(
            "money", read_money, gives=("{name}", "{name}_per_day", "{name}_per_person", "{name}_given", "{code}")
        ),
        SlotReader("month", read_month),
        SlotReader("date", read_date, gives=("{name}", "{span}", "{span}_asked")),
        SlotReader("clock", read_clock),
        SlotReader("ordinal", read_ordinal),
        SlotReader("object", read_object, whole=True),
        SlotReader("tags", read_tags),
        SlotReader("choice", read_choice),
        SlotReader("flag", read_flag),
        UNKNOWN_NAME,
    )
}
