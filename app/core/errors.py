"""The error tree, ordered by who must act.

    TriptychError
    ├── ForThePerson          the person can mend it; the window and the command line show it
    │   ├── BadInput          exit 2   an argument, a name or a setting is wrong
    │   │   └── UnknownName            … with the names that come near
    │   ├── NotConfigured     exit 3   no model, no key
    │   ├── Refused           exit 5   a permission says no
    │   ├── DataNewer         exit 1   a newer version wrote it; it can be read and not written
    │   └── DataDamaged       exit 6   stored data cannot be read; says where the copy is
    ├── ModelError            the provider or the way to it failed; see the classes below
    ├── ToolError             a tool could not do it; the model reads it as a result
    └── InternalError         we are wrong; the log has the traceback

`code` is stable and is in events and exports; sentences for people are found in the
`texts` of the floor that shows them. `message` is for logs and for the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .text.value_faults import ValueFault


class TriptychError(Exception):
    """Base of all our errors. `params` are the values a sentence about it needs."""

    code: ClassVar[str] = "INTERNAL"

    def __init__(self, message: str = "", *, hint: str = "", **params: Any) -> None:
        super().__init__(message or self.code)
        self.message = message or self.code
        self.hint = hint
        self.params: Mapping[str, Any] = params


class InternalError(TriptychError):
    """Something that cannot happen has happened."""


# ---------------------------------------------------------------- for the person


class ForThePerson(TriptychError):
    """The person can do something about it."""

    exit_code: ClassVar[int] = 1


class BadInput(ForThePerson):
    code = "BAD_INPUT"
    exit_code = 2


class UnknownName(BadInput):
    """A name nobody knows; `near` lists up to three that look like it."""

    code = "UNKNOWN_NAME"

    def __init__(self, kind: str, name: str, known: Iterable[str] = ()) -> None:
        self.kind, self.name = kind, name
        self.near = near_names(name, known)
        hint = f"did you mean {', '.join(self.near)}?" if self.near else ""
        super().__init__(f"unknown {kind}: {name}", hint=hint, kind=kind, name=name, near=self.near)


class NotConfigured(ForThePerson):
    """No model can answer yet. `hint` says what to set up."""

    code = "NOT_CONFIGURED"
    exit_code = 3


class Refused(ForThePerson):
    code = "DENIED"
    exit_code = 5


class KnowledgeServerFailed(ForThePerson):
    """The server of shared knowledge bases did not do it; what it keeps is whole. `reason`: SERVER_… of the reasons."""

    code = "KNOWLEDGE_SERVER"


class DataNewer(ForThePerson):
    """The data was written by a newer version of the program: it is read, and not written."""

    code = "DATA_NEWER"


class DataDamaged(ForThePerson):
    """Stored data cannot be read; `params["copy"]` names the file it was moved to, if any."""

    code = "DATA_DAMAGED"
    exit_code = 6


# ---------------------------------------------------------------- the provider


class ModelError(TriptychError):
    """A request to a model failed. Only subclasses of this leave a `ChatModel`.

    `status` is the HTTP status, 0 if there was none. `message` is redacted: it may quote the
    provider, never a key. `partial` is the visible text that had arrived.
    """

    code = "MODEL"
    retryable: ClassVar[bool] = False
    """Whether the same request may work a moment later."""

    def __init__(self, message: str = "", *, hint: str = "", status: int = 0, **params: Any) -> None:
        super().__init__(message, hint=hint, status=status, **params)
        self.status = status
        self.partial = ""


class ForeignAgentFailed(ModelError):
    """An agent that is another program could not be started, or did not answer to the end."""

    code = "AGENT_PROGRAM"


class KeyRefused(ModelError):
    """401: the key is missing, wrong or expired."""

    code = "AUTH"


class AccessRefused(ModelError):
    """403: the key is right but may not do this (organisation, region, model)."""

    code = "PERMISSION"


class NotFound(ModelError):
    """404: the model or the path does not exist at this address."""

    code = "NOT_FOUND"


class RateLimited(ModelError):
    """429; `retry_after` is the wait the provider asked for in seconds, None if it named none."""

    code = "RATE_LIMIT"
    retryable = True

    def __init__(self, message: str = "", *, retry_after: float | None = None, status: int = 429) -> None:
        super().__init__(message, status=status, retry_after=retry_after)
        self.retry_after = retry_after


class QuotaUsedUp(ModelError):
    """402, or 429 with a quota code: waiting does not help."""

    code = "QUOTA"


class ContextOverflow(ModelError):
    """The request is longer than the model can read."""

    code = "CONTEXT_OVERFLOW"


class QuestionTooLong(ContextOverflow):
    """The last question alone is too long for the model; `params["length"]` in characters."""

    code = "QUESTION_TOO_LONG"


class RequestRefused(ModelError):
    """400 or 422; `param` is the parameter the provider complained about, "" if unnamed."""

    code = "BAD_REQUEST"

    def __init__(self, message: str = "", *, param: str = "", status: int = 400, **params: Any) -> None:
        super().__init__(message, status=status, param=param, **params)
        self.param = param


class ContentFiltered(ModelError):
    """The provider refused the content, in the request or in the answer."""

    code = "CONTENT_FILTER"


class ToolUseFailed(ModelError):
    """The provider could not read the model's own tool call; `text` is what the model wrote."""

    code = "TOOL_USE_FAILED"
    retryable = True

    def __init__(self, message: str = "", *, text: str = "", status: int = 400) -> None:
        super().__init__(message, status=status)
        self.text = text


class ServerFailed(ModelError):
    """5xx, or an error frame that says so."""

    code = "SERVER"
    retryable = True


class NetworkFailed(ModelError):
    """No connection, or it broke: DNS, refused, TLS, reset."""

    code = "NETWORK"
    retryable = True


class CertificateRefused(ModelError):
    """TLS worked but the certificate is not trusted; trying again does not help."""

    code = "CERTIFICATE"


class ModelTimeout(ModelError):
    """No byte, or no content, for too long."""

    code = "TIMEOUT"
    retryable = True


class IncompleteStream(ModelError):
    """The stream ended without a finish reason and without DONE: the answer is cut."""

    code = "INCOMPLETE"
    retryable = True


class NotAStream(ModelError):
    """A 200 that is no model answer: a log-in page, an empty body."""

    code = "NOT_A_STREAM"
    retryable = True


class AnswerTooLarge(ModelError):
    """The stream exceeded a safety limit; the text before it is kept."""

    code = "TOO_LARGE"


class DamagedStream(ModelError):
    """Part of the stream could not be read: none of its calls run, and its text is not the answer."""

    code = "DAMAGED"
    retryable = True


class Redirected(ModelError):
    """3xx: the address points elsewhere (`params["location"]`, host only). Not followed; the key was not sent."""

    code = "REDIRECT"


class BlockedOffline(ModelError):
    """Only loopback may be reached just now, and the provider is not there."""

    code = "OFFLINE"


class ProxyFailed(ModelError):
    """The proxy cannot be used; `params["proxy"]` names it without its password, `source` says who set it."""

    code = "PROXY"


class NoPlan(ModelError):
    """Only a plan was asked for, and the model wrote none that could be used."""

    code = "NO_PLAN"


class EmbeddingFailed(ModelError):
    """The vectors of texts cannot be used. `params["model"]` is its reference; `reason`: DIMENSION, VECTORS, STALE."""

    code = "EMBEDDING"


class RerankFailed(ModelError):
    """The passages could not be ranked by the model that was set for it."""

    code = "RERANK"


class ScriptEnded(ModelError):
    """A scripted model was asked once more than its script has turns."""

    code = "SCRIPT_END"


# ---------------------------------------------------------------- tools


class ToolError(TriptychError):
    """Raised inside a tool; becomes the error envelope the model reads (agents.md 1.1).

    What does not know the language of the conversation marks `message` and `hint` with `N_` and gives the `values` of
    their braces, or a `fault` with its place; `worded` says them in it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        retryable: bool = False,
        values: Mapping[str, object] | None = None,
        fault: ValueFault | None = None,
    ) -> None:
        fields = values or {}
        super().__init__(
            message.format(**fields) if fields else message, hint=hint.format(**fields) if fields else hint
        )
        self.tool_code = code
        self.retryable = retryable
        self._marked, self._values, self._fault = (message, hint), fields, fault

    def worded(self, language: str) -> tuple[str, str]:
        """Message and hint in a language; as they are where they were in it already."""
        from .text.i18n import say_in

        if self._fault is not None:
            return self._fault.sentence(language), say_in(language, self._marked[1]) if self._marked[1] else ""
        message, hint = (say_in(language, text, **self._values) if text else "" for text in self._marked)
        return message, hint


def near_names(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The names that look like `name`, best first."""
    import difflib

    folded = {k.casefold(): k for k in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=limit, cutoff=0.5)
    return [folded[n] for n in near]
