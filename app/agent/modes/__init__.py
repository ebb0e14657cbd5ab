"""How a run proceeds: one file per mode, each an asynchronous generator of events.

To add a mode: a file with a titled `Mode` and its line in MODES. Every selector then offers it; a tool tip of its own
goes into `ui/texts/modes.py`.
"""

from .auto import AUTO
from .base import Mode
from .direct import DIRECT
from .plan import PLAN
from .react import REACT

MODES: tuple[Mode, ...] = (AUTO, DIRECT, REACT, PLAN)

__all__ = ["MODES", "Mode"]
