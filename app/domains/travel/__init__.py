"""The travel planner's trade: cities, sights, food, money, transport and days, all offline and checkable.

`model` holds the records and reads the data, `routing` orders days and estimates ways, `rules` and `checks` compute
over both; `tools` only read arguments and word the results. The data is in resources/travel/data and is read at the
first question, not at import. Only `services` sends requests, through `ToolContext.http`; `map_servers` converts
points of Chinese map servers. `slots` and `model/gazetteer` read questions for the offline rules.

To add a tool: a function with `@tool` in one of the `tools` modules, one line here.
To add a city: one file in resources/travel/data; tests/domains/travel/test_data.py says what it must have.
"""

from app.core.domain import Domain
from app.core.resources import domain_dir
from app.core.run.mode_words import ModeWords

from .map_servers import map_server
from .model.gazetteer import shipped_names
from .services.endpoints import GEOCODE, WEATHER
from .slots import SLOT_ARGUMENTS, SLOTS
from .tools.check import check_itinerary
from .tools.cities import get_city_info, search_cities
from .tools.export import export_trip
from .tools.live import geocode, get_weather
from .tools.money import calculate_budget
from .tools.packing import packing_list
from .tools.planning import calendar_info, compare_cities, order_cities
from .tools.routes import estimate_transfer, generate_route
from .tools.sights import query_attractions, search_food
from .tools.trips import edit_trip, list_trips, load_trip, save_trip

TOOLS = (
    search_cities,
    get_city_info,
    query_attractions,
    search_food,
    calculate_budget,
    estimate_transfer,
    generate_route,
    check_itinerary,
    save_trip,
    load_trip,
    list_trips,
    edit_trip,
    export_trip,
    compare_cities,
    order_cities,
    calendar_info,
    packing_list,
    get_weather,
    geocode,
)

MODE_WORDS = ModeWords(plan=("行程", "攻略", "itinerary"), react=("景点", "天气"), units=("天", "日", "days", "day"))
DOMAIN = Domain(
    "travel",
    TOOLS,
    domain_dir("travel"),
    endpoints=(WEATHER, GEOCODE),
    mode_words=MODE_WORDS,
    slots=SLOTS,
    slot_arguments=SLOT_ARGUMENTS,
    names=shipped_names,
    adapters=(map_server,),
)

__all__ = ["DOMAIN", "TOOLS"]
