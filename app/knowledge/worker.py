"""The reading process: a path per line in, its passages as JSON lines out. It may be killed at any time.

    → {"path": "/a/b.pdf", "known": ""}
    ← {"passages": [[text, page, sheet, row, heading, words], …]} …    then    ← {"end": "", "hash": "…"}
      or ← {"end": "damaged", "hash": ""}, or, where the content is `known` by its hash, ← {"end": "same", …}
    → {"path": "/a/b.pdf", "page": 3, "text": "…"}    ← {"picture": {…}}    then    ← {"end": "", …}

`words` is what the index stores; null = the text itself. Foreign code that parses hostile files runs here and nowhere
else. The memory of the process is limited where the system can do that; how long a file may take is watched from
outside (`reading.py`).
"""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from app.core.knowledge import Passage
from app.core.session.search import spaced

from .chunks import chunks
from .loaders import LARGEST, Unreadable, load
from .page_picture import picture

MEMORY = 2 * 1024**3
"""Bytes of address space."""
AT_ONCE = 50
"""Passages of one line: the window reads it between two frames."""


def main() -> int:
    limit_memory()
    # Libraries print; only our lines may be in the answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        end = hash = ""
        try:
            if request.get("page"):
                page_picture = picture(Path(request["path"]), request["page"], request["text"])
                answers.write(json.dumps({"picture": page_picture}) + "\n")
                continue
            hash = _hash(Path(request["path"]))
            end = "same" if hash == request["known"] else _answer(Path(request["path"]), answers)
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
            answers.write(json.dumps({"end": end, "hash": hash}) + "\n")
            answers.flush()
    return 0


def _answer(path: Path, answers: TextIO) -> str:
    """What is wrong with it, "" = nothing."""
    rows: list[list[Any]] = []
    is_empty = True
    for passage in chunks(load(path)):
        is_empty = False
        rows.append(_row(passage))
        if len(rows) >= AT_ONCE:
            answers.write(json.dumps({"passages": rows}) + "\n")
            rows = []
    if rows:
        answers.write(json.dumps({"passages": rows}) + "\n")
    return "empty" if is_empty else ""


def _row(passage: Passage) -> list[Any]:
    whole = f"{passage.heading}\n{passage.text}" if passage.heading else passage.text
    words = spaced(whole)
    return [
        passage.text, passage.page, passage.sheet, passage.row, passage.heading,
        None if words == passage.text else words,
    ]  # fmt: skip


def _hash(path: Path) -> str:
    if path.stat().st_size > LARGEST:
        raise Unreadable("large")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
