"""What a model is told at the head of a request."""

from __future__ import annotations

from datetime import date

import pytest

from app.agent.request.prompts import system_prompt
from app.core.profile import REPLY_STYLES, AgentProfile


def told(**fields: object) -> str:
    profile = AgentProfile.model_validate({"id": "travel", "system_prompt": "You plan.", **fields})
    return system_prompt(profile, today=date(2026, 11, 22), ask_for_think=False, has_tools=True)


def test_without_a_style_nothing_is_said_of_one() -> None:
    assert not any(words in told() for words in REPLY_STYLES.values())


@pytest.mark.parametrize("style", list(REPLY_STYLES))
def test_a_reply_style_asks_for_other_words_and_the_same_facts(style: str) -> None:
    prompt = told(reply_style=style)
    assert [name for name, words in REPLY_STYLES.items() if words in prompt] == [style]
    assert "every figure, time, warning and assumption" in prompt


def test_a_model_knows_from_the_beginning_what_form_the_answer_shall_have() -> None:
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    assert '"required":["n"]' in told(output_schema=schema)
    assert "schema" not in told()
