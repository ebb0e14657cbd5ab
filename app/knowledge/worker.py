"""The reading process: a path per line in, its passages as JSON lines out. It may be killed at any time.

    → {"path": "/a/b.pdf"}
    ← {"passage": {…}} …        then        ← {"end": ""}        or        ← {"end": "damaged"}

Foreign code that parses hostile files runs here and nowhere else. The memory of the process is limited where the
system can do that; how long a file may take is watched from outside (`reading.py`).
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from .chunks import chunks
from .loaders import Unreadable, load

MEMORY = 2 * 1024**3
"""Bytes of address space."""


def main() -> int:
    limit_memory()
    # Libraries print; only our lines may be in the answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        end = ""
        try:
            for passage in chunks(load(Path(json.loads(line)["path"]))):
                answers.write(json.dumps({"passage": asdict(passage)}) + "\n")
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
        answers.write(json.dumps({"end": end}) + "\n")
        answers.flush()
    return 0


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
