"""Read by MkDocs: on the site, what lies outside docs/ (an example, a test) is named instead of linked."""

from __future__ import annotations

import re

_OUTSIDE = re.compile(r"\[([^\]\n]*)\]\((?:\.\./\.\./|\.\./(?:tests|examples|app)\b|(?:\.\./)?house\.md)[^)\n]*\)")


def on_page_markdown(markdown: str, **_: object) -> str:
    return _OUTSIDE.sub(r"\1", markdown)
