"""Is the data folder in a place that is dangerous for a database: synchronised by a service, or on another machine?

A sync service replaces the database and its journal separately; a write-ahead log needs memory that two machines do
not share. The check uses names and mounts, so it can be wrong both ways: it only warns and selects the plainer journal.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_SERVICES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("OneDrive", ("onedrive", "skydrive")),
    ("Dropbox", ("dropbox",)),
    ("iCloud", ("icloud drive", "iclouddrive", "com~apple~clouddocs", "mobile documents")),
    ("Google Drive", ("google drive", "googledrive", "my drive", "google drive stream")),
    ("坚果云 Nutstore", ("nutstore", "nutstore files", "我的坚果云", "坚果云", "my nutstore")),
    ("百度网盘", ("百度网盘", "baidusyncdisk", "baidunetdiskworkspace", "baidunetdiskdownload")),
    ("Box", ("box sync", "box")),
    ("MEGA", ("mega", "megasync", "mega downloads")),
    ("pCloud", ("pcloud", "pclouddrive", "pcloud drive")),
    ("Nextcloud", ("nextcloud",)),
    ("ownCloud", ("owncloud",)),
    ("Seafile", ("seafile", "seadrive")),
    ("Yandex Disk", ("yandex.disk", "yandexdisk")),
    ("Syncthing", ("syncthing",)),
    ("Creative Cloud", ("creative cloud files",)),
)
_MARKS = ((".dropbox.cache", "Dropbox"), (".stfolder", "Syncthing"), (".nextcloudsync.log", "Nextcloud"))
_NETWORK_TYPES = frozenset(
    "nfs nfs4 cifs smb2 smb3 smbfs afpfs afs 9p ncpfs davfs webdav fuse.sshfs fuse.rclone fuse.davfs2 fuse.smbnetfs"
    " fuse.glusterfs glusterfs ceph fuse.ceph lustre beegfs gpfs vboxsf fuse.vmhgfs-fuse prl_fs virtiofs".split()
)
_REMOTE_DRIVE = 4
"""Of Windows' GetDriveType."""


@dataclass(frozen=True, slots=True)
class Danger:
    kind: Literal["synced", "network"]
    name: str
    """The service, or the type of the file system."""


def danger_of(folder: Path) -> Danger | None:
    """None for a plain place. Reads a line of the system's table at most, nothing inside the folder."""
    service = synced_by(folder, os.environ)
    if service:
        return Danger("synced", service)
    kind = _network_type(folder)
    return Danger("network", kind) if kind else None


def synced_by(folder: Path, environ: Mapping[str, str]) -> str:
    """The service whose folder it is in, "" for none."""
    parts = [part.casefold() for part in folder.parts]
    for name, words in _SERVICES:
        # "OneDrive - My Company", "Dropbox (Personal)": what follows a service's name is an account.
        if any(part == word or part.startswith((f"{word} -", f"{word} (")) for part in parts for word in words):
            return name
    for variable in ("OneDrive", "OneDriveConsumer", "OneDriveCommercial"):
        root = environ.get(variable, "")
        if root and folder.is_relative_to(Path(root)):
            return "OneDrive"
    for parent in (folder, *folder.parents):
        for mark, name in _MARKS:
            with contextlib.suppress(OSError):
                if (parent / mark).exists():
                    return name
    return ""


def network_type(folder: Path, mounts: Iterable[tuple[str, str]]) -> str:
    """The file system's type if it is one of another machine. `mounts` are place and type of each mounted one."""
    best, found = -1, ""
    for place, kind in mounts:
        root = Path(place)
        if folder.is_relative_to(root) and len(root.parts) >= best:
            best, found = len(root.parts), kind
    return found if found.casefold() in _NETWORK_TYPES else ""


def _network_type(folder: Path) -> str:
    try:
        if sys.platform == "win32":
            return _of_windows(folder)
        here = folder.resolve()
        return network_type(here, _of_linux() if sys.platform == "linux" else _of_others())
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def _of_linux() -> list[tuple[str, str]]:
    lines = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    fields = [line.split(" ") for line in lines]
    return [(place_of(field[1]), field[2]) for field in fields if len(field) > 2]


def place_of(text: str) -> str:
    """As the table of Linux writes it: a space is \\040."""
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, char)
    return text


def _of_others() -> list[tuple[str, str]]:
    """macOS and the BSDs: `//me@host/share on /Volumes/share (smbfs, nodev)`."""
    done = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=False)
    return [found for line in done.stdout.splitlines() if (found := mount_line(line))]


def mount_line(line: str) -> tuple[str, str] | None:
    place, bracket, rest = line.partition(" on ")[2].rpartition(" (")
    return (place, rest.partition(",")[0].rstrip(")")) if bracket and place else None


def _of_windows(folder: Path) -> str:
    if folder.drive.startswith("\\\\"):
        return "smb3"
    import ctypes

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  known on Windows only
    return "smb3" if kernel.GetDriveTypeW(f"{folder.drive}\\") == _REMOTE_DRIVE else ""
