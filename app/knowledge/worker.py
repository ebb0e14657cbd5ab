"""The reading process: a path per line in, its passages as JSON lines out. It may be killed at any time.

    → {"path": "/a/b.pdf", "known": ""}
    ← {"passages": [[text, page, sheet, row, heading, words], …]} …, the last with    "end": "", "hash": "…"
      or ← {"end": "damaged", "hash": ""}, or, where the content is `known` by its hash, ← {"end": "same", …}
    → {"path": "/a/b.pdf", "page": 3, "text": "…"}    ← {"picture": {…}}    then    ← {"end": "", …}

`words` is what the index stores; null = the text itself. Foreign code that parses hostile files runs here and nowhere
else. The memory of the process is limited where the system can do that; how long a file may take is watched from
outside (`reading.py`).
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from app.core.knowledge import Passage
from app.core.session.search import spaced

from .chunks import chunks
from .loaders import LARGEST, Unreadable, load
from .page_picture import picture

MEMORY = 2 * 1024**3
"""Bytes of address space."""
SMALL = 1_000_000
"""Bytes of a file that is read in one piece."""
AT_ONCE = 50
"""Passages of one line: the window reads it between two frames."""


def main() -> int:
    limit_memory()
    # Libraries print; only our lines may be in the answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    if isinstance(answers, TextIOWrapper):
        answers.reconfigure(encoding="utf-8", errors="surrogatepass")
    for line in sys.stdin:
        request = json.loads(line)
        end = hash = ""
        rest: list[list[Any]] = []
        try:
            if request.get("page"):
                page_picture = picture(Path(request["path"]), request["page"], request["text"])
                _write(answers, {"picture": page_picture})
                continue
            hash = _hash(Path(request["path"]))
            end, rest = ("same", []) if hash == request["known"] else _answer(Path(request["path"]), answers)
        except Unreadable as error:
            end = error.code
        except MemoryError:
            end = "memory"
        except FileNotFoundError:
            end = "gone"
        except PermissionError:
            end = "denied"
        except RecursionError:
            end = "damaged"
        except Exception:  # noqa: BLE001 - whatever a library raises over a hostile file costs this file alone
            end = "damaged"
        finally:
            # Most documents are one line: each costs the window a turn.
            _write(answers, {"passages": rest, "end": end, "hash": hash})
            answers.flush()
    return 0


def _answer(path: Path, answers: TextIO) -> tuple[str, list[list[Any]]]:
    """What is wrong with it, "" = nothing, and the passages that are not written yet."""
    rows: list[list[Any]] = []
    is_empty = True
    for passage in chunks(load(path)):
        is_empty = False
        if len(rows) >= AT_ONCE:
            _write(answers, {"passages": rows})
            rows = []
        rows.append(_row(passage))
    return "empty" if is_empty else "", rows


def _write(answers: TextIO, line: dict[str, Any]) -> None:
    # Letters as they are: as escapes Chinese is three times as long, here and where it is read.
    answers.write(json.dumps(line, ensure_ascii=False) + "\n")


def _row(passage: Passage) -> list[Any]:
    whole = f"{passage.heading}\n{passage.text}" if passage.heading else passage.text
    words = spaced(whole)
    return [
        passage.text, passage.page, passage.sheet, passage.row, passage.heading,
        None if words == passage.text else words,
    ]  # fmt: skip


def _hash(path: Path) -> str:
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST:
            raise Unreadable("large")
        if size <= SMALL:  # `file_digest` makes a buffer of its own for each file
            return hashlib.sha256(file.read()).hexdigest()
        return hashlib.file_digest(file, "sha256").hexdigest()


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
