"""A handful of questions as a person types them, made cases of an evaluation."""

from __future__ import annotations

from typing import Final

from app.core.errors import BadInput

from .checks import Check
from .evaluation import EvalCase
from .questions import BatchQuestion

MOST_QUESTIONS: Final = 20
ARROW: Final = "=>"


def typed_cases(text: str, agent: str, rubric: str = "") -> list[EvalCase]:
    """One question per line; behind `=>` what its answer contains. With `rubric` a model judges each answer too.

    Raises BadInput.
    """
    cases = []
    for number, line in enumerate(filter(None, map(str.strip, text.splitlines())), 1):
        query, _arrow, wanted = (part.strip() for part in line.partition(ARROW))
        if not query:
            raise BadInput(f"question {number} is empty", reason="TRIAL_EMPTY", number=number)
        kinds = (("contains", wanted), ("judge", rubric.strip()))
        checks = tuple(Check(kind, value, {}) for kind, value in kinds if value)
        cases.append(EvalCase(BatchQuestion(str(number), query, agent), checks))
    if not 1 <= len(cases) <= MOST_QUESTIONS:
        raise BadInput(f"{len(cases)} questions", reason="TRIAL_COUNT", most=MOST_QUESTIONS)
    return cases


def typed_numbers(text: str) -> list[int]:
    """Separated by commas. Raises BadInput."""
    words = [word.strip() for word in text.replace("，", ",").replace("、", ",").split(",") if word.strip()]
    if any(not (word.isascii() and word.isdecimal() and int(word) <= 10) for word in words):
        raise BadInput("rounds are numbers from 0 to 10", reason="TRIAL_ROUNDS")
    return [int(word) for word in words]
