"""The seam between an answer that broke off and the rest of it (N35)."""

from __future__ import annotations

from app.agent.request.continuation import Continuation
from tests.every import looped

BEFORE = "The train leaves Beijing at nine and arrives in Xi'an"


@looped(
    ("said", "shown"),
    [
        (" at two.", " at two."),
        ("arrives in Xi'an at two.", " at two."),
        ("\n\nand arrives in Xi'an at two.", " at two."),
        ("an at two.", "an at two."),
        (BEFORE + " at two.", " at two."),
        ("", ""),
        ("Xi'an is old. " * 30, "Xi'an is old. " * 30),
    ],
)
@looped("size", [1, 7, 1_000])
def test_N35_what_is_said_again_is_left_out(said: str, shown: str, size: int) -> None:
    seam = Continuation(BEFORE)
    pieces = [seam.feed(said[at : at + size]) for at in range(0, len(said), size)]
    assert "".join([*pieces, seam.finish()]) == shown


def test_without_an_old_text_nothing_is_held_back() -> None:
    seam = Continuation("")
    assert seam.feed("at once") == "at once"
    assert seam.finish() == ""
