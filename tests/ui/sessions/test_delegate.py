from __future__ import annotations

import pytest

from app.ui.sessions.delegate import _plain


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("H<sub>2</sub>O <details open><summary>More</summary> <b>x</b>", "H2O More <b>x</b>"),
        ("# Title\n\n**bold** and `code`", "Title bold and code"),
        ("see ![a red cat](https://a.example/cat.png?x=1) here", "see a red cat here"),
        ("[words](https://a.example) and [cut](https://a.exam", "words and cut"),
        ("> quoted [1] (aside)", "quoted [1] (aside)"),
        ("[" * 200, "[" * 200),
    ],
)
def test_the_preview_is_words_without_marks(markdown: str, shown: str) -> None:
    assert _plain(markdown) == shown
