"""Characters one does not see are written out, wherever they stand and however quickly one looks."""

from __future__ import annotations

import pytest

from app.core.text.hidden import is_hidden, marked, without_hidden

_PLANES = (range(0x20000), range(0xE0000, 0xE1000))


def test_no_hidden_character_passes_the_quick_look() -> None:
    passed = []
    for code in (code for plane in _PLANES for code in plane):
        text = f"中{chr(code)}"
        if is_hidden(text, 1) and f"⟦U+{code:04X}⟧" not in marked(text):
            passed.append(f"U+{code:04X}")
    assert not passed


@pytest.mark.parametrize(
    "text", ["plain", "帮我规划北京三日游", "naïve café", "👨\u200d👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3"]
)
def test_what_is_seen_stays_as_it_is(text: str) -> None:
    assert marked(text) == text
    assert without_hidden(text) == (text, 0)


def test_what_hides_is_counted_and_taken_out() -> None:
    assert without_hidden("中\u200b文\u3164\u202e!") == ("中文!", 3)
    assert marked("a\u202eb\ufe0f") == "a⟦U+202E⟧b⟦U+FE0F⟧"
