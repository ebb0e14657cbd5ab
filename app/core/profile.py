"""Agent profiles: one line per setting (interfaces.md 3).

The limits of a run are defined here, as defaults and bounds, and nowhere else. To add a setting: one line in the
class. To rename one: the new line, and the old name in OLD_NAMES.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from .acp_program import AcpProgram
from .setting import clamped, from_json_text, setting
from .text.i18n import N_, language_key

PermissionWord = Literal["allow", "ask", "deny"]
_STRICT = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="constants")
_WORDING_ONLY = "This changes the wording only: every figure, time, warning and assumption stays complete and the same."
REPLY_STYLES: Mapping[str, str] = {
    "warm": f"Reply style: warm (热情), looking forward with the person. {_WORDING_ONLY}",
    "friendly": f"Reply style: friendly (亲切), like somebody who knows the matter and the person. {_WORDING_ONLY}",
    "professional": f"Reply style: professional (专业), sober and exact. {_WORDING_ONLY}",
    "playful": f"Reply style: playful (俏皮), light, with one joke at most. {_WORDING_ONLY}",
    "brief": f"Reply style: brief (简洁), as few words as possible. {_WORDING_ONLY}",
}
"""What the model is told for each `reply_style`; the offline rules look for the same words."""


class Budget(BaseModel):
    """What one run may use; None = no limit. Money only with prices the person typed."""

    model_config = _STRICT

    tokens: int | None = setting(None, ge=1, title=N_("Tokens"))
    seconds: float | None = setting(None, gt=0, title=N_("Time"), unit=N_("seconds"))
    tool_calls: int | None = setting(None, ge=1, title=N_("Tool calls"))
    money: float | None = setting(None, gt=0, title=N_("Money"), unit=N_("by your prices"))


class PermissionRule(BaseModel):
    """The last rule that matches decides; a deny always wins."""

    model_config = _STRICT

    tool: str = "*"
    subject: str = "*"
    """A pattern of calls: `agent/policy/patterns.py` says how it is read."""
    word: PermissionWord = "ask"


class AgentProfile(BaseModel):
    """The named settings of one agent. Frozen: a change is a new profile, used from the next turn."""

    model_config = _STRICT

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    name: Mapping[str, str] = setting(factory=dict, title=N_("Name"), group=N_("Agent"))
    domain: str = ""
    """The domain it belongs to: whose offline rules, guards, hooks and settings it has."""
    flagship: bool = False
    """The agent that answers where nothing else is set up, and in the smoke run."""
    acp: AcpProgram | None = None
    """The agent is another program (`app/acp`), with its own model, prompt and tools."""
    helper: bool = False
    """Only other agents ask it; it is not offered for a conversation."""
    icon: str = setting("sparkles", title=N_("Icon"), group=N_("Agent"))
    description: Mapping[str, str] = setting(factory=dict, title=N_("Description"), group=N_("Agent"))
    examples: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Questions shown in an empty chat, by language."""
    system_prompt: str = setting(
        "", max_length=100_000, widget="long_text", title=N_("System prompt"), group=N_("Agent"),
        help=N_("What the model is told before every question."),
    )  # fmt: skip
    reply_style: Literal["", "warm", "friendly", "professional", "playful", "brief"] = setting(
        "", title=N_("Reply style"), group=N_("Agent"),
        help=N_("Changes the wording only: figures, times and warnings stay the same."),
    )  # fmt: skip
    domain_settings: Mapping[str, Any] = setting(
        factory=dict, title=N_("Further settings"), group=N_("Agent"),
        help=N_("What the tools of this agent go by."),
    )  # fmt: skip
    """Fields of `Domain.settings`, as the person has set them."""

    model: str = setting(
        "", widget="model", title=N_("Model"), group=N_("Model"), help=N_("Empty uses the default model."),
    )  # fmt: skip
    temperature: float | None = setting(
        None, ge=0, le=2, title=N_("Temperature"), group=N_("Model"),
        help=N_("Low is steady, high is varied. Empty leaves it to the mode."),
    )  # fmt: skip
    top_p: float | None = setting(
        None, ge=0, le=1, title=N_("Top-p"), group=N_("Model"),
        help=N_("Only the likeliest words up to this share. Empty leaves it to the service."),
    )  # fmt: skip
    reasoning_effort: Literal["auto", "off", "low", "medium", "high"] = setting(
        "auto", title=N_("Thinking"), group=N_("Model"),
        help=N_("How long a model thinks before it writes, where it can be told. More is slower and costs more."),
    )  # fmt: skip
    max_output_tokens: int | None = setting(
        None, ge=1, le=1_000_000, title=N_("Longest answer"), unit=N_("tokens"), group=N_("Model"),
        help=N_("Thinking counts too. Empty leaves it to the service."),
    )  # fmt: skip
    dialect: Literal["auto", "native", "tags", "json"] = setting(
        "auto", title=N_("Tool dialect"), group=N_("Model"), help=N_("How the model asks for tools."),
    )  # fmt: skip

    default_mode: str = setting(
        "auto", title=N_("Default mode"), group=N_("Mode"), help=N_("With which a new session begins."),
    )  # fmt: skip
    max_steps: int = setting(
        8, ge=1, le=50, clamp=True, title=N_("Steps"), group=N_("Reflection"),
        help=N_("Requests to the model in one run; the last one is asked to answer without tools."),
    )  # fmt: skip
    enable_reflection: bool = setting(
        True, title=N_("Reflection"), group=N_("Reflection"),
        help=N_("After each batch of tools the model judges whether it knows enough."),
    )  # fmt: skip
    max_reflection_iterations: int = setting(
        3, ge=0, le=10, clamp_input=True, widget="slider", title=N_("Reflection rounds"), group=N_("Reflection"),
        help=N_("0: one batch of tools, then the answer."),
    )  # fmt: skip
    reflection_style: Literal["guided", "scored"] = setting(
        "guided", title=N_("Reflection style"), group=N_("Reflection"),
        help=N_("Guided asks what is still missing; scored also asks for marks and how sure it is."),
    )  # fmt: skip

    tool_result_max_length: int = setting(
        4_000, ge=500, le=200_000, clamp=True, title=N_("Longest tool result"), unit=N_("characters"),
        group=N_("Tool results"), help=N_("What the model reads of one result; the whole is kept for you."),
    )  # fmt: skip
    tool_results_total_length: int = setting(
        12_000, ge=500, le=1_000_000, clamp=True, title=N_("All results of one batch"), unit=N_("characters"),
        group=N_("Tool results"), help=N_("The results of one step share it; what one does not need goes to others."),
    )  # fmt: skip
    long_results: Literal["cut", "summarise"] = setting(
        "cut", title=N_("Long results"), group=N_("Tool results"),
        help=N_("What happens to those above the limit; the whole is kept for you either way."),
    )  # fmt: skip
    context_limit: int = setting(
        40_000, ge=4_000, le=4_000_000, clamp=True, title=N_("Context limit"), unit=N_("characters"),
        group=N_("Tool results"), help=N_("Older results are shortened above this length."),
    )  # fmt: skip

    parallel_tool_calls: bool = setting(
        True, title=N_("Tools at the same time"), group=N_("Limits"),
        help=N_("The calls of one step run side by side; off: one after the other."),
    )  # fmt: skip
    tool_timeout: float = setting(
        60.0, ge=1, le=600, clamp=True, title=N_("Time for one tool"), unit=N_("seconds"), group=N_("Limits"),
        help=N_("After that the call has failed, and the model is told so."),
    )  # fmt: skip
    run_timeout: float = setting(
        1_800.0, ge=10, le=86_400, clamp=True, title=N_("Time for one run"), unit=N_("seconds"), group=N_("Limits"),
        help=N_("Waiting for you does not count."),
    )  # fmt: skip
    max_retries: int = setting(
        3, ge=0, le=5, clamp=True, title=N_("Retries"), group=N_("Limits"),
        help=N_("How often a failed request is repeated before anything of it was shown."),
    )  # fmt: skip
    budget: Budget | None = setting(
        None, title=N_("Budget of one run"), group=N_("Limits"),
        help=N_("At 80 % you are warned; at 100 % the run waits for you, or gives its last answer."),
    )  # fmt: skip

    tools: Mapping[str, PermissionWord] = setting(
        factory=dict, widget="tools", title=N_("Tools"), group=N_("Tools"),
        help=N_("Which tools the agent has, and whether it asks first."),
    )  # fmt: skip
    """Tool name or glob → word. A tool that no entry matches is not offered."""
    permissions: tuple[PermissionRule, ...] = setting(
        (), title=N_("Rules by arguments"), group=N_("Tools"),
        help=N_(
            "A deny always wins; otherwise the last rule that fits decides. * and ? stand for other characters;"
            " path=… names one argument."
        ),
    )  # fmt: skip

    memory: bool = setting(
        False, title=N_("Memory"), group=N_("Memory"),
        help=N_("The agent remembers what you tell it over sessions. A temporary chat remembers nothing."),
    )  # fmt: skip
    memory_limit: int = setting(
        15, ge=1, le=100, clamp=True, title=N_("Facts recalled"), group=N_("Memory"),
        help=N_("At most so many facts that fit the question; those that no longer hold are never among them."),
    )  # fmt: skip
    memory_confirm: Literal["ask", "requests", "auto"] = setting(
        "ask", title=N_("New facts"), group=N_("Memory"),
        help=N_("Whether you confirm each fact before it counts."),
    )  # fmt: skip
    knowledge: tuple[str, ...] = setting(
        (), title=N_("Knowledge bases"), group=N_("Memory"),
        help=N_("Documents this agent may search; added under Memory & knowledge."),
    )  # fmt: skip
    knowledge_limit: int = setting(
        5, ge=1, le=20, clamp=True, title=N_("Passages per search"), group=N_("Memory"),
        help=N_("At most so many passages of your documents answer one search."),
    )  # fmt: skip
    skills: tuple[str, ...] = setting(
        (), title=N_("Skills"), group=N_("Tools"),
        help=N_("Which descriptions of work the agent may load; they give it no further rights."),
    )  # fmt: skip
    """Names or globs; `folder:*` are those of a picked folder."""
    mcp_servers: tuple[str, ...] = setting(
        (), title=N_("MCP servers"), group=N_("Tools"), help=N_("Whose tools this agent has."),
    )  # fmt: skip
    hooks: tuple[Mapping[str, Any], ...] = setting(
        (), title=N_("Rules before and after tools"), group=N_("Rules before and after tools"),
        help=N_("They act from top to bottom: before a call on its arguments, after it on what the model reads."),
    )  # fmt: skip
    subagents: tuple[str, ...] = setting(
        (), title=N_("Agents it may ask"), group=N_("Other agents"),
        help=N_("It hands them a piece of work; they may do no more than it may itself."),
    )  # fmt: skip
    then: str | None = setting(
        None, title=N_("Then goes on with"), group=N_("Other agents"),
        help=N_("The answer is handed to this agent, in the same run."),
    )  # fmt: skip

    plan_review: Literal["always", "writes", "never"] = setting(
        "writes", title=N_("Show the plan first"), group=N_("Mode"),
        help=N_("When a plan waits for your approval before it runs."),
    )  # fmt: skip
    output_schema: Mapping[str, Any] | None = setting(
        None, title=N_("Form of the answer"), group=N_("Form of the answer"),
        help=N_("A JSON schema. The answer is then JSON, checked against it and repaired at most twice."),
    )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _old_and_clamped(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        renamed = {OLD_NAMES.get(key, key): value for key, value in values.items()}
        return clamped(cls, renamed)

    @field_validator("domain_settings")
    @classmethod
    def _without_none(cls, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """TOML has no null: what has no value is left out, here as in the file, at any depth."""
        without: Mapping[str, Any] = _without_none(settings)
        return without

    @field_validator("name", "description", mode="before")
    @classmethod
    def _one_text_for_all(cls, value: Any) -> Any:
        return {"zh": value, "en": value} if isinstance(value, str) else value

    @field_validator("hooks", "output_schema", "domain_settings", mode="before")
    @classmethod
    def _json_as_text(cls, value: Any) -> Any:
        return from_json_text(value)

    @property
    def title(self) -> str:
        return in_language(self.name) or self.id


OLD_NAMES: Mapping[str, str] = {
    "max_tool_result_length": "tool_result_max_length",
}
"""Setting names that were renamed: old files are read on."""


def in_language(texts: Mapping[str, str]) -> str:
    """The text of the current language, else English, else any."""
    return texts.get(language_key()) or texts.get("en") or next(iter(texts.values()), "")


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_none(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [_without_none(inner) for inner in value if inner is not None]
    return value
