"""The .deb of a built bundle, by dpkg-deb. Run by `make packages`:

    python packaging/linux/deb.py VERSION GLIBC "NAME <ADDRESS>"

The folder goes to /usr/lib/triptych, a link to /usr/bin, starter, icons, metadata and the type of session files to
/usr/share. What it depends on is the list `system` of left_out.toml and the glibc its libraries name.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tomllib
from email.utils import formatdate
from pathlib import Path

HERE = Path(__file__).parent
REPO = HERE.parents[1]
BUNDLE = REPO / "dist" / "triptych"
ICONS = REPO / "build" / "pyinstaller" / "dist" / "triptych" / "icons"
ID = "app.triptych.Triptych"
SHARED = {
    f"{ID}.desktop": "applications",
    f"{ID}.metainfo.xml": "metainfo",
    f"{ID}.xml": "mime/packages",
}


def control(version: str, glibc: str, maintainer: str, kilobytes: int) -> str:
    lists = tomllib.loads((HERE.parent / "left_out.toml").read_text("utf-8"))
    depends = sorted({f"libc6 (>= {glibc})", *lists["system"].values()})
    return f"""Package: triptych
Version: {version}
Section: utils
Priority: optional
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {", ".join(depends)}
Recommends: fonts-noto-cjk, gnome-keyring | libsecret-1-0, xdg-desktop-portal
Description: window for agents that work for you and show every step
 Ask, and an agent answers: at once, with tools, or by a plan that can be read
 and changed before it runs. Reasoning, tool calls and cost stand beside the
 answer.
 .
 Journeys, research, quotations, a novel, games for a child and work in a
 folder have agents of their own; all of them also answer without a key and
 without a network, by rules.
"""


def lay_out(root: Path, version: str, glibc: str, maintainer: str) -> None:
    share, library = root / "usr/share", root / "usr/lib/triptych"
    shutil.copytree(BUNDLE, library, symlinks=True)
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/triptych").symlink_to("../lib/triptych/triptych")
    for name, folder in SHARED.items():
        copy(HERE / name, share / folder / name)
    for picture in ICONS.glob("triptych-*.png"):
        edge = int(picture.stem.rpartition("-")[2])
        if edge <= 512:
            copy(picture, share / f"icons/hicolor/{edge}x{edge}/apps/{ID}.png")
    copy(REPO / "resources/brand/triptych.svg", share / f"icons/hicolor/scalable/apps/{ID}.svg")
    copy(HERE / "copyright", share / "doc/triptych/copyright")
    write_gzip(share / "doc/triptych/changelog.gz", changelog(version, maintainer))
    write_gzip(share / "man/man1/triptych.1.gz", (HERE / "triptych.1").read_text("utf-8"))
    copy(HERE / "lintian-overrides", share / "lintian/overrides/triptych")
    for file in library.rglob("*"):
        if file.is_file() and not file.is_symlink():
            file.chmod(0o755 if file == library / "triptych" else 0o644)
    for folder in (one for one in root.rglob("*") if one.is_dir() and not one.is_symlink()):
        folder.chmod(0o755)
    size = sum(file.lstat().st_size for file in root.rglob("*") if file.is_file()) // 1024
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(control(version, glibc, maintainer, size), "utf-8")


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o644)


def write_gzip(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    target.chmod(0o644)


def changelog(version: str, maintainer: str) -> str:
    when = formatdate(float(os.environ.get("SOURCE_DATE_EPOCH", "0")))
    return f"triptych ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- {maintainer}  {when}\n"


def main(version: str, glibc: str, maintainer: str) -> int:
    root = REPO / "build" / "deb"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    root.chmod(0o755)
    lay_out(root, version, glibc, maintainer)
    target = REPO / "dist" / f"triptych_{version}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "--build", str(root), str(target)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
