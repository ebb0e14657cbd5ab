"""How a run proceeds: one file per mode, each an asynchronous generator of events.

The run comes in here with its context. To add a mode: a file with a `Mode`, its line in MODES;
its sentences for people are added where the window and the command line keep theirs.
"""

from .auto import AUTO
from .base import Mode
from .direct import DIRECT
from .plan import PLAN
from .react import REACT

MODES: tuple[Mode, ...] = (AUTO, DIRECT, REACT, PLAN)

__all__ = ["MODES", "Mode"]
