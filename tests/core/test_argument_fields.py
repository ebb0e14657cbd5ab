from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.run.argument_fields import ArgumentField, WrongText, fields_of, read, written

SCHEMA: dict[str, Any] = {
    "properties": {
        "city": {"type": "string", "description": "where"},
        "days": {"type": "integer", "minimum": 1},
        "price": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
        "tier": {"enum": ["economy", "luxury"]},
        "open": {"type": "boolean"},
        "stops": {"type": "array", "items": {"$ref": "#/$defs/place"}},
    },
    "required": ["city", "price"],
}
VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.just("$1.data")
    | st.lists(st.integers(), max_size=3)
)


def kinds(values: dict[str, Any]) -> dict[str, str]:
    return {field.name: field.kind for field in fields_of(SCHEMA, values)}


def test_each_type_of_the_schema_has_its_field() -> None:
    assert kinds({}) == {
        "city": "text", "days": "integer", "price": "number", "tier": "choice", "open": "bool", "stops": "json",
    }  # fmt: skip


def test_what_may_be_null_is_not_needed() -> None:
    needed = {field.name for field in fields_of(SCHEMA, {}) if field.required}
    assert needed == {"city"}


def test_a_value_that_does_not_fit_or_hides_something_is_json() -> None:
    found = kinds({"days": "three", "city": "a\u202eb", "tier": "free", "extra": 1})
    assert (found["days"], found["city"], found["tier"], found["extra"]) == ("json", "json", "json", "json")


def test_a_reference_fits_every_field() -> None:
    for field in fields_of(SCHEMA, {}):
        assert read(field, " $2.data.id ", references=True) == "$2.data.id"


@pytest.mark.parametrize(
    ("kind", "text"), [("integer", "1.5"), ("integer", "true"), ("number", "x"), ("choice", "x"), ("json", "{")]
)
def test_wrong_text_is_refused(kind: Any, text: str) -> None:
    with pytest.raises(WrongText) as wrong:
        read(ArgumentField("a", kind, ("one",)), text)
    assert wrong.value.code == kind


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(SCHEMA["properties"], VALUES)))
def test_what_is_written_is_read_back(values: dict[str, Any]) -> None:
    for references in (False, True):
        for field in fields_of(SCHEMA, values, references=references):
            if values.get(field.name) is not None:
                text = written(field, values[field.name], references=references)
                assert read(field, text, references=references) == values[field.name]
