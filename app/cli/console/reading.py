"""For commands that only look: what can be read is read, also where nothing can be written."""

from __future__ import annotations

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.container import Services

from .output import report, tell


async def open_to_read(services: Services) -> None:
    """Raises what `Services.open` does where nothing can be read either."""
    try:
        await services.open()
    except TriptychError as error:
        if not await services.is_readable(error):
            raise
        report(error)
        tell("  " + _("what is stored is only read"))
