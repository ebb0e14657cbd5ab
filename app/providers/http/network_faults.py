"""What went wrong on the way to a provider → our errors, with the host and the phase named."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from app.core.errors import CertificateRefused, ModelError, ModelTimeout, NetworkFailed, ProxyFailed

if TYPE_CHECKING:
    from collections.abc import Iterable

_TLS_WORDS: Final = ("certificate", "ssl", "tls")


def from_exception(error: BaseException, *, host: str, proxy: str = "") -> ModelError:
    """`error` is of httpx2 or the SDK; what it stands for is found in its causes."""
    import httpx2

    chain = list(_causes(error))
    if tls := next((e for e in chain if isinstance(e, ssl.SSLCertVerificationError)), None):
        return CertificateRefused(
            f"the certificate of {host} is not trusted: {tls.verify_message or 'verification failed'}",
            host=host,
            reason=tls.verify_message or "",
            check=_check(tls),
        )
    if any(isinstance(e, ssl.SSLError) for e in chain) or _told(chain, _TLS_WORDS, httpx2.ConnectError):
        return CertificateRefused(f"no secure connection to {host} could be made", host=host, reason="", check="tls")
    if proxy and any(isinstance(e, httpx2.ProxyError) for e in chain):
        return ProxyFailed(f"the proxy {proxy} refused the connection to {host}", proxy=proxy, source="reply")
    if any(isinstance(e, httpx2.TimeoutException) for e in chain):
        return ModelTimeout(f"no connection to {host} in time", phase="connect", host=host)
    phase, sentence = _phase(chain, host)
    if proxy and phase in ("dns", "refused", "connect"):
        return ProxyFailed(f"the proxy {proxy} cannot be reached", proxy=proxy, source="connect")
    return NetworkFailed(sentence, phase=phase, host=host)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup):
            yield from error.exceptions
        error = error.__cause__ or error.__context__


def _told(chain: Iterable[BaseException], words: tuple[str, ...], kind: type[BaseException]) -> bool:
    return any(isinstance(e, kind) and any(word in str(e).lower() for word in words) for e in chain)


def _check(error: ssl.SSLCertVerificationError) -> str:
    """Which check failed, as a word the window has a sentence for."""
    message = (error.verify_message or str(error)).lower()
    for word, check in (
        ("expired", "expired"),
        ("not yet valid", "not_yet_valid"),
        ("hostname", "host"),
        ("ip address mismatch", "host"),
        ("self-signed", "self_signed"),
        ("self signed", "self_signed"),
    ):
        if word in message:
            return check
    return "untrusted"


def _phase(chain: list[BaseException], host: str) -> tuple[str, str]:
    import httpx2

    if any(isinstance(e, socket.gaierror) for e in chain):
        return "dns", f"cannot find {host}"
    numbers = {e.errno for e in chain if isinstance(e, OSError)}
    if errno.ECONNREFUSED in numbers:
        return "refused", f"nothing is listening at {host}"
    text = " ".join(str(e) for e in chain).lower()
    if "name or service not known" in text or "getaddrinfo" in text or "nodename nor servname" in text:
        return "dns", f"cannot find {host}"
    if "all connection attempts failed" in text or "refused" in text:
        return "refused", f"nothing is listening at {host}"
    if any(isinstance(e, httpx2.ConnectError) for e in chain):
        return "connect", f"no connection to {host}"
    return "broken", f"the connection to {host} broke"
