"""Tools: what one is, what it returns, and how a typed function becomes one.

    @tool("pure")
    def add(ctx: ToolContext, a: int, b: int = 0) -> ToolResult:
        '''Add two whole numbers.'''
        return ToolResult.success({"sum": a + b})

The decorator reads the signature: every parameter after `ctx` becomes a property of the JSON
schema (describe one with `Annotated[int, Field(description=…, ge=1)]`; use `typing_extensions.TypedDict`s,
`Literal`s and pydantic models for structure, `core/arguments/hints.py` for other names, synonyms and units), the
docstring becomes the description. What a model wrote is corrected before it is checked (`core/arguments`); the check is
strict: a string is not a number, `true` is not 1. A tool reports failure by raising `ToolError`; anything else it
raises is reported as INTERNAL.

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

from ..arguments.judge import MOST_WORK, ArgumentFault
from ..arguments.mend import Mended, mend
from ..arguments.refusal import smallest_call
from ..text.i18n import say_in
from .card import Card, card_from_json
from .path_arguments import path_arguments
from .signature import Signature

if TYPE_CHECKING:
    import random
    from datetime import date
    from pathlib import Path

    from ..http import HttpClient
    from ..stores import DocumentStore

PermissionClass = Literal["pure", "app.read", "app.write", "fs.read", "fs.write", "net", "mcp", "exec", "user"]
"""What a tool may touch (agents.md 1.2). The defaults that follow are in agent/policy/permission.py."""
PERMISSION_CLASSES: tuple[str, ...] = get_args(PermissionClass)

TASK = "task"
"""The tool that hands a piece of work to another agent."""
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
    """as_of, estimate, truncated, source[], ms; untrusted and private, where this one result is and its tool is not;
    `found`: the addresses of hits, by a search service that names them apart from what pages say."""
    error: ToolFailure | None = None
    plan: Mapping[str, Any] | None = None
    """Handed in by this call (`Plan.to_json`): the run shows it, the person changes and accepts it, and its steps are
    worked off."""

    @property
    def is_untrusted(self) -> bool:
        return self.meta.get("untrusted") is True

    @property
    def is_private(self) -> bool:
        return self.meta.get("private") is True

    @property
    def found(self) -> tuple[str, ...]:
        listed = self.meta.get("found")
        return tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list | tuple) else ()

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
            display=card_from_json(display),
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
class ToolContext:
    """Everything a tool may use. The executor makes a new one for each call."""

    language: str = "en"
    """A code such as `zh_CN` or `en`: the language of summaries and labels."""
    agent: str = ""
    session: str = ""
    run: str = ""
    call: str = ""
    """Id of the call, for a tool that tells what it writes while it writes (`ToolText`)."""
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
    leave: Callable[[ToolResult], None] | None = None
    """Keeps what stands of the call where it is stopped: a draft as far as it was written."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """What the person has put in place of outside services, by `Endpoint.id`."""
    knowledge: Sequence[str] = ()
    """Ids of the knowledge bases this agent may read."""
    knowledge_limit: int = 5
    """Passages of one search, unless the call names a number."""
    settings: Any = None
    """The settings of this agent that its domain has declared (`Domain.settings`)."""
    resources: Mapping[str, Any] = field(default_factory=dict)
    """Further seams by name, for rooms that need one of their own (`ask_user`, `start_run`)."""

    def say(self, text: str, /, **values: object) -> str:
        """`text` in the language of the conversation, `{name}` filled with the value of that name."""
        return say_in(self.language, text, **values)


class AskPerson(Protocol):
    def __call__(self, question: str, options: tuple[str, ...] = ()) -> Awaitable[str]: ...


class ToolBody(Protocol):
    def __call__(self, ctx: ToolContext, args: dict[str, Any]) -> ToolResult | Awaitable[ToolResult]: ...


class ArgumentCheck(Protocol):
    def __call__(self, args: Mapping[str, Any]) -> list[ArgumentFault]: ...


@dataclass(frozen=True)
class Tool:
    """One tool: a function of ours, of a plug-in, or of an MCP server."""

    name: str
    description: str
    permission: PermissionClass
    body: ToolBody
    schema: Callable[[], Mapping[str, Any]]
    """The JSON schema of the arguments; called at first use, since building it may import pydantic."""
    check: ArgumentCheck
    title: str = ""
    """What a person reads in place of the name, marked for translation; "" = the name."""
    icon: str = ""
    """Drawn before the title, a name of resources/icons; "" = that of what it touches."""
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
    destructive: bool = False
    """Says of itself that it destroys: the card of a call waits at Deny."""
    further_paths: frozenset[str] = frozenset()
    """Names of arguments that are paths beyond those `parameters` tell of."""
    roots: tuple[str, ...] = ()
    """Folders its relative paths may begin in: those an MCP server was started with."""
    ttl: float = 0.0
    """Seconds for which a result answers the same call in later runs of the agent; 0: in its own run only."""
    endpoint: Endpoint | None = None
    """The one service it asks; its host is what permissions are about."""
    alike: Callable[[Mapping[str, Any], Mapping[str, Any]], bool] | None = None
    """Whether two calls ask the same although their arguments differ: the second is answered from the first."""
    concludes: bool = False
    """Hands in what the run has made: still offered when a tool that measures has said that it is enough."""
    measures: bool = False
    """Says itself whether what was found is enough: its data hold `decision` (answer, continue) and `reason`."""
    reading: Callable[[], Mapping[str, Any]] | None = None
    """The schema with its hints, by which arguments are corrected and their faults worded; None: `schema` itself."""
    example: Mapping[str, Any] | None = None
    """The arguments of a right call; None: the smallest that the schema takes."""
    approval_text: Callable[[Mapping[str, Any], str], str] | None = None
    """What the call would do, from its arguments and a language: verb, object and target. Never a model's words."""

    confined: bool = False
    """Reaches nothing but the folder the person picked: reading there is no reason to ask before writing there."""
    asks_model: bool = False
    """It writes with the model of the run (core/tools/text_model.py); a button that calls it gets one too."""
    inner_run: bool = False
    """Its body is a run inside the run, under the same taint."""
    asks: Callable[[Mapping[str, Any]], bool] | None = None
    """Calls it has to ask for every time, whatever was allowed: those that name keys and passwords."""
    preview: Callable[[ToolContext, dict[str, Any]], Awaitable[Card | None]] | None = None
    """What the call would change, for the approval; it changes nothing. What it raises is the result of the call."""

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
        """What is in its arguments leaves this computer, or may."""
        return self.permission in ("net", "mcp", "exec")

    @cached_property
    def path_arguments(self) -> frozenset[str]:
        """Names of arguments that are paths, as far as the schema tells."""
        return path_arguments(self.parameters) | self.further_paths

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        return self.schema()

    @cached_property
    def form(self) -> Mapping[str, Any]:
        """The schema that arguments are read by."""
        return self.reading() if self.reading is not None else self.parameters

    @property
    def has_exact_texts(self) -> bool:
        """Its texts are what a permission is bound to: paths, addresses, commands."""
        return self.permission in ("fs.read", "fs.write", "exec") or self.anywhere

    @property
    def drops_unknown(self) -> bool:
        """A field it does not know can do no harm, so it is left out and said."""
        return self.permission in ("pure", "app.read")


def canonical_args(args: Mapping[str, Any]) -> str:
    """One text per meaning: keys sorted, no spaces. Used for caches, repeats and approvals."""
    return json.dumps(args, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def mend_call(
    tool: Tool, args: Mapping[str, Any], today: date, *, drops_unknown: bool = False, references: bool = False
) -> Mended:
    """Arguments for this tool, corrected where they have one meaning; `references`: those of a plan."""
    return mend(
        args, tool.form, today, drops_unknown=drops_unknown, exact_texts=tool.has_exact_texts, references=references,
        most_work=MOST_WORK // 2 if tool.permission == "mcp" else None,
    )  # fmt: skip


def example_of(tool: Tool, today: date) -> dict[str, Any]:
    """The arguments of a right call."""
    return dict(tool.example) if tool.example is not None else smallest_call(tool.form, today)


def tool(
    permission: PermissionClass,
    *,
    name: str = "",
    title: str = "",
    icon: str = "",
    read_only: bool | None = None,
    exclusive: bool = False,
    blocking: bool = False,
    timeout: float | None = None,
    subject: Callable[[Mapping[str, Any]], str] | None = None,
    schema: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
    rules: Callable[[Mapping[str, Any]], Sequence[ArgumentFault]] | None = None,
    bookkeeping: bool = False,
    outside: bool = False,
    private: bool = False,
    anywhere: bool = False,
    only_exports: bool = False,
    ttl: float = 0.0,
    endpoint: Endpoint | None = None,
    alike: Callable[[Mapping[str, Any], Mapping[str, Any]], bool] | None = None,
    measures: bool = False,
    concludes: bool = False,
    example: Mapping[str, Any] | None = None,
    approval_text: Callable[[Mapping[str, Any], str], str] | None = None,
    confined: bool = False,
    asks_model: bool = False,
    asks: Callable[[Mapping[str, Any]], bool] | None = None,
    preview: Callable[[ToolContext, dict[str, Any]], Awaitable[Card | None]] | None = None,
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a Tool of a typed function; see the head of this file.

    `schema` replaces the schema that is offered (the signature still checks); `more` adds to the one of the signature
    what it cannot say, such as `oneOf`. `rules` adds checks that neither can express.
    """

    def decorate(function: Callable[..., Any]) -> Tool:
        arguments = Signature(function, schema, more or {}, rules)
        writes = permission in ("app.write", "fs.write", "exec")
        return Tool(
            name=name or function.__name__,
            title=title,
            icon=icon,
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
            alike=alike,
            measures=measures,
            concludes=concludes,
            reading=arguments.reading,
            example=example,
            approval_text=approval_text,
            confined=confined,
            asks_model=asks_model,
            asks=asks,
            preview=preview,
        ).asking_at({})

    return decorate
