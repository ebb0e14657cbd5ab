"""Between a run and what is seen of it: the one loop over its events.

`presenter` follows a run and paints; `answer` turns events into the row of the chat, the stored
and the live ones by the same code; `progress` says in words what is happening. Asks for nothing from
the disk and decides nothing about the run.
"""

from .answer import AnswerBuilder, AnswerCanvas
from .presenter import RunPresenter
from .progress import RunProgress

__all__ = ["AnswerBuilder", "AnswerCanvas", "RunPresenter", "RunProgress"]
