"""What a rule book holds once it is read: intents, their calls, and the tables they are chosen and worded by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .extract import Kinds
from .picking import ListPicks
from .texts import LocalisedText, Words
from .withdrawal import Withdrawals


@dataclass(frozen=True, slots=True)
class CallRule:
    """One tool call of an intent. References `$n.path` in `args` count the calls of the intent."""

    tool: str
    name: str
    """Under this name the answer finds the result."""
    args: Mapping[str, Any]
    when: tuple[str, ...]
    """Only if one of these is known (`budget`, `said.adults`); empty = always."""
    all: tuple[str, ...]
    """Only if each of these is known."""
    unless: tuple[str, ...]
    """Not if one of these is known."""
    description: LocalisedText


@dataclass(frozen=True, slots=True)
class Intent:
    name: str
    words: tuple[str, ...]
    also: tuple[tuple[str, ...], ...]
    unless: tuple[str, ...]
    has: tuple[str, ...]
    """Slots the question itself must fill."""
    any: tuple[str, ...]
    """Slots of which the question itself must fill one."""
    among: tuple[str, ...]
    """Slots of which the question itself must fill `count`."""
    count: int
    lacks: tuple[str, ...]
    """Slots the question itself must not fill."""
    needs: tuple[str, ...]
    """Slots without which the intent asks back."""
    defaults: Mapping[str, Any]
    weak: bool
    """Tried only when the question is no follow-up either."""
    first: bool
    """Tried before a question is taken for a change to the one before it."""
    after: tuple[str, ...]
    """Only behind one of these intents; all that was said then still holds."""
    passing: bool
    """A remark in passing: the next follow-up goes back to what was before it."""
    aside: bool
    """Passing, where what was before it is kept (`keeps`): a question about a plan ends no plan."""
    keeps: str
    """Under this name later questions find the slots of this one."""
    changes: bool
    """It changes what is kept: that can be taken back."""
    drops: tuple[str, ...]
    """Slots that hold for this question only."""
    calls: tuple[CallRule, ...]
    goal: LocalisedText
    answer: LocalisedText
    answer_needs: tuple[str, ...]
    """Results without which the answer cannot be worded."""
    ask: LocalisedText | None
    sums: Mapping[str, tuple[tuple[str, ...], ...]]
    """Names for sums over paths, for the answer."""
    lets: Mapping[str, Any]
    """Values put together from slots before the calls are made."""
    words_used: frozenset[str] = frozenset()
    """Every word of its calls, conditions and texts: a slot among them counts for it."""

    def uses(self, slot: str) -> bool:
        """Whether one of its calls takes or waits for the slot."""
        return any(slot in call.when or "{" + slot + "}" in str(call.args) for call in self.calls)


@dataclass(frozen=True, slots=True)
class RuleBook:
    subject: str
    """The slot that says what a conversation is about, and the slot of several such; "" = there is none."""
    subjects: str
    bound: tuple[str, ...]
    """Slots that are forgotten with the subject, when another one is named."""
    passing_keeps: tuple[str, ...]
    """Slots that a remark in passing does not change for the questions after it."""
    hidden: tuple[str, ...]
    """Slots that repeat what others say; they are not shown among what was understood."""
    inherit: tuple[str, ...]
    """Slots taken over from earlier questions."""
    asks: tuple[str, ...]
    """Slots a person is asked for where a question was not understood."""
    withdraw: Withdrawals
    words: Words
    """What codes and slots are called."""
    change_words: tuple[str, ...]
    follow_words: tuple[str, ...]
    facts: tuple[str, ...]
    """Slots that alone make a remark a change to the question before, where that one uses them."""
    plain: tuple[str, ...]
    """Those of the facts that go before a question of its own: "budget 4000" behind a plan changes the plan."""
    asking: tuple[str, ...]
    """Words of a question that is one of its own."""
    adds: tuple[tuple[str, str], ...]
    """Lists that grow in a conversation about one subject, each with the list that takes an item out of it."""
    corrections: tuple[str, ...]
    """Words inside a question that take back what stands before them."""
    undo: tuple[str, ...]
    """Words that take back the last change of what is kept."""
    replaces: Mapping[str, tuple[str, ...]]
    """What earlier slots are forgotten when one is said again."""
    pick: ListPicks
    shares: Mapping[str, tuple[str, ...]]
    """Slots reckoned from others of the same question: the first, divided by the rest as far as they are said."""
    slots: Mapping[str, Mapping[str, Any]]
    kinds: Kinds
    """The readers of the slots, by kind."""
    unknown_names: Mapping[str, str]
    """Slots for names that the data do not have → the slot such a name would have filled."""
    recall: Mapping[str, Mapping[str, str]]
    """What is remembered of earlier results: name → tool → path into its data. The newest result of one of the
    tools decides; an empty path forgets."""
    recall_fields: Mapping[str, tuple[str, ...]]
    """Of these names, what is kept with the question that made the result: a later one sees its text only, cut."""
    intents: tuple[Intent, ...]
    messages: Mapping[str, LocalisedText]
