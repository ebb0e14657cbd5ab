"""One spelling for web addresses that lead to the same page: for comparing sources and requests, never for fetching."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

_TRACKING = frozenset(
    "gclid fbclid msclkid dclid yclid igshid mc_cid mc_eid spm scm ref_src ref_url share_token from_source".split()
)


def canonical_url(url: str) -> str:
    """Without scheme, `www.`, default port, fragment, tracking parameters and a slash at the end.

    Never raises: what is no address is compared as the text it is.
    """
    text = url.strip().rstrip(".,;、。，；")
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return text.casefold()
    if not host:
        return text.casefold()
    if host in {"doi.org", "dx.doi.org"}:
        return f"doi:{unquote(parts.path).strip('/').casefold()}"
    host = host.removeprefix("www.")
    host += f":{port}" if port not in (None, 80, 443) else ""
    pairs = [
        (key, value)
        for key, value in parse_qsl(parts.query, keep_blank_values=True)
        if not key.lower().startswith("utm_") and key.lower() not in _TRACKING
    ]
    query = f"?{urlencode(pairs, errors='surrogatepass')}" if pairs else ""
    return f"{host}{unquote(parts.path).rstrip('/')}{query}"


def domain_of(url: str) -> str:
    """The host without `www.`; "" for what is no address."""
    try:
        host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")
