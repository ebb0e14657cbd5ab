#!/usr/bin/env python3
"""`triptych batch` on more than one machine: a task of a Dask cluster per slice of the questions.

    pip install "triptych[batch,postgres]"
    python examples/batch_cluster.py questions.jsonl --out answers.jsonl --workers 4
    python examples/batch_cluster.py questions.jsonl --out postgresql://me@db/answers --scheduler tcp://10.0.0.1:8786

Each task runs the same program, `triptych batch`, on its slice: with a data folder of its own, with the settings of the
environment of its machine (OPENAI_API_KEY, TRIPTYCH_MODEL …), and with --resume, so that a task that dies and is begun
again asks only what has no answer. With a PostgreSQL server as --out all write into one table (the password comes from
PGPASSWORD); with a file the slices are put together at the end, in the order of the questions. Without --folder nothing
is left behind on the workers, and a run of this program that was broken off begins again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import dask
from dask.distributed import Client, LocalCluster, as_completed


def ask_slice(number: int, lines: list[str], out: str, batch: str, folder: str, further: list[str]) -> tuple[int, str]:
    """Runs on a worker. Returns the exit code, and the answers where they do not go to a server."""
    if folder:
        return answered_in(Path(folder) / f"{batch}-{number}", lines, out, batch, further)
    with tempfile.TemporaryDirectory(prefix=f"{batch}-{number}-") as place:
        return answered_in(Path(place), lines, out, batch, further)


def answered_in(place: Path, lines: list[str], out: str, batch: str, further: list[str]) -> tuple[int, str]:
    place.mkdir(parents=True, exist_ok=True)
    questions, answers = place / "questions.jsonl", place / "answers.jsonl"
    questions.write_text("".join(lines), "utf-8")
    is_server = out.startswith("postgres")
    command = [
        sys.executable, "-m", "app", "batch", str(questions), "--out", out if is_server else str(answers), "--resume",
        *(["--batch", batch] if is_server else []), *further,
    ]  # fmt: skip
    ended = subprocess.run(command, env={**os.environ, "TRIPTYCH_DATA_DIR": str(place / "data")}, check=False)
    return ended.returncode, "" if is_server or not answers.exists() else answers.read_text("utf-8")


def with_ids(path: Path) -> list[str]:
    """The lines, each with an id that holds for the whole file and not for a slice."""
    lines = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if text.strip():
            one = json.loads(text)
            one = one if isinstance(one, dict) else {"query": one}
            lines.append(json.dumps({"id": str(number), **one}, ensure_ascii=False) + "\n")
    return lines


@contextmanager
def own_cluster(workers: int) -> Iterator[LocalCluster]:
    """On this machine. Its workers keep what they need in a folder that goes with it."""
    with (
        tempfile.TemporaryDirectory(prefix="triptych-cluster-") as folder,
        dask.config.set({"temporary-directory": folder}),
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
    ):
        yield cluster


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--out", required=True, help="a new file, or postgresql://user@host/database")
    parser.add_argument("--scheduler", default="", help="of a cluster that runs; else one is started on this machine")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slices", type=int, default=0, help="else two for each worker")
    parser.add_argument("--folder", default="", help="where a worker keeps its slices; the same again resumes")
    arguments, further = parser.parse_known_args()  # what is not named here goes to `triptych batch`
    lines = with_ids(arguments.questions)
    count = min(len(lines), arguments.slices or 2 * arguments.workers)
    slices = [lines[place::count] for place in range(count)]
    codes: list[int] = []
    answers: dict[str, str] = {}
    with ExitStack() as stack:
        address = arguments.scheduler or stack.enter_context(own_cluster(arguments.workers))
        client = stack.enter_context(Client(address))
        tasks = [
            client.submit(
                ask_slice, number, one, arguments.out, arguments.questions.stem, arguments.folder, further, pure=False
            )
            for number, one in enumerate(slices)
        ]
        for task in as_completed(tasks):
            code, text = task.result()
            codes.append(code)
            answers.update({json.loads(line)["id"]: line for line in text.splitlines()})
            sys.stderr.write(f"{len(codes)}/{count} slices\n")
    if not arguments.out.startswith("postgres"):
        ids = [json.loads(line)["id"] for line in lines]
        text = "".join(f"{answers[id]}\n" for id in ids if id in answers)
        Path(arguments.out).write_text(text, "utf-8")
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
