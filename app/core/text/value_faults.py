"""What is wrong with a value, in our own words: pydantic's are English, and made for whoever writes the model.

    except ValidationError as error:
        raise BadInput(value_fault(error).sentence(), **value_fault(error).params)

What a validator of ours raises is a ValueError with a text marked `N_`, or a `PydanticCustomError` where it names
something; its type is in the table below then.
To add a kind: its type as pydantic names it, with the values of its context in braces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .i18n import N_, say_in

if TYPE_CHECKING:
    from pydantic import ValidationError

_WHOLE, _NUMBER, _TEXT = N_("should be a whole number"), N_("should be a number"), N_("should be a text")
_LIST, _TABLE = N_("should be a list"), N_("should be a table of names and values")
_YES_OR_NO, _UNFIT = N_("should be true or false"), N_("does not fit")
_AT_LEAST, _AT_MOST = N_("should be at least {limit}"), N_("should be at most {limit}")
_KINDS: Mapping[str, str] = {
    "int_type": _WHOLE, "int_parsing": _WHOLE, "int_from_float": _WHOLE, "int_parsing_size": _WHOLE,
    "float_type": _NUMBER, "float_parsing": _NUMBER, "decimal_type": _NUMBER, "decimal_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "string_type": _TEXT, "string_sub_type": _TEXT, "string_unicode": _TEXT,
    "bool_type": _YES_OR_NO, "bool_parsing": _YES_OR_NO,
    "list_type": _LIST, "tuple_type": _LIST, "set_type": _LIST, "frozen_set_type": _LIST, "iterable_type": _LIST,
    "dict_type": _TABLE, "mapping_type": _TABLE, "model_type": _TABLE, "model_attributes_type": _TABLE,
    "dataclass_type": _TABLE,
    "literal_error": N_("should be one of {expected}"), "enum": N_("should be one of {expected}"),
    "greater_than_equal": _AT_LEAST, "less_than_equal": _AT_MOST,
    "greater_than": N_("should be above {limit}"), "less_than": N_("should be below {limit}"),
    "string_too_short": N_("needs at least {limit} characters"),
    "string_too_long": N_("takes at most {limit} characters"),
    "too_short": N_("needs at least {limit} entries"), "too_long": N_("takes at most {limit} entries"),
    "string_pattern_mismatch": N_("is not written as it should be"),
    "missing": N_("is missing"), "extra_forbidden": N_("is not known"), "json_invalid": N_("is no JSON"),
    "none_required": N_("should be left empty"),
}  # fmt: skip
_LIMITS = ("ge", "le", "gt", "lt", "min_length", "max_length")
_OWN = frozenset({"value_error", "assertion_error"})


@dataclass(frozen=True, slots=True)
class ValueFault:
    """The first thing wrong; `place` is like `budget.tokens`, "" for the whole."""

    place: str
    words: str
    """Marked for translation, or somebody else's."""
    values: Mapping[str, Any] = field(default_factory=dict)

    def sentence(self, language: str = "en") -> str:
        clause = self.clause(language)
        return say_in(language, "{place}: {clause}", place=self.place, clause=clause) if self.place else clause

    def clause(self, language: str = "en") -> str:
        """Without the place."""
        return say_in(language, self.words, **self.values)

    @property
    def params(self) -> dict[str, Any]:
        """For an error that crosses floors: it is worded where it is read."""
        return {"reason": "VALUE", "place": self.place, "words": self.words, "values": dict(self.values)}


def value_fault(error: ValidationError) -> ValueFault:
    return value_faults(error)[0]


def value_faults(error: ValidationError) -> list[ValueFault]:
    return [_read(fault) for fault in error.errors(include_url=False, include_input=False)]


def fault_of_params(params: Mapping[str, Any]) -> ValueFault:
    """Of what `ValueFault.params` gave."""
    return ValueFault(str(params.get("place", "")), str(params.get("words", "")), dict(params.get("values") or {}))


def _read(fault: Mapping[str, Any]) -> ValueFault:
    place, kind = ".".join(str(part) for part in fault["loc"]), str(fault["type"])
    context: Mapping[str, Any] = fault.get("ctx") or {}
    if kind in _OWN:
        own = context.get("error")
        # What is no plain ValueError was raised by somebody else, in words of theirs.
        if not isinstance(own, Exception) or type(own) not in (ValueError, AssertionError) or not own.args:
            return ValueFault(place, _UNFIT)
        values = own.args[1] if len(own.args) > 1 and isinstance(own.args[1], Mapping) else {}
        return ValueFault(place, str(own.args[0]), dict(values))
    if kind not in _KINDS:
        return ValueFault(place, _UNFIT)
    limit = next((context[name] for name in _LIMITS if name in context), "")
    values = {"limit": limit, "expected": str(context.get("expected", "")).replace(" or ", ", ")}
    named = {name: value for name, value in values.items() if "{" + name + "}" in _KINDS[kind]}
    return ValueFault(place, _KINDS[kind], named)


def known_kinds() -> Mapping[str, str]:
    return _KINDS
