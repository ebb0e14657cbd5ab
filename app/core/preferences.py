"""App-wide settings: one line each. Applied at once, stored in preferences.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from .profile import Budget
from .run.mode_words import LOOKUP_WORDS, PLAN_WORDS, ModeWords, as_line, words_in
from .setting import setting
from .text.i18n import N_


class Preferences(BaseModel):
    """Frozen; a change is a new object."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    language: str = setting(
        "", pattern=r"^([a-z]{2,3}(_[A-Z]{2})?)?$", widget="language", title=N_("Language"), group=N_("Appearance")
    )
    theme: Literal["system", "light", "dark"] = setting("system", title=N_("Theme"), group=N_("Appearance"))
    text_font: str = setting(
        "", max_length=100, widget="text", title=N_("Font"), group=N_("Appearance"), help=N_("For all text but code.")
    )
    code_font: str = setting("", max_length=100, widget="text", title=N_("Font of code"), group=N_("Appearance"))
    zoom: int = setting(
        100, ge=60, le=250, clamp=True, title=N_("Text size"), unit=N_("percent"), group=N_("Appearance")
    )
    reduced_motion: bool = setting(
        False, title=N_("Reduced motion"), group=N_("Appearance"),
        help=N_("Menus open at once and the text cursor does not blink."),
    )  # fmt: skip
    send_key: Literal["enter", "ctrl_enter"] = setting("enter", title=N_("Send with"), group=N_("Composer"))

    export_folder: str = setting(
        "", max_length=1_000, widget="text", title=N_("Export folder"), group=N_("Files"),
        help=N_("Where agents write files for you: a whole path. Empty: Triptych in your documents."),
    )  # fmt: skip
    map_service: Literal["osm", "amap", "baidu", "google", "apple", "bing"] = setting(
        "osm", title=N_("Map service"), group=N_("Travel"),
        help=N_("Where a place of a map or a plan is opened. Nothing is sent before you do."),
    )  # fmt: skip

    map_tiles: bool = setting(
        False, title=N_("Street map under places"), group=N_("Travel"),
        help=N_("Asks the service below for the area of each map shown. Off: maps are drawn here, nothing is sent."),
    )  # fmt: skip
    map_tile_address: str = setting(
        "https://tile.openstreetmap.org/{z}/{x}/{y}.png", max_length=500, widget="text",
        title=N_("Address of map tiles"), group=N_("Travel"),
        help=N_("With {z}, {x} and {y} for level, column and row. What was fetched is kept for two weeks."),
    )  # fmt: skip
    map_tile_credit: str = setting(
        "© OpenStreetMap contributors", max_length=120, widget="text",
        title=N_("Credit on the map"), group=N_("Travel"), help=N_("What the service of the tiles asks to be shown."),
    )  # fmt: skip

    notifications: bool = setting(
        True, title=N_("Tell me of runs elsewhere"), group=N_("Notifications"),
        help=N_("When one asks, or ends after a long time, while another session or another window is in front."),
    )  # fmt: skip

    approval_minutes: int = setting(
        30, ge=1, le=1_440, clamp=True, title=N_("An approval waits"), unit=N_("minutes"), group=N_("Notifications"),
        help=N_("No answer by then is a no. Meanwhile the clock of the run stands still."),
    )  # fmt: skip

    default_agent: str = setting(
        "assistant", title=N_("Default agent"), group=N_("Modes"),
        help=N_("Whom a new session begins with. Until a model is set up, an agent that answers by rules is taken."),
    )  # fmt: skip
    default_model: str = setting("", widget="model", title=N_("Default model"), group=N_("Models"))
    direct_fallback: bool = setting(
        True, title=N_("Direct may fall back to ReAct"), group=N_("Modes"),
        help=N_("When a direct answer fails before its first character."),
    )  # fmt: skip
    earlier_plans: bool = setting(
        True, title=N_("Plans learn from earlier plans"), group=N_("Modes"),
        help=N_("The planner is shown up to three plans of the agent for similar questions, and what became of them."),
    )  # fmt: skip
    tool_hints: bool = setting(
        True, title=N_("Hints from answers you liked"), group=N_("Modes"),
        help=N_("The order in which tools were called for a similar question is offered to the model."),
    )  # fmt: skip
    plan_words: str = setting(
        as_line(PLAN_WORDS), max_length=4_000, widget="text", title=N_("Words for which Auto plans"), group=N_("Modes"),
        help=N_("Separated by commas; they come before the others. A number of days is planned as well."),
    )  # fmt: skip
    react_words: str = setting(
        as_line(LOOKUP_WORDS), max_length=4_000, widget="text", title=N_("Words for which Auto takes ReAct"),
        group=N_("Modes"), help=N_("Separated by commas. Without any of the words, the agent's default mode answers."),
    )  # fmt: skip
    direct_words: str = setting(
        "", max_length=4_000, widget="text", title=N_("Words for which Auto answers directly"), group=N_("Modes"),
        help=N_("Separated by commas. A greeting alone is always answered directly."),
    )  # fmt: skip
    shortcuts: Mapping[str, str] = {}
    """Keys of commands the person has changed, in Qt's portable form; "" = none."""
    serve_window: bool = False
    """Other programs of this computer are answered while the window is open."""
    serve_port: int = setting(8642, ge=1, le=65_535)
    quick_ask_keys: str = ""
    """Keys of the whole desktop that open quick ask, in Qt's portable form; "" = none are taken."""
    welcomed: bool = False
    """The first choices were made, or passed over."""
    keys_in_file: bool = False
    """The person agreed to keep keys in a file only they can read, where there is no keyring."""
    key_file_first: bool = False
    """The person moved the keys out of the keyring into that file: new ones go there too."""

    reasoning_direct: Literal["open", "fold", "closed"] = setting(
        "closed", title=N_("Reasoning pane in Direct"), group=N_("Reasoning pane")
    )
    reasoning_react: Literal["open", "fold", "closed"] = setting(
        "open", title=N_("Reasoning pane in ReAct"), group=N_("Reasoning pane")
    )
    reasoning_plan: Literal["open", "fold", "closed"] = setting(
        "open", title=N_("Reasoning pane in Plan"), group=N_("Reasoning pane")
    )

    session_budget: Budget | None = setting(
        None, title=N_("Budget of one session"), group=N_("Budgets"),
        help=N_("For all runs of a session together, beside the budget each agent has for one run."),
    )  # fmt: skip
    day_budget: Budget | None = setting(
        None, title=N_("Budget of one day"), group=N_("Budgets"),
        help=N_("For all runs that began today. At 80 % you are warned; at 100 % a run waits for you, "
                "or gives its last answer."),
    )  # fmt: skip

    proxy: str = setting(
        "", max_length=500, widget="text", title=N_("Proxy"), group=N_("Network and privacy"),
        help=N_("For models and tools; a provider may have one of its own. This computer is always reached directly."),
    )  # fmt: skip
    offline: bool = setting(
        False, title=N_("Stay offline"), group=N_("Network and privacy"),
        help=N_("Nothing goes out, neither to models nor by tools; models on this computer still answer."),
    )  # fmt: skip

    update_feed: str = setting(
        "", max_length=500, widget="text", title=N_("Update feed"), group=N_("Network and privacy"),
        help=N_("Address of the signed feed that About and `triptych update check` ask. Empty: nothing is asked."),
    )  # fmt: skip

    search_services: tuple[str, ...] = ()
    """Ids of the search services that are asked, in this order; `mcp:<tool>` is a tool of an MCP server."""
    embedding_model: str = ""
    """provider/model whose vectors find passages and facts beside their words; "" = words alone."""
    rerank_model: str = ""
    """provider/model that orders the passages found; "" = none."""
    knowledge_server: str = ""
    """Address of a PostgreSQL server for shared knowledge bases, without its password; "" = none."""
    endpoints: Mapping[str, str] = {}
    """Addresses in place of the services that domains ask, by `Endpoint.id`; "" = the usual one."""

    def mode_words(self) -> ModeWords:
        """What Auto looks for."""
        return ModeWords(words_in(self.plan_words), words_in(self.react_words), words_in(self.direct_words))
