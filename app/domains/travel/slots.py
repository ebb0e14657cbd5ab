"""What the offline rules can read of a journey: places, days city by city, who travels."""

from __future__ import annotations

from app.core.slots import SlotArgument, SlotReader
from app.core.text.i18n import N_

from .read_people import read_party
from .reading.day_wishes import read_day_wishes
from .reading.edits import read_edits
from .reading.months import read_lunar, read_month_part
from .reading.places import PLACES, read_places, read_stays
from .reading.times import read_anchors, read_day_of_month, read_feast, read_hours, read_stopover, read_weekday
from .reading.unlisted import read_unlisted

ANCHORS = (
    "arrival", "departure", "arrive_time", "arrive_at", "leave_time", "leave_at", "start_date", "{span}",
)  # fmt: skip
SLOTS = (
    SlotReader("unlisted", read_unlisted, whole=True),
    SlotReader("places", read_places, whole=True, gives=PLACES),
    SlotReader("stays", read_stays, whole=True, gives=("{name}", "{sum}")),
    SlotReader("by_day", read_day_wishes, whole=True, gives=("{name}",)),
    SlotReader("anchors", read_anchors, whole=True, gives=ANCHORS),
    SlotReader("hours", read_hours, gives=("day_start", "day_end", "hours")),
    SlotReader(
        "stopover",
        read_stopover,
        whole=True,
        gives=("{name}", "days", "arrival", "departure", "arrive_at", "day_start"),
    ),
    SlotReader("feast", read_feast, gives=("{of}",)),
    SlotReader("day_of_month", read_day_of_month, gives=("{of}", "{span}")),
    SlotReader("month_part", read_month_part, gives=("{of}", "{name}")),
    SlotReader("lunar", read_lunar, gives=("{of}", "{span}")),
    SlotReader("weekday", read_weekday, gives=("{name}", "{name}_date")),
    SlotReader("edits", read_edits, whole=True),
    SlotReader("party", read_party, gives=("adults", "adults_more", "children", "age_assumed")),
)
SLOT_ARGUMENTS = (
    SlotArgument("city", N_("city"), ("city", "cities")),
    SlotArgument("days", N_("days"), ("days", "total_days")),
    SlotArgument("start_date", N_("start date"), ("start_date",)),
    SlotArgument("month", N_("month"), ("month",)),
    SlotArgument("adults", N_("adults"), ("party.adults", "adults")),
    SlotArgument("children", N_("children"), ("party.children",)),
    SlotArgument("tier", N_("tier"), ("tier",)),
    SlotArgument("interests", N_("interests"), ("interests",)),
    SlotArgument("pace", N_("pace"), ("pace",)),
    SlotArgument("diet", N_("diet"), ("diet",)),
)
