"""What cannot be read as the arguments of a call, said in the language of the run it happens in."""

from __future__ import annotations

import re

from app.agent.tools.call_reader import read_call
from app.core.run.chat_model import CallTurn
from app.providers.tool_arguments import read_arguments
from tests.fakes import context, says, scripted

TEXTS = ('{"a": ', '{"a":1}{', '{"a":1,"a":2}', "[1]", "7", "NaN", '{"a": NaN}', '{"a":' * 2_000)


def test_a_chinese_run_reads_no_english_of_the_providers_reader() -> None:
    left: list[str] = []
    for text in TEXTS:
        args, error = read_arguments(text)
        call = CallTurn("c1", "calculator", text, args, error)
        for language in ("zh_CN", "en"):
            read = read_call(
                context(scripted(says("")), language=language), call, any_number=False, place=0, hooked=False
            )
            assert read.turned is not None, text
            failure = read.turned.result.error
            assert failure is not None
            # What the model wrote is quoted as it is.
            words = (failure.message + failure.hint).replace(text[:400], "")
            if (language == "zh_CN") == bool(re.search(r"[a-z]{3,} [a-z]{2,}", words)):
                left.append(f"{language}: {words[:150]}")
    assert left == []
