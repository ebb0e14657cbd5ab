from __future__ import annotations

import pytest

from app.services.settings.output_schemas import schema_fault


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "json"),
        ("[1]", "object"),
        ('{"type": "nothing"}', "schema"),
        ('{"type": "object", "properties": {"a": {"enum": [null]}}}', "null"),
        ('{"a": ' * 20_000 + "1" + "}" * 20_000, "json"),
        (f'{{"description": "{"x" * 70_000}"}}', "schema"),
    ],
)
def test_what_is_no_schema_is_said(text: str, code: str) -> None:
    fault = schema_fault(text)
    assert fault is not None
    assert fault.code == code


def test_the_line_of_a_slip_is_named() -> None:
    fault = schema_fault('{\n  "type": "object",\n  oops\n}')
    assert fault is not None
    assert fault.line == 3


def test_a_schema_has_no_fault() -> None:
    assert schema_fault('{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}') is None
