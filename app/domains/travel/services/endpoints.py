"""Which services can be asked for the weather and for places, and what the settings say of each."""

from __future__ import annotations

from app.core.tools.endpoint import Endpoint

from ..wording import N_

_TODAY = (("city", "北京"), ("from", "{today}"), ("to", "{today}"))
_PLACE = (("text", "外滩"),)

QWEATHER = Endpoint(
    "travel.qweather",
    "https://devapi.qweather.com",
    N_("QWeather"),
    help=N_(
        "Forecasts of 7 days, best in China. It learns where the place is. Newer accounts have an address (API Host) "
        "of their own: type it as the address."
    ),
    credit="QWeather https://www.qweather.com",
    pace=0.25,
    needs_key=True,
    home="https://console.qweather.com",
    trial=_TODAY,
)
AMAP = Endpoint(
    "travel.amap",
    "https://restapi.amap.com",
    N_("Amap"),
    help=N_(
        "Places in China by a key of the kind “Web service”. It learns the words searched for. "
        "Its points are converted to WGS-84."
    ),
    credit="© AutoNavi https://www.amap.com",
    pace=0.4,
    needs_key=True,
    home="https://console.amap.com",
    trial=_PLACE,
)
WEATHER = Endpoint(
    "travel.weather",
    "https://api.open-meteo.com/v1/forecast",
    N_("Weather service"),
    help=N_(
        "Empty: Open-Meteo. Asked only after you allow it; it learns where the place is and which days. "
        "Another public address must answer in the same way."
    ),
    credit="Weather data by Open-Meteo.com (CC BY 4.0) https://open-meteo.com/",
    pace=0.25,
    formerly="weather_url",
    name="Open-Meteo",
    others=(QWEATHER,),
    trial=_TODAY,
)
GEOCODE = Endpoint(
    "travel.geocode",
    "https://nominatim.openstreetmap.org/search",
    N_("Place search"),
    help=N_(
        "Empty: Nominatim of OpenStreetMap. Asked only after you allow it; it learns the words searched for. "
        "Another public address must answer in the same way."
    ),
    credit="© OpenStreetMap contributors (ODbL) https://www.openstreetmap.org/copyright",
    pace=1.1,  # one request a second is what the public server allows to the whole of an application
    formerly="geocode_url",
    name="Nominatim",
    others=(AMAP,),
    trial=_PLACE,
)
