"""The model of a run, for a tool that writes or reads a picture: a text on a request of its own, outside the
conversation.

A tool that is declared with `asks_model` finds it in `ToolContext.resources`. What it uses counts against the budget of
the run; stopping the run stops it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

TEXT_MODEL = "text_model"
"""Its name among `ToolContext.resources`."""


class TextModel(Protocol):
    def __call__(self, rules: str, request: str, images: Sequence[str] = ()) -> AsyncIterator[str]:
        """The text as it comes; `images` are `data:` URLs. An attempt that has given nothing yet is made again, as for
        any request.

        Raises ToolError NO_MODEL where the run has none that writes, NO_VISION where there are images and it sees none
        (perhaps only at the end: a server may take a picture away and say so), BUDGET where its budget is used up,
        UPSTREAM where the model fails or sends damaged data: what was given before that is whole up to there.
        """
