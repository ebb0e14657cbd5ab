"""P22 of the quality page: a book of 1,000,000 characters on the page, and words looked for in 100,000 files.

    python -m tests.benchmarks.whole.large_texts p22 [--json] [--short]

P22: the folder read, the list of its chapters shown, then ten chapters one after the other, each scrolled up from its
end by ten steps of the wheel; against a QListView over the lines of the same files and a hundred steps in it.
P22G: `grep` as the agent's tool calls it, against ripgrep's own library over the same folder. CPU seconds of the
process, ours and the floor in turn.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.domains.kit.folder.root import open_root
from app.domains.novel.model.project import Chapter, Project
from app.domains.novel.page import NovelPage
from app.domains.novel.store.folder import create
from app.domains.workspace.model import search
from app.ui.cards.factory import CardFactory
from app.ui.page.pane import PagePane
from app.ui.theme import Theme
from tests.benchmarks.program import figure
from tests.benchmarks.ui_session import wheel
from tests.benchmarks.ui_stream import SIZE, application, settle

CHARACTERS, SHORT_CHARACTERS = 1_000_000, 100_000
FILES, SHORT_FILES = 100_000, 5_000
PAGE_GOAL, GREP_GOAL = 2.0, 3.0
_CHAPTER, _LINE, _READ, _STEPS = 4_000, 40, 10, 100
_PER_FOLDER, _RARE = 500, 50
_W = TypeVar("_W", bound=QWidget)
_PARAGRAPH = "雾从江面上来，渡口的灯一盏一盏灭了，他把那封没有署名的信又看了一遍，然后折好放回怀里。" * 4


def measure(name: str, *, short: bool = False) -> dict[str, Any]:
    pairs = 3 if short else 5
    with tempfile.TemporaryDirectory(prefix="triptych-p22-") as folder:
        place = Path(folder, "texts")
        place.mkdir()
        if name == "p22":
            application()
            write_book(place, SHORT_CHARACTERS if short else CHARACTERS)
            return _pairs("P22", _page, _plain_list, place, pairs, PAGE_GOAL)
        write_files(place, SHORT_FILES if short else FILES)
        return _pairs("P22G", _grep, _bare_search, place, pairs, GREP_GOAL)


def _pairs(
    name: str, ours: Callable[[Path], float], floor: Callable[[Path], float], place: Path, count: int, goal: float
) -> dict[str, Any]:
    floor(place), ours(place)  # the first of each warms the caches of the disk
    both = [(ours(place), floor(place)) for _pair in range(count)]
    ratio = statistics.median(one / other for one, other in both)
    mine, base = (statistics.median(column) for column in zip(*both, strict=True))
    return {"name": name, "ours": mine, "floor": base, "ratio": round(ratio, 3), "goal": goal, "ok": ratio <= goal}


# ---------------------------------------------------------------- the book


def write_book(folder: Path, characters: int) -> None:
    text = "\n".join(f"{number}{_PARAGRAPH}" for number in range(-(-_CHAPTER // len(_PARAGRAPH))))
    with open_root(folder) as root:
        novel = create(root, Project("夜航", "某人", pov="third"))
        for number in range(1, -(-characters // len(text)) + 1):
            novel.save_chapter(root, Chapter(f"ch-{number:04}", f"第{number}夜", number, number, text=text))
        novel.save_index(root)


def _page(folder: Path) -> float:
    pane = _shown(PagePane(Theme("light"), CardFactory()))
    started = time.process_time()
    page = NovelPage()
    contents = page.contents(folder, "zh_CN")
    assert contents is not None
    pane.show_contents(contents, contents.newest)
    for entry in contents.entries[-_READ:]:
        pane.show_text(page.text(folder, entry.id, "zh_CN"))
        pane.editor.verticalScrollBar().setValue(pane.editor.verticalScrollBar().maximum())
        settle()
        wheel(pane.editor, _STEPS // _READ)
        assert 0 < pane.editor.verticalScrollBar().value() < pane.editor.verticalScrollBar().maximum()
    return _closed(pane, started)


def _plain_list(folder: Path) -> float:
    view = _shown(QListView())
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setUniformItemSizes(True)
    started = time.process_time()
    texts = (file.read_text("utf-8") for file in sorted(folder.rglob("*.md")))
    lines = (line for text in texts for line in text.splitlines())
    view.setModel(
        QStringListModel([line[at : at + _LINE] for line in lines for at in range(0, len(line), _LINE)], view)
    )
    view.scrollToBottom()
    settle()
    wheel(view, _STEPS)
    return _closed(view, started)


def _shown(widget: _W) -> _W:
    widget.resize(*SIZE)
    widget.show()
    settle()
    return widget


def _closed(widget: QWidget, started: float) -> float:
    spent = time.process_time() - started
    widget.close()
    widget.deleteLater()
    settle()
    return spent


# ---------------------------------------------------------------- many files


def write_files(folder: Path, count: int) -> None:
    """Of twenty lines each; one in fifty has the word that is looked for."""
    body = "".join(f"line {number} of a file about prices and delivery\n" for number in range(20))
    for number in range(count):
        below = folder / f"part{number // _PER_FOLDER:03}"
        below.mkdir(exist_ok=True)
        word = "needle here\n" if number % _RARE == 0 else ""
        (below / f"file{number:06}.txt").write_text(body + word, "utf-8")


def _grep(folder: Path) -> float:
    started = time.process_time()
    with open_root(folder) as root:
        found = search.matches(root, ".", "needle", is_regex=False, include="", context=0, most=200)
    spent = time.process_time() - started
    assert found.rows
    return spent


def _bare_search(folder: Path) -> float:
    from python_ripgrep import search as bare

    started = time.process_time()
    found = bare(patterns=["needle"], paths=[str(folder)], line_number=True)
    spent = time.process_time() - started
    assert found
    return spent


def main() -> int:
    return figure(__doc__, ["p22", "p22g"], lambda name, short: measure(name, short=short))


if __name__ == "__main__":
    raise SystemExit(main())
