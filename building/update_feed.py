"""The signed feed of updates, for whoever releases the program: a key, a feed, a look at one.

    python -m building.update_feed new-key KEYFILE
    python -m building.update_feed sign KEYFILE FEED --number 7 --version 0.2.0 --released 2026-12-01 \\
        --days 90 --page https://… --notes notes.md --file linux-x86_64=https://…=dist/triptych.tar.gz
    python -m building.update_feed show FEED

The key stays with the person who releases, on no server: `new-key` writes it readable by its owner alone and prints
the line for `PUBLIC_KEYS` in app/core/system/update_feed.py. Each feed has a higher number than the one before.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from app.core.system.update_feed import CONTEXT, FORMAT, VERSION, read_feed


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m building.update_feed", description=__doc__.splitlines()[0])
    actions = parser.add_subparsers(dest="action", required=True)
    making = actions.add_parser("new-key")
    making.add_argument("key", type=Path)
    signing = actions.add_parser("sign")
    signing.add_argument("key", type=Path)
    signing.add_argument("feed", type=Path)
    signing.add_argument("--number", type=int, required=True)
    signing.add_argument("--version", required=True)
    signing.add_argument("--released", required=True)
    signing.add_argument("--days", type=int, default=90, help="how long the feed holds")
    signing.add_argument("--page", default="")
    signing.add_argument("--notes", type=Path)
    signing.add_argument("--file", action="append", default=[], metavar="SYSTEM=URL=PATH")
    showing = actions.add_parser("show")
    showing.add_argument("feed", type=Path)
    args = parser.parse_args(arguments)
    return {"new-key": new_key, "sign": sign, "show": show}[args.action](args)


def new_key(args: argparse.Namespace) -> int:
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()
    )
    with os.fdopen(os.open(args.key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(base64.b64encode(secret) + b"\n")
    print(public_key(key))
    return 0


def sign(args: argparse.Namespace) -> int:
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(args.key.read_bytes()))
    files = []
    for one in args.file:
        system, url, path = one.split("=", 2)
        data = Path(path).read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        files.append({"system": system, "url": url, "name": Path(path).name, "size": len(data), "sha256": sha256})
    release = {
        "version": args.version, "released": args.released, "page": args.page, "files": files,
        "notes": args.notes.read_text("utf-8") if args.notes else "",
    }  # fmt: skip
    now = datetime.now(UTC)
    expires = (now + timedelta(days=args.days)).isoformat(timespec="seconds")
    statement = {"format": FORMAT, "version": VERSION, "number": args.number, "expires": expires, "release": release}
    text = json.dumps(statement, ensure_ascii=False, indent=1)
    signature = base64.b64encode(key.sign(CONTEXT + text.encode())).decode()
    data = json.dumps({"signed": text, "signature": signature}, ensure_ascii=False).encode()
    read_feed(data, [public_key(key)], least=args.number, now=now.timestamp())  # as every copy of the program will
    args.feed.write_bytes(data)
    return 0


def show(args: argparse.Namespace) -> int:
    print(json.loads(args.feed.read_bytes())["signed"])
    return 0


def public_key(key: Ed25519PrivateKey) -> str:
    raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return base64.b64encode(raw).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
