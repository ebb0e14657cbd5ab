"""An Atom feed as the texts of its entries. Read as markup without entities of its own, so nothing in it can expand."""

from __future__ import annotations

from collections import defaultdict
from html.parser import HTMLParser

MOST_ENTRIES = 200


class AtomEntry:
    """The texts of one entry by the name of their element; the address of its PDF as `pdf`."""

    def __init__(self) -> None:
        self.texts: defaultdict[str, list[str]] = defaultdict(list)

    def every(self, name: str) -> list[str]:
        return [" ".join(text.split()) for text in self.texts[name]]

    def one(self, name: str) -> str:
        return next(iter(self.every(name)), "")


def entries_of(text: str) -> list[AtomEntry] | None:
    """None: this is no feed."""
    reader = _Feed()
    try:
        reader.feed(text)
        reader.close()
    except (AssertionError, ValueError):
        return None
    return reader.entries[:MOST_ENTRIES] if reader.is_feed else None


class _Feed(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.entries: list[AtomEntry] = []
        self.is_feed = False
        self._inside: AtomEntry | None = None
        self._name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_feed = self.is_feed or tag == "feed"
        self._name = tag
        if tag == "entry":
            self._inside = AtomEntry()
            self.entries.append(self._inside)
        elif self._inside is not None:
            attributes = dict(attrs)
            if tag == "link" and attributes.get("title") == "pdf":
                self._inside.texts["pdf"].append(attributes.get("href") or "")
            self._inside.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._name = ""
        if tag == "entry":
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is not None and self._name and self._inside.texts[self._name]:
            self._inside.texts[self._name][-1] += data
