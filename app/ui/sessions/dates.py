"""When was that? Groups of the list, and the short time at the end of a row."""

from __future__ import annotations

from datetime import date, datetime, time

from PySide6.QtCore import QDate, QLocale

from app.core.session.summary import SessionRow
from app.core.text.i18n import _, current_language
from app.core.text.moments import local_time

_DAY = 86_400


class Groups:
    """The groups as seen on one day. Compares seconds, because a long list asks a thousand times."""

    def __init__(self, today: date) -> None:
        self._year = today.year
        midnight = datetime.combine(today, time()).astimezone()
        # A day with a change of the clock is an hour longer or shorter; for a heading that is near enough.
        self._steps = (
            (midnight.timestamp(), _("Today")),
            (midnight.timestamp() - _DAY, _("Yesterday")),
            (midnight.timestamp() - 6 * _DAY, _("Last 7 days")),
            (midnight.timestamp() - 29 * _DAY, _("Last 30 days")),
        )
        self._temporary = _("Temporary, never stored")
        self._pinned, self._this_year, self._unknown = _("Pinned"), _("Earlier this year"), _("Time unknown")

    def title(self, row: SessionRow) -> str:
        if row.is_temporary:
            return self._temporary
        if row.pinned:
            return self._pinned
        for since, title in self._steps:
            if row.updated >= since:
                return title
        moment = local_time(row.updated) if row.updated else None
        if moment is None:
            return self._unknown
        return str(moment.year) if moment.year != self._year else self._this_year


def short_time(moment: float, today: date) -> str:
    """10:42 today, the weekday within a week, else the date; "" for a time nobody knows."""
    then = local_time(moment) if moment else None
    if then is None:
        return ""
    age = (today - then.date()).days
    locale = QLocale("en_GB" if current_language() == "en" else current_language())
    day = QDate(then.year, then.month, then.day)
    if age <= 0:
        return f"{then:%H:%M}"
    if age < 7:
        return locale.dayName(day.dayOfWeek(), QLocale.FormatType.ShortFormat)
    return locale.toString(day, _("d MMM") if then.year == today.year else "yyyy-MM-dd")
