"""What a test of a connection found, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.errors import TriptychError
from app.core.i18n import _
from app.ui import texts

if TYPE_CHECKING:
    from app.services.providers import CheckResult


def result_words(result: CheckResult) -> str:
    if result.ok:
        told = _("It works: {host} answered in {ms} ms.").format(host=result.message, ms=result.ms)
        if result.model_listed is False:
            told += " " + _("The first model is not in its list, though.")
        return told
    what = texts.error_text(result.code, result.message).what
    parts = [what, result.message if result.message not in what else "", result.hint]
    return "\n".join(part for part in parts if part)


def error_words(error: TriptychError | OSError) -> str:
    if isinstance(error, OSError):
        return str(error)
    told = texts.error_text(error.code, error.message, error.params)
    parts = [told.what, error.message if error.message not in told.what else "", error.hint or told.do]
    return "\n".join(part for part in parts if part)
