from __future__ import annotations

import pytest

from app.core.text.lookalikes import mixed_words, told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pаypal and paypal", ["pаypal"]),
        ('{"url":"https://аррӏе.com/x"}', ["аррӏе.com"]),
        ("https://例え.jp", ["例え.jp"]),
        ("Ηello Ηello", ["Ηello"]),
        ("файл.txt, 中文abc, naïve, Ελλάδα, مرحبا", []),
        ("all ascii", []),
    ],
)
def test_A09_words_that_mix_alphabets_are_found(text: str, found: list[str]) -> None:
    assert mixed_words(text) == found


def test_A09_the_letter_that_pretends_is_named() -> None:
    assert told("pаypal") == "p⟦а U+0430⟧ypal"
    assert told("例え.jp") == "⟦例 U+4F8B⟧⟦え U+3048⟧.jp"
    assert told("файл") == "файл"


def test_long_texts_are_looked_at_in_part_and_few_are_named() -> None:
    assert len(mixed_words("pаy " * 10 + " ".join(f"а{chr(97 + n)}" for n in range(20)))) == 5
    assert mixed_words("中" * 1_000_000) == []
