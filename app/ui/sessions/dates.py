"""When was that? Groups of the list, and the short time at the end of a row."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale

from app.core.i18n import _, current_language
from app.core.session import SessionRow


def group_title(row: SessionRow, today: date) -> str:
    if row.pinned:
        return _("Pinned")
    day = _local(row.updated).date()
    age = (today - day).days
    if age <= 0:
        return _("Today")
    if age == 1:
        return _("Yesterday")
    if age < 7:
        return _("Last 7 days")
    if age < 30:
        return _("Last 30 days")
    return str(day.year) if day.year != today.year else _("Earlier this year")


def short_time(moment: float, today: date) -> str:
    """10:42 today, the weekday within a week, else the date."""
    then = _local(moment)
    age = (today - then.date()).days
    locale = QLocale("zh_CN" if current_language() == "zh_CN" else "en_GB")
    day = QDate(then.year, then.month, then.day)
    if age <= 0:
        return f"{then:%H:%M}"
    if age < 7:
        return locale.dayName(day.dayOfWeek(), QLocale.FormatType.ShortFormat)
    return locale.toString(day, _("d MMM") if then.year == today.year else "yyyy-MM-dd")


def _local(moment: float) -> datetime:
    return datetime.fromtimestamp(moment).astimezone()
