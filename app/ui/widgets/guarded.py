"""For methods that Qt calls while it paints or reads a model: none of them may raise.

An exception that leaves such a method comes back with every repaint, and a painter it leaves open ends the
process. `@guarded` reports it where other unforeseen errors are reported and leaves that one item unpainted.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import QPainter

Method = TypeVar("Method", bound=Callable[..., Any])

_INSTEAD: Mapping[str, Any] = {
    "flags": Qt.ItemFlag.NoItemFlags,
    "sizeHint": QSize(0, 24),
    "intrinsicSize": QSizeF(1.0, 1.0),
}
"""What is returned in place of a result, by the name of the method; None by the others."""


def guarded(method: Method) -> Method:
    """A painter it is given is as it was before when it returns."""
    instead = _INSTEAD.get(method.__name__)

    @wraps(method)
    def safe(*args: Any, **named: Any) -> Any:
        painter = args[1] if len(args) > 1 and isinstance(args[1], QPainter) else None
        if painter is not None:
            painter.save()
        try:
            return method(*args, **named)
        except Exception as error:  # noqa: BLE001 - reported; beyond here is Qt
            _end_painters(error)
            sys.excepthook(type(error), error, error.__traceback__)
            return instead
        finally:
            if painter is not None:
                painter.restore()

    return safe  # type: ignore[return-value]


def _end_painters(error: BaseException | None) -> None:
    """The traceback keeps what its functions made: a painter of theirs would outlive the painting."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__
