"""For commands that only look: what can be read is read, also where nothing can be written."""

from __future__ import annotations

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.lifecycle import Lifecycle

from .output import report, tell


async def open_to_read(lifecycle: Lifecycle) -> None:
    """Raises what `Services.open` does where nothing can be read either."""
    try:
        await lifecycle.open()
    except TriptychError as error:
        if not await lifecycle.is_readable(error):
            raise
        report(error)
        tell("  " + _("what is stored is only read"))
