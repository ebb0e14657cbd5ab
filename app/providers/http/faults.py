"""HTTP errors and error frames → our errors, the most specific first.

What a provider says is quoted as plain text of at most 500 characters, without keys and never as a page.
Failures of the way to the provider are in `network_faults.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from app.core.errors import (
    AccessRefused,
    ContentFiltered,
    ContextOverflow,
    KeyRefused,
    ModelError,
    NotFound,
    QuotaUsedUp,
    RateLimited,
    Redirected,
    RequestRefused,
    ServerFailed,
    ToolUseFailed,
)
from app.providers.http.error_body import Told, read_error
from app.providers.http.redact import redact
from app.providers.http.retry_after import any_wait, wait_of

_MAX_MESSAGE: Final = 500

_FILTER_CODES: Final = {
    "content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed",
    "datainspectionfailed", "moderation_blocked", "sensitive_content", "1301", "prohibited_content",
}  # fmt: skip
_FILTER_PHRASES: Final = (
    "content management policy", "data inspection failed", "datainspectionfailed", "inappropriate content",
    "content exists risk", "敏感内容", "content policy", "flagged by moderation", "requires moderation",
)  # fmt: skip
_OVERFLOW_CODES: Final = {
    "context_length_exceeded", "too_many_prompt_tokens", "string_above_max_length", "request_too_large",
    "context_window_exceeded", "model_context_window_exceeded", "1261", "exceed_context_size_error",
}  # fmt: skip
_OVERFLOW_PHRASES: Final = (
    "maximum context length", "context length exceeded", "max context length", "prompt too long", "prompt is too long",
    "context window", "exceeds the available context size", "input is too long", "too many tokens",
    "total length of all messages is too long", "maximum number of tokens", "reduce the length of the messages",
    "range of input length should be", "input length exceeds", "longer than the model's context",
    "maximum input length",
    "input token count", "exceeds model's maximum", "exceeded model token limit", "prompt exceeds max length",
    "larger than the maximum allowed",
)  # fmt: skip
_QUOTA_CODES: Final = {
    "insufficient_quota", "billing_hard_limit_reached", "insufficient_balance", "exceeded_current_quota_error",
    "arrearage", "quota_exceeded", "insufficient_credits", "billing_not_active", "1113", "1008", "access_terminated",
}  # fmt: skip
_QUOTA_PHRASES: Final = (
    "insufficient balance", "exceeded your current quota", "余额不足", "欠费", "credit balance is too low",
    "insufficient credits", "more credits", "insufficient quota", "not enough credits", "account is in arrears",
)  # fmt: skip
_KEY_CODES: Final = {"invalid_api_key", "api_key_invalid", "authentication_error", "invalid_authentication_error"}
_KEY_PHRASES: Final = ("api key not valid", "incorrect api key", "invalid api key", "invalid api-key")
_MODEL_CODES: Final = {"model_not_found", "deploymentnotfound", "invalid_model", "1211", "model_not_exist"}
_MODEL_PHRASES: Final = ("model not exist", "model does not exist", "is not a valid model", "model not found")
_RATE_CODES: Final = {"rate_limit_exceeded", "rate_limit_error", "ratelimitreached", "rate_limit_reached_error",
                      "1302", "1303", "1305", "throttling", "throttling.ratequota", "resource_exhausted"}  # fmt: skip
_REFUSED_TYPES: Final = {"invalid_request_error", "bad_request", "invalid_argument"}

PARAMETERS: Final = (
    "stream_options", "max_completion_tokens", "max_tokens", "temperature", "parallel_tool_calls", "tool_choice",
    "response_format", "tools", "reasoning_content", "reasoning_details", "reasoning_effort", "enable_thinking",
    "thinking_budget", "thinking", "chat_template_kwargs", "top_p",
)  # fmt: skip
"""Optional parameters one can do without; the first that a complaint names is its `param`."""


def from_status(status: int, headers: Mapping[str, str], body: object, keys: Iterable[str] = ()) -> ModelError:
    """An HTTP answer that is no success."""
    if 300 <= status < 400:
        return _redirected(status, headers)
    return _classify(status, headers, read_error(body), tuple(keys))


def from_frame(error: object, keys: Iterable[str] = ()) -> ModelError:
    """An error object inside a stream that began with 200."""
    frame_error = read_error(error)
    return _classify(frame_error.status, {}, frame_error, tuple(keys))


def _redirected(status: int, headers: Mapping[str, str]) -> ModelError:
    location = next((value for name, value in headers.items() if name.lower() == "location"), "")
    try:
        host = urlsplit(location).hostname or ""
    except ValueError:
        host = ""
    where = f" to {host[:200]}" if host else ""
    return Redirected(f"the address redirects{where}; not followed", status=status, location=host[:200])


def _classify(status: int, headers: Mapping[str, str], told: Told, keys: tuple[str, ...]) -> ModelError:
    words, lower = set(told.words), told.message.lower()
    quoted = redact(told.message, keys)[:_MAX_MESSAGE]
    message = quoted or (f"HTTP {status}" if status else "the provider reported an error without a message")

    def says(codes: set[str], phrases: tuple[str, ...] = ()) -> bool:
        return not words.isdisjoint(codes) or any(phrase in lower for phrase in phrases)

    if "tool_use_failed" in words:
        return ToolUseFailed(message, text=redact(told.failed_text, keys), status=status)
    if says(_FILTER_CODES) or (status in (0, 200, 400, 403, 422, 451) and says(set(), _FILTER_PHRASES)):
        return ContentFiltered(message, status=status)
    if status == 413 or says(_OVERFLOW_CODES) or (status in (0, 400, 422, 500) and says(set(), _OVERFLOW_PHRASES)):
        return ContextOverflow(message, status=status)
    if status == 402 or (says(_QUOTA_CODES, _QUOTA_PHRASES) and not any_wait(told.raw)):
        return QuotaUsedUp(message, status=status)
    if status == 401 or says(_KEY_CODES, _KEY_PHRASES):
        return KeyRefused(message, status=status)
    if status == 429 or (status in (0, 400, 403) and says(_RATE_CODES)):
        return RateLimited(message, retry_after=wait_of(headers, told.raw, told.message), status=status or 429)
    if status in (404, 410) or (status in (0, 400) and says(_MODEL_CODES, _MODEL_PHRASES)):
        return NotFound(message, status=status)
    if status == 403:
        return AccessRefused(message, status=status)
    if status >= 500 or status in (408, 409, 425):
        return ServerFailed(message, status=status, retry_after=wait_of(headers, told.raw, told.message))
    if status >= 400 or not words.isdisjoint(_REFUSED_TYPES):
        return RequestRefused(message, param=_param(told, lower), status=status or 400)
    return ServerFailed(message, status=status)


def _param(told: Told, lower: str) -> str:
    if told.param:
        return redact(told.param)
    return next((name for name in PARAMETERS if name in lower), "")
