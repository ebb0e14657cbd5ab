"""Tools: what one is, what it returns, and how a typed function becomes one.

    @tool("pure")
    def add(ctx: ToolContext, a: int, b: int = 0) -> ToolResult:
        '''Add two whole numbers.'''
        return ToolResult.success({"sum": a + b})

The decorator reads the signature: every parameter after `ctx` becomes a property of the JSON
schema (describe one with `Annotated[int, Field(description=…, ge=1)]`; use `typing_extensions.TypedDict`s,
`Literal`s and pydantic models for structure), the docstring becomes the description. Unknown
arguments are refused, types are strict: a string is not a number, `true` is not 1. A tool
reports failure by raising `ToolError`; anything else it raises is reported as INTERNAL.

To add a tool: write the function, add it to the `TOOLS` tuple of its room.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from app.core.tools.endpoint import Endpoint

from ..errors import ToolError
from .card import Card
from .path_arguments import path_arguments

if TYPE_CHECKING:
    import random
    from datetime import date
    from pathlib import Path

    from pydantic import BaseModel

    from ..http import HttpClient
    from ..stores import DocumentStore

PermissionClass = Literal["pure", "app.read", "app.write", "fs.read", "fs.write", "net", "mcp", "exec", "user"]
"""What a tool may touch (agents.md 1.2). The defaults that follow stand in agent/policy/permission.py."""
PERMISSION_CLASSES: tuple[str, ...] = get_args(PermissionClass)

SUMMARY_LIMIT = 600
"""Characters of a summary."""
LONGEST_ARGUMENTS = 256 * 1024
"""Characters of the arguments of one call, as JSON."""


@dataclass(frozen=True, slots=True)
class ToolFailure:
    code: str
    message: str
    hint: str = ""
    retryable: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "hint": self.hint, "retryable": self.retryable}


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The envelope of agents.md 1.1. Exactly one of `data` (ok) and `error` counts."""

    ok: bool
    data: Any = None
    summary: str = ""
    """At most SUMMARY_LIMIT characters for the model; "" = the data itself is shown to it."""
    display: Card | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    """as_of, estimate, truncated, source[], ms; untrusted and private, where this one result is and its tool is not."""
    error: ToolFailure | None = None

    @property
    def is_untrusted(self) -> bool:
        return self.meta.get("untrusted") is True

    @property
    def is_private(self) -> bool:
        return self.meta.get("private") is True

    @classmethod
    def success(cls, data: Any, summary: str = "", *, display: Card | None = None, **meta: Any) -> ToolResult:
        return cls(ok=True, data=data, summary=summary[:SUMMARY_LIMIT], display=display, meta=meta)

    @classmethod
    def failure(cls, code: str, message: str, *, hint: str = "", retryable: bool = False, **meta: Any) -> ToolResult:
        return cls(ok=False, error=ToolFailure(code, message, hint, retryable), meta=meta)

    def to_json(self) -> dict[str, Any]:
        if not self.ok:
            error = self.error or ToolFailure("INTERNAL", "the tool gave no reason")
            return {"ok": False, "error": error.to_json(), "meta": dict(self.meta)}
        return {
            "ok": True,
            "data": self.data,
            "summary": self.summary,
            "display": self.display.to_json() if self.display else None,
            "meta": dict(self.meta),
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> ToolResult:
        """Of what `to_json` gave."""
        display, error = body.get("display"), body.get("error")
        return cls(
            ok=bool(body["ok"]),
            data=body.get("data"),
            summary=body.get("summary") or "",
            display=Card(display["card"], display["payload"]) if display else None,
            meta=body.get("meta") or {},
            error=ToolFailure(**error) if error else None,
        )

    def for_model(self) -> str:
        """What the model reads, before it is cut to the limit: the summary, then the data as JSON."""
        if not self.ok:
            error = self.error or ToolFailure("INTERNAL", "the tool gave no reason")
            body = {k: v for k, v in error.to_json().items() if v not in ("", False)}
            return json.dumps({"ok": False, "error": body}, ensure_ascii=False)
        data = self.data if isinstance(self.data, str) else json.dumps(self.data, ensure_ascii=False, default=str)
        return f"{self.summary}\n{data}" if self.summary else data


@dataclass(frozen=True, slots=True)
class ArgumentFault:
    """One thing wrong with the arguments; `path` is like `lines.0.price`."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class ToolContext:
    """All a tool may touch. Built anew for each call by the executor."""

    language: str = "en"
    """`zh_CN` or `en`: the language of summaries and labels."""
    agent: str = ""
    session: str = ""
    run: str = ""
    today: date | None = None
    """Injected so that tests and replays are stable; None = the real day."""
    random: random.Random | None = None
    documents: DocumentStore | None = None
    http: HttpClient | None = None
    workspace: Path | None = None
    ask: AskPerson | None = None
    """Asks the person a question and waits; None where nobody is there."""
    tell: Callable[[Any], None] | None = None
    """Puts a `RunEvent` into the run's stream; for tools that are runs themselves."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """What the person has put in place of outside services, by `Endpoint.id`."""
    settings: Any = None
    """The settings of this agent that its domain has declared (`Domain.settings`)."""
    resources: Mapping[str, Any] = field(default_factory=dict)
    """Further seams by name, for rooms that need one of their own (`ask_user`, `start_run`)."""


class AskPerson(Protocol):
    def __call__(self, question: str, options: tuple[str, ...] = ()) -> Awaitable[str]: ...


class ToolBody(Protocol):
    def __call__(self, ctx: ToolContext, args: dict[str, Any]) -> ToolResult | Awaitable[ToolResult]: ...


class ArgumentCheck(Protocol):
    def __call__(self, args: Mapping[str, Any]) -> list[ArgumentFault]: ...


@dataclass(frozen=True)
class Tool:
    """One tool, wherever it comes from: a function of ours, a plug-in, an MCP server."""

    name: str
    description: str
    permission: PermissionClass
    body: ToolBody
    schema: Callable[[], Mapping[str, Any]]
    """The JSON schema of the arguments; called at first use, since building it may import pydantic."""
    check: ArgumentCheck
    read_only: bool = True
    """Calling it again changes nothing: repeats come from the cache."""
    exclusive: bool = False
    """Runs alone in its batch."""
    blocking: bool = False
    """A plain function that computes or reads for long: runs in a thread."""
    timeout: float | None = None
    """Seconds; None = the profile's."""
    subject: Callable[[Mapping[str, Any]], str] | None = None
    """What permission patterns are matched against (a path, a host); None = the arguments by name."""
    bookkeeping: bool = False
    """Keeps the run's own notes; alone it is no batch for the reflection count."""
    outside: bool = False
    """Returns what others wrote although its class does not say so: an MCP server, another agent."""
    origin: str = ""
    """What an approval is bound to beside name and arguments: the fingerprint of an MCP server and this tool of it."""
    private: bool = False
    """Returns what is the person's own although its class does not say so: memory, a knowledge base."""
    anywhere: bool = False
    """The arguments choose where a request goes, as in fetching a page; else it is always the same service."""
    only_exports: bool = False
    """Writes nothing but files of new names in the export folder: a click on a card may ask for it (ruling 39)."""
    further_paths: frozenset[str] = frozenset()
    """Names of arguments that are paths beyond those `parameters` tell of."""
    roots: tuple[str, ...] = ()
    """Folders its relative paths may begin in: those an MCP server was started with."""
    ttl: float = 0.0
    """Seconds for which a result answers the same call in later runs of the agent; 0: in its own run only."""
    endpoint: Endpoint | None = None
    """The one service it asks; its host is what permissions are about."""
    by_card: bool = False
    """A button of a card may ask for it."""

    def asking_at(self, addresses: Mapping[str, str]) -> Tool:
        """The same tool, which names the host the person has chosen for its service when it asks."""
        endpoint = self.endpoint
        return self if endpoint is None else replace(self, subject=lambda _args: endpoint.host(addresses))

    @property
    def untrusted(self) -> bool:
        """What it returns may hold instructions of somebody else."""
        return self.outside or self.permission == "net"

    @property
    def reads_private(self) -> bool:
        return self.private or self.permission == "fs.read"

    @property
    def goes_out(self) -> bool:
        """What stands in its arguments leaves this computer, or may."""
        return self.permission in ("net", "mcp", "exec")

    @cached_property
    def path_arguments(self) -> frozenset[str]:
        """Names of arguments that are paths, as far as the schema tells."""
        return path_arguments(self.parameters) | self.further_paths

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        return self.schema()


def canonical_args(args: Mapping[str, Any]) -> str:
    """One text per meaning: keys sorted, no spaces. Used for caches, repeats and approvals."""
    return json.dumps(args, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def tool(
    permission: PermissionClass,
    *,
    name: str = "",
    read_only: bool | None = None,
    exclusive: bool = False,
    blocking: bool = False,
    timeout: float | None = None,
    subject: Callable[[Mapping[str, Any]], str] | None = None,
    schema: Mapping[str, Any] | None = None,
    rules: Callable[[Mapping[str, Any]], Sequence[ArgumentFault]] | None = None,
    bookkeeping: bool = False,
    outside: bool = False,
    private: bool = False,
    anywhere: bool = False,
    only_exports: bool = False,
    ttl: float = 0.0,
    endpoint: Endpoint | None = None,
    by_card: bool = False,
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a Tool of a typed function; see the head of this file.

    `schema` replaces the schema that is offered (the signature still checks). `rules` adds
    checks that a signature cannot express, such as "one of these two".
    """

    def decorate(function: Callable[..., Any]) -> Tool:
        arguments = _Arguments(function, schema, rules)
        writes = permission in ("app.write", "fs.write", "exec")
        return Tool(
            name=name or function.__name__,
            description=inspect.getdoc(function) or "",
            permission=permission,
            body=arguments.call,
            schema=arguments.schema,
            check=arguments.check,
            read_only=not writes if read_only is None else read_only,
            exclusive=exclusive,
            blocking=blocking,
            timeout=timeout,
            subject=subject,
            bookkeeping=bookkeeping,
            outside=outside,
            private=private,
            anywhere=anywhere,
            only_exports=only_exports,
            ttl=ttl,
            endpoint=endpoint,
            by_card=by_card,
        ).asking_at({})

    return decorate


class _Arguments:
    """The arguments of one function as a strict pydantic model, built at first use."""

    def __init__(
        self,
        function: Callable[..., Any],
        schema: Mapping[str, Any] | None,
        rules: Callable[[Mapping[str, Any]], Sequence[ArgumentFault]] | None,
    ) -> None:
        self._function, self._schema, self._rules = function, schema, rules

    @cached_property
    def _model(self) -> type[BaseModel]:
        from typing import get_type_hints

        from pydantic import ConfigDict, create_model

        hints = get_type_hints(self._function, include_extras=True)
        fields: dict[str, Any] = {}
        for parameter in list(inspect.signature(self._function).parameters.values())[1:]:
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], default)
        config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=False)
        return create_model(f"{self._function.__name__}_arguments", __config__=config, **fields)

    def schema(self) -> Mapping[str, Any]:
        if self._schema is not None:
            return self._schema
        return _plain_schema(self._model.model_json_schema())

    def check(self, args: Mapping[str, Any]) -> list[ArgumentFault]:
        from pydantic import ValidationError

        try:
            self._model.model_validate(dict(args))
        except ValidationError as error:
            return [
                ArgumentFault(".".join(str(part) for part in fault["loc"]), fault["msg"])
                for fault in error.errors(include_url=False, include_context=False, include_input=False)
            ]
        return list(self._rules(args)) if self._rules else []

    def call(self, ctx: ToolContext, args: dict[str, Any]) -> Any:
        from pydantic import ValidationError

        try:
            model = self._model.model_validate(args)
        except ValidationError as error:
            raise ToolError("BAD_ARGUMENTS", str(error)) from error
        return self._function(ctx, **{name: getattr(model, name) for name in type(model).model_fields})


def _plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Without pydantic's titles, and with `X | None = None` written as a plain optional X."""

    def clean(node: Any, *, properties: bool = False) -> Any:
        if isinstance(node, list):
            return [clean(item) for item in node]
        if not isinstance(node, dict):
            return node
        if properties:
            return {name: clean(value) for name, value in node.items()}
        cleaned = {
            key: clean(value, properties=key in ("properties", "$defs"))
            for key, value in node.items()
            if not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None)
        }
        options = cleaned.get("anyOf")
        if options and {"type": "null"} in options:
            rest = [option for option in options if option != {"type": "null"}]
            if len(rest) == 1:
                del cleaned["anyOf"]
                cleaned = {**rest[0], **cleaned}
        return cleaned

    cleaned: dict[str, Any] = clean(schema)
    cleaned.setdefault("properties", {})
    return cleaned
