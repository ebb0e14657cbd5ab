"""Between a run and what is seen of it: the one loop over its events.

`presenter` follows a run and paints; `answer` turns events into the row of the chat, the stored
and the live ones by the same code; `progress` says in words what goes on. Asks for nothing from
the disk and decides nothing about the run.
"""

from .answer import Answer, Canvas
from .presenter import RunPresenter
from .progress import Progress

__all__ = ["Answer", "Canvas", "Progress", "RunPresenter"]
