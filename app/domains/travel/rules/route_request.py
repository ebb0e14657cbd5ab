"""What generate_route was asked, read into what the planner works with: stops, days, ways and limits.

Everything assumed on the way is written down in `assumptions`, in the language of the call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext

from ..model.budget import Party
from ..model.dataset import edit_distance
from ..model.geo import Point
from ..model.holiday_calendar import calendar_of, holiday_name
from ..model.hours import parse_time
from ..model.places import Attraction, City
from ..model.sights import suits
from ..model.vocabulary import folded, vocabulary
from ..routing.intercity import ARRIVAL_BUFFER, DEPARTURE_BUFFER
from ..routing.stops import EARLIEST, LATEST, PACE_LIMITS, Day, Limits, Stop, Ways
from ..routing.transfer import Mode, Spot, hub_spot, spot_of
from ..routing.ways import EstimatedWays, GivenWays
from ..wording import N_, mode_name
from .areas import area_of
from .lookups import dataset_of, given_date, known_attraction, known_city, unknown_place
from .route_stops import RouteStop, by_interest, given_stop, sight_stop


@dataclass
class RouteRequest:
    city: City | None
    places: dict[str, RouteStop]
    stops: list[Stop]
    """In order of preference."""
    days: list[Day]
    ways: Ways
    limits: Limits
    party: Party
    mode: Mode
    home: str | None
    """Where days begin, by name; None if nothing is known about it."""
    sleeps_at: Mapping[str, Any] | None
    """The lodging as the user gave it, or the centre of the city, marked `assumed`."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """The arguments that whoever checks or edits the itinerary needs again."""
    by_rank: bool = False
    proposed: frozenset[str] = frozenset()
    """Ids that were our idea and merely in reserve: leaving them out is no loss to report."""
    left_out: dict[str, str] = field(default_factory=dict)
    """What is not even tried, with the reason."""
    assumptions: list[str] = field(default_factory=list)
    diet: frozenset[str] = frozenset()
    """What dishes suggested at meals must be."""
    without: frozenset[str] = frozenset()
    """What they must not contain."""


SUITED = {
    "elder": N_("only sights without many stairs were chosen"),
    "wheelchair": N_("only sights that a wheelchair reaches, in part at least, were chosen"),
}
"""Said where sights were left aside for somebody's sake."""


def read_request(ctx: ToolContext, args: Mapping[str, Any]) -> RouteRequest:
    return _Reader(ctx, args).read()


class _Reader:
    def __init__(self, ctx: ToolContext, args: Mapping[str, Any]) -> None:
        self.ctx, self.args = ctx, args
        self.city = None if args.get("city") is None else known_city(ctx, args["city"])
        self.assumptions: list[str] = []
        self.left_out: dict[str, str] = {}
        self.spots: dict[str, Spot] = {}
        self.mode: Mode = args["mode"]
        self.total_days: int = args["days"]
        self.first_day: date | None = None
        party = args.get("party")
        self.party = Party(party["adults"], tuple(party.get("children", ()))) if party else Party(2)
        if party is None:
            self._assume(self.ctx.say("tickets are for two adults"))

    def _assume(self, text: str) -> None:
        self.assumptions.append(text)

    def _bad(self, path: str, text: str) -> ToolError:
        return ToolError("BAD_ARGUMENTS", f"{path}: {text}")

    def read(self) -> RouteRequest:
        limits = self._limits()
        lodging = self._lodging()
        days = self._days(lodging)
        reserve: frozenset[str] = frozenset()
        if self.city is None:
            places = self._given_places()
        else:
            places, reserve = self._city_places(self.city, limits, sum(day.usable for day in days))
        ways = self._ways(places, days)
        chosen = [place.stop for key, place in places.items() if key not in self.left_out]
        return RouteRequest(
            self.city, places, chosen, days, ways, limits, self.party, self.mode, lodging,
            sleeps_at=self._sleeps_at(lodging), asked=self._kept(),
            by_rank=self.city is not None and any(not stop.must for stop in chosen),
            proposed=reserve, left_out=self.left_out, diet=self._traits("diet"),
            without=self._traits("exclude_allergens"), assumptions=self.assumptions,
        )  # fmt: skip

    def _sleeps_at(self, lodging: str | None) -> Mapping[str, Any] | None:
        argument = self.args.get("lodging")
        if argument or lodging is None or self.city is None:
            return dict(argument) if argument else None
        return {"name": lodging, "assumed": True}

    def _kept(self) -> dict[str, Any]:
        """What the itinerary carries so that it can be judged by itself: ways, places of the user, limits."""
        limits = ("day_start", "day_end", "mode", "meals", "pace", "max_stops", "arrival", "departure")
        names = (*limits, "travel_matrix", "return_to_start", "tier")
        values = {name: self.args[name] for name in names if self.args.get(name) is not None}
        for name, fixed in (("early_start", "fixed_start"), ("late_end", "fixed_end")):
            if not self.args.get(fixed, True):
                values[name] = True
        wishes = {
            name: list(self.args[name]) for name in ("must_see", "avoid", "interests", "by_day") if self.args.get(name)
        }
        given = {"places": [dict(stop) for stop in self.args["stops"]]} if self.args.get("stops") else {}
        return {**values, **wishes, **given}

    def _limits(self) -> Limits:
        stops, minutes = PACE_LIMITS[self.args["pace"]]
        max_stops = self.args.get("max_stops")
        if max_stops:
            return Limits(max_stops, None, self.args["meals"])
        return Limits(stops, minutes, self.args["meals"])

    # ------------------------------------------------------------ start and end of the days

    def _lodging(self) -> str | None:
        """The key of where the days begin; None if nothing is known about it."""
        lodging = self.args.get("lodging")
        centre = self.ctx.say("city centre")
        if lodging is None:
            if self.city is None or self._matrix():
                return self._start_without_lodging()
            self._assume(self.ctx.say("no lodging given: days begin and end in the city centre"))
            self.spots[centre] = Spot(self.city.point, self.city.point)
            return centre
        name = str(lodging["name"])
        if "lat" in lodging and "lon" in lodging:
            self.spots[name] = Spot(Point(lodging["lat"], lodging["lon"]))
        elif not self._locate(name) and not self._matrix():
            if self.city is None:
                self._assume(self.ctx.say("{name} has no coordinates: the way from there is not counted", name=name))
                return None
            self.spots[name] = Spot(self.city.point, self.city.point)
            self._assume(self.ctx.say("{name} has no coordinates: taken as the city centre", name=name))
        return name

    def _start_without_lodging(self) -> str | None:
        """The arrival's place, or the one key of the matrix that is no stop."""
        place = (self.args.get("arrival") or {}).get("place")
        if place and (self._matrix() or self._locate(place)):
            return str(place)
        ids = {str(raw["id"]) for raw in self.args.get("stops") or ()}
        ids |= {sight.id for sight in self.city.attractions} if self.city else set()
        others = [key for key in self._matrix() if key not in ids]
        if len(others) != 1:
            self._assume(self.ctx.say("no start given: days begin at their first stop"))
            return None
        self._assume(self.ctx.say("days begin and end at {place}", place=others[0]))
        return others[0]

    def _locate(self, name: str) -> str:
        """Put a known name on the map; returns the kind of station, "place" for anything else, "" if unknown."""
        for city in (self.city,) if self.city else dataset_of(self.ctx).cities:
            for hub in city.hubs:
                if folded(name) in (folded(hub.name_zh), folded(hub.name_en)):
                    self.spots[name] = hub_spot(city, hub)
                    return hub.kind
        match = dataset_of(self.ctx).attraction(name, self.city)
        if match and self.city is not None and match[0].id != self.city.id:
            match = None  # every other town has a West Street
        if match is None and self.city is not None and (near := area_of(self.city, name)):
            self._assume(
                self.ctx.say("{area} is taken as where {name} is", area=name, name=near.name(self.ctx.language))
            )
            match = self.city, near
        if match:
            self.spots[name] = spot_of(*match)
        return "place" if match else ""

    def _days(self, lodging: str | None) -> list[Day]:
        opening, closing = self._edge("day_start"), self._edge("day_end")
        if closing <= opening:
            raise self._bad("day_end", self.ctx.say("must be later than day_start"))
        first = self.first_day = self._first_date()
        home = lodging if self.args["return_to_start"] else None
        days = []
        for number in range(1, self.total_days + 1):
            on = None if first is None else first + timedelta(days=number - 1)
            holiday = self.city is not None and holiday_name(calendar_of(self.city), on) is not None
            days.append(Day(number, on, opening, closing, lodging, home, holiday, *self._leeway(opening, closing)))
        self._arrive(days)
        self._depart(days)
        return days

    def _edge(self, name: str) -> int:
        return parse_time(self.args[name])

    def _leeway(self, opening: int, closing: int) -> tuple[int | None, int | None]:
        """How early and late a day may go where nobody fixed its hours: for long ways, and for what begins at dusk."""
        fixed_start, fixed_end = self.args.get("fixed_start", True), self.args.get("fixed_end", True)
        return None if fixed_start else min(EARLIEST, opening), None if fixed_end else max(LATEST, closing)

    def _first_date(self) -> date | None:
        text = self.args.get("start_date")
        if text is None:
            self._assume(self.ctx.say("no date: ordinary open days, closing days not checked"))
            return None
        first = given_date(self.ctx, text, "BAD_ARGUMENTS")
        if first.year >= 9999:
            raise self._bad("start_date", self.ctx.say("too far away"))
        return first

    def _arrive(self, days: list[Day]) -> None:
        anchor = self.args.get("arrival")
        if not anchor:
            return
        place, kind = self._anchor("arrival", anchor)
        buffer = ARRIVAL_BUFFER.get(kind, 0)
        time = parse_time(anchor["time"]) + buffer
        if buffer:
            self._assume(self.ctx.say("{buffer} minutes to leave the station after arriving", buffer=buffer))
        for i, day in enumerate(days):
            if day.number < anchor["day"]:
                days[i] = replace(day, start=day.end)
            elif day.number == anchor["day"]:
                days[i] = replace(day, start=max(day.start, time), origin=place or day.origin, earliest=None)

    def _depart(self, days: list[Day]) -> None:
        anchor = self.args.get("departure")
        if not anchor:
            return
        place, kind = self._anchor("departure", anchor)
        buffer = DEPARTURE_BUFFER.get(kind, 0)
        time = parse_time(anchor["time"]) - buffer
        if buffer:
            self._assume(self.ctx.say("at the station {buffer} minutes before leaving", buffer=buffer))
        for i, day in enumerate(days):
            if day.number > anchor["day"]:
                days[i] = replace(day, start=day.end)
            elif day.number == anchor["day"]:
                days[i] = replace(day, end=min(day.end, time), destination=place or day.destination, latest=None)

    def _anchor(self, which: str, anchor: Mapping[str, Any]) -> tuple[str | None, str]:
        if anchor["day"] > self.total_days:
            words = self.ctx.say("there are {total_days} days only", total_days=self.total_days)
            raise self._bad(f"{which}.day", words)
        place = anchor.get("place")
        if not place:
            return None, ""
        kind = self._locate(place) or ("given" if place in self.spots else "")
        if kind or self._matrix():
            return str(place), kind
        self._assume(self.ctx.say("{place} is not known: the way from there is not counted", place=place))
        return None, ""

    # ------------------------------------------------------------ stops

    def _given_places(self) -> dict[str, RouteStop]:
        places: dict[str, RouteStop] = {}
        names: dict[str, str] = {}
        for raw in self.args["stops"]:
            key, name = str(raw["id"]), str(raw["name"])
            if key in places or folded(name) in names:
                self.left_out[key if key not in places else f"{key}#2"] = "DUPLICATE"
                continue
            places[key] = given_stop(raw)
            names.update({folded(key): key, folded(name): key})
            spot = places[key].spot
            if spot:
                self.spots[key] = spot
            elif not self._matrix():
                self.left_out[key] = "UNKNOWN"
        for said_ in self.args.get("must_see") or ():
            if folded(said_) not in names:
                near = [name for name in names if edit_distance(name, folded(said_)) <= 2]
                raise unknown_place(self.ctx, said_, near)
            key = names[folded(said_)]
            places[key] = replace(places[key], stop=replace(places[key].stop, must=True))
        self._avoid(lambda word: names.get(folded(word)))
        return places

    def _city_places(self, city: City, limits: Limits, usable_days: int) -> tuple[dict[str, RouteStop], frozenset[str]]:
        must = {known_attraction(self.ctx, name, city)[1].id for name in self.args.get("must_see") or ()}
        days = self._day_wishes(city)
        must |= days.keys()

        def named(word: str) -> str | None:
            match = dataset_of(self.ctx).attraction(word, city)
            return match[1].id if match and match[0].id == city.id else None

        self._avoid(named)
        taken = {*must, *self.left_out}
        tags = self._tags()
        wanted = [sight for sight in by_interest(city, tags) if sight.id not in taken]
        whom = self.args.get("whom")
        for each in dict.fromkeys(filter(None, [whom, "child" if self.party.children else None])):
            wanted = [sight for sight in wanted if suits(sight, each)]
        if whom in SUITED:
            self._assume(self.ctx.say(SUITED[whom]))
        room = max(0, limits.max_stops * max(1, usable_days) - len(must))
        chosen = [sight for sight in city.attractions if sight.id in must] + wanted
        places = {sight.id: self._sight(city, sight, sight.id in must, tags) for sight in chosen}
        for key, place in places.items():
            if key in days:
                places[key] = replace(place, stop=replace(place.stop, day=days[key]))
            if place.spot:
                self.spots[key] = place.spot
        return places, frozenset(sight.id for sight in wanted[room:])

    def _day_wishes(self, city: City) -> dict[str, int]:
        """The day of each sight for which one was named."""
        days = {}
        for wish in self.args.get("by_day") or ():
            if wish["day"] > self.total_days:
                words = self.ctx.say("there are {total_days} days only", total_days=self.total_days)
                raise self._bad("by_day", words)
            for name in wish["stops"]:
                days[known_attraction(self.ctx, name, city)[1].id] = wish["day"]
        return days

    def _tags(self) -> list[str]:
        tags = []
        for word in self.args.get("interests") or ():
            term = vocabulary().tags.find(word)
            if term is None:
                self._assume(self.ctx.say("the interest “{word}” is not known and was not used", word=word))
            else:
                tags.append(term.code)
        return tags

    def _traits(self, name: str) -> frozenset[str]:
        terms = {word: vocabulary().diet.find(word) for word in self.args.get(name) or ()}
        for word, term in terms.items():
            if term is None:
                self._assume(self.ctx.say("the diet “{word}” is not known and was not used", word=word))
        return frozenset(term.code for term in terms.values() if term)

    def _avoid(self, resolve: Any) -> None:
        for word in self.args.get("avoid") or ():
            key = resolve(word)
            if key is None:
                self._assume(self.ctx.say("“{word}”, to be avoided, is not in the data", word=word))
            else:
                self.left_out[key] = "AVOIDED"

    def _sight(self, city: City, sight: Attraction, must: bool, tags: Sequence[str]) -> RouteStop:
        closing = self._edge("day_end") if self.args.get("fixed_end", True) else LATEST
        return sight_stop(city, sight, self.first_day, closing, self.ctx.language, must=must, tags=tags)

    # ------------------------------------------------------------ ways

    def _matrix(self) -> Mapping[str, Mapping[str, float]]:
        matrix: Mapping[str, Mapping[str, float]] = self.args.get("travel_matrix") or {}
        return matrix

    def _ways(self, places: Mapping[str, RouteStop], days: Sequence[Day]) -> Ways:
        if not self._matrix():
            mode = mode_name(self.ctx.language, self.mode)
            self._assume(self.ctx.say("ways are offline estimates ({mode}; below 1.2 km on foot)", mode=mode))
            return EstimatedWays(self.spots, self.mode)
        ways = GivenWays(self._matrix(), self.mode)
        keys = [key for key in places if key not in self.left_out]
        pairs = [(a, b) for a in keys for b in keys]
        for day in days:
            if day.usable:
                pairs += [(day.origin, key) for key in keys if day.origin]
                pairs += [(key, day.destination) for key in keys if day.destination]
        missing = list(dict.fromkeys(ways.missing(pairs)))
        if missing:
            names = ", ".join(missing[:12]) + (" …" if len(missing) > 12 else "")
            raise self._bad("travel_matrix", self.ctx.say("missing {names}", names=names))
        return ways
