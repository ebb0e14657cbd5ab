"""The colours of the two themes, by what they mean.

To add a colour: one field here, one value in each theme; the contrast test asks whether text
in it can be read. Widgets use the meaning ("muted"), never the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

GRID = 8
"""All spacings are multiples of this, or half of it."""


class Tokens(NamedTuple):
    # No dataclass: made before the first paint, and those take a millisecond or two.
    scheme: str
    """Names the folder of marks a style sheet draws as pictures."""
    surface: str
    """The reading pane."""
    side: str
    """Left and right pane: a shade away from the centre."""
    raised: str
    """Popups, dialogs, the composer."""
    sunken: str
    """Cards and code inside the reading pane."""
    hover: str
    pressed: str
    border: str
    """Hairlines between panes and around cards; carries no meaning."""
    outline: str
    """Edges one must see, at least 3 to 1 on every ground: fields, check boxes, switches, outlined buttons."""
    text: str
    muted: str
    """Times, counts, hints: still readable as text."""
    accent: str
    """Send button, links, focus and selection; nothing else."""
    accent_hover: str
    on_accent: str
    accent_tint: str
    """Ground of a chosen chip."""
    bubble: str
    """What the person wrote."""
    selected: str
    """A chosen row in a list."""
    highlight: str
    """Selected text."""
    ok: str
    warn: str
    error: str
    day4: str
    """Fourth to sixth day of a journey; the first three are accent, ok and warn."""
    day5: str
    day6: str
    map_ground: str
    map_road: str
    map_water: str
    map_park: str
    ok_tint: str
    warn_tint: str
    error_tint: str
    strong_weight: int
    """Weight of emphasised text: lighter on dark ground, where bold glows."""
    syntax: Mapping[str, str] = MappingProxyType({})
    """Pygments token path to colour; the nearest ancestor counts."""


LIGHT = Tokens(
    scheme="light",
    surface="#FFFFFF",
    side="#F6F7F8",
    raised="#FFFFFF",
    sunken="#F7F8FA",
    hover="#ECEEF1",
    pressed="#E0E3E8",
    border="#E3E6EA",
    outline="#7F8896",
    text="#1D2129",
    muted="#5A6370",
    accent="#2B5DD2",
    accent_hover="#234FB6",
    on_accent="#FFFFFF",
    accent_tint="#EEF3FD",
    bubble="#ECF2FE",
    selected="#E4ECFB",
    highlight="#BBD3FF",
    ok="#1A7435",
    warn="#855800",
    error="#BC2029",
    day4="#6D3FC0",
    day5="#B3247A",
    day6="#0B6E75",
    map_ground="#FAFBFC",
    map_road="#D9DDE3",
    map_water="#D9E7F7",
    map_park="#E1F0E2",
    ok_tint="#EAF6ED",
    warn_tint="#FCF4E2",
    error_tint="#FDEDED",
    strong_weight=600,
    syntax=MappingProxyType(
        {
            "Comment": "#5A6370",
            "Keyword": "#B3247A",
            "Keyword.Constant": "#0A57B0",
            "Literal.Number": "#0A57B0",
            "Literal.String": "#1A6B3C",
            "Name.Attribute": "#0A57B0",
            "Name.Builtin": "#0A57B0",
            "Name.Class": "#8A4B00",
            "Name.Decorator": "#6D3FC0",
            "Name.Function": "#6D3FC0",
            "Name.Tag": "#B3247A",
            "Operator.Word": "#B3247A",
            "Generic.Deleted": "#BC2029",
            "Generic.Inserted": "#1A7435",
            "Generic.Heading": "#0A57B0",
        }
    ),
)

DARK = Tokens(
    scheme="dark",
    surface="#1B1D21",
    side="#15171A",
    raised="#22252A",
    sunken="#15171A",
    hover="#282B31",
    pressed="#31353C",
    border="#2F333A",
    outline="#747D8B",
    text="#E4E7EB",
    muted="#A0A8B3",
    accent="#7AA2FF",
    accent_hover="#94B4FF",
    on_accent="#0B1226",
    accent_tint="#20283A",
    bubble="#253049",
    selected="#273249",
    highlight="#355394",
    ok="#56C278",
    warn="#DDAE45",
    error="#FF8078",
    day4="#C6A8FF",
    day5="#F28BC4",
    day6="#5CC8D0",
    map_ground="#181A1E",
    map_road="#383D46",
    map_water="#1E2C40",
    map_park="#1C2B22",
    ok_tint="#18281E",
    warn_tint="#2C2617",
    error_tint="#331D1E",
    strong_weight=560,
    syntax=MappingProxyType(
        {
            "Comment": "#A0A8B3",
            "Keyword": "#F28BC4",
            "Keyword.Constant": "#82BDFF",
            "Literal.Number": "#82BDFF",
            "Literal.String": "#93D3A2",
            "Name.Attribute": "#82BDFF",
            "Name.Builtin": "#82BDFF",
            "Name.Class": "#F0B775",
            "Name.Decorator": "#C6A8FF",
            "Name.Function": "#C6A8FF",
            "Name.Tag": "#F28BC4",
            "Operator.Word": "#F28BC4",
            "Generic.Deleted": "#FF8078",
            "Generic.Inserted": "#56C278",
            "Generic.Heading": "#82BDFF",
        }
    ),
)
