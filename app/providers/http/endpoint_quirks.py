"""What an endpoint taught us by refusing a request: remembered per address and model until we quit.

A refusal that names something one can do without is answered by the same request without it, once for
each lesson. Nothing is guessed: a complaint that names nothing we know stays an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.core.errors import ModelError, RequestRefused, ServerFailed
from app.core.run.chat_model import ModelTraits

_DROPPABLE: Final = (
    "stream_options",
    "temperature",
    "top_p",
    "parallel_tool_calls",
    "tool_choice",
    "response_format",
    "reasoning_effort",
    "enable_thinking",
    "thinking_budget",
    "thinking",
    "chat_template_kwargs",
)
_ECHOED: Final = ("reasoning_content", "reasoning_details")
_SIZES: Final = ("max_completion_tokens", "max_tokens")
_NO_TOOLS: Final = (
    "does not support tools",
    "does not support function",
    "tools is not supported",
    "tools are not supported",
    "no endpoints found that support tool use",
    "function calling is not enabled",
    "function calling is not supported",
)
_IMAGE_WORDS: Final = ("image", "vision", "multimodal", "multi-modal", "unknown variant", "content must be a string")
_TEMPLATE: Final = ("jinja", "chat template", "cannot pass both content and thinking", "template")


@dataclass(slots=True)
class EndpointQuirks:
    """Lessons about one model at one address."""

    dropped: set[str] = field(default_factory=set)
    max_tokens_name: str = ""
    system_role: str = ""
    echo_reasoning: str = ""
    reasoning_field: str = ""
    bare_calls: bool = False
    blind: bool = False
    """It refused images."""
    writes_calls: bool = False
    """It refused tools, or wrote calls into its text: in the dialect `auto` they are offered as text from now on."""

    def applied(self, traits: ModelTraits) -> ModelTraits:
        changes: dict[str, Any] = {}
        if self.blind:
            changes["vision"] = False
        if self.max_tokens_name:
            changes["max_tokens_name"] = self.max_tokens_name
        if self.system_role:
            changes["system_role"] = self.system_role
        if self.echo_reasoning:
            changes["echo_reasoning"] = self.echo_reasoning
        if self.reasoning_field:
            changes["reasoning_field"] = self.reasoning_field
        return replace(traits, **changes) if changes else traits

    def learn(self, error: ModelError, sent: set[str], traits: ModelTraits) -> str:
        """The name of the new lesson if the request may be sent again, "" if there is none to learn.

        `sent` are the fields the refused request had; each lesson removes or renames one, so this ends.
        """
        lower = error.message.lower()
        if isinstance(error, (RequestRefused, ServerFailed)) and self._learn_template(error, lower):
            return "bare_calls"
        if not isinstance(error, RequestRefused):
            # Ollama and others answer 404 or 500 for a model without tools.
            return self._learn_tools(lower, sent)
        about = f"{error.param} {lower}"
        if lesson := self._learn_tools(lower, sent):
            return lesson
        if not self.blind and "images" in sent and any(word in about for word in _IMAGE_WORDS):
            self.blind = True
            return "images"
        if "role" in about and (lesson := self._learn_role(about, traits)):
            return lesson
        if lesson := self._learn_size(about, sent):
            return lesson
        for name in _ECHOED:
            if name in about and not self.echo_reasoning:
                # "must be passed back" wants it everywhere, every other complaint wants it gone.
                wanted = any(word in about for word in ("pass", "missing", "required", "must be"))
                self.echo_reasoning = "always" if wanted else "never"
                self.reasoning_field = "reasoning_content" if wanted and name == "reasoning_content" else ""
                return name
        for name in _DROPPABLE:
            if name in about and name in sent and name not in self.dropped:
                self.dropped.add(name)
                return name
        return ""

    def _learn_template(self, error: ModelError, lower: str) -> bool:
        if self.bare_calls or error.status not in (400, 500) or not any(word in lower for word in _TEMPLATE):
            return False
        self.bare_calls = "content" in lower or "thinking" in lower or "reasoning" in lower
        return self.bare_calls

    def _learn_tools(self, lower: str, sent: set[str]) -> str:
        if "tools" in sent and any(phrase in lower for phrase in _NO_TOOLS):
            self.dropped.add("tools")
            return "tools"
        return ""

    def _learn_role(self, about: str, traits: ModelTraits) -> str:
        if self.system_role:
            return ""
        if "developer" in about and traits.system_role == "developer":
            self.system_role = "system"
        elif "system" in about and traits.system_role == "system":
            self.system_role = "developer" if "developer" in about else "user"
        elif "messages[0].role" in about:
            self.system_role = "user"
        return "system_role" if self.system_role else ""

    def _learn_size(self, about: str, sent: set[str]) -> str:
        for name, other in (_SIZES, _SIZES[::-1]):
            refused = name in sent and name in about and not self.max_tokens_name
            if refused and ("unsupported" in about or "not supported" in about or other in about or "extra" in about
                            or "unknown" in about or "unrecognized" in about):  # fmt: skip
                self.max_tokens_name = other
                return other
        return ""


class QuirkStore:
    """One per process, built with the providers and handed to every model."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], EndpointQuirks] = {}

    def of(self, base_url: str, model: str) -> EndpointQuirks:
        return self._known.setdefault((base_url, model), EndpointQuirks())
