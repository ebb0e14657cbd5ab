"""Folders that are synchronised, and folders of other machines, are known by their names and by what is mounted."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.storage.folder.sync_detection import Danger, danger_of, mount_line, network_type, place_of, synced_by

MOUNTS = [("/", "ext4"), ("/srv", "ext4"), ("/srv/ada/nas", "nfs4"), ("/srv/ada/nas/disk", "ext4"), ("/mnt/s", "cifs")]


@pytest.mark.parametrize(
    ("folder", "service"),
    [
        ("/srv/ada/OneDrive/Triptych", "OneDrive"),
        ("/Users/Ada/OneDrive - My Company/Triptych", "OneDrive"),
        ("/srv/ada/Dropbox (Personal)/x", "Dropbox"),
        ("/Users/Ada/Library/Mobile Documents/com~apple~CloudDocs/x", "iCloud"),
        ("/srv/ada/坚果云/x", "坚果云 Nutstore"),
        ("/srv/ada/Nutstore Files/我的坚果云/x", "坚果云 Nutstore"),
        ("/srv/ada/BaiduSyncdisk/x", "百度网盘"),
        ("/srv/ada/Nextcloud/x", "Nextcloud"),
        ("/srv/ada/.local/share/Triptych", ""),
        ("/srv/ada/my-dropbox-notes/x", ""),
        ("/srv/ada/boxes/x", ""),
    ],
)
def test_R17_a_synchronised_folder_is_known_by_its_name(folder: str, service: str) -> None:
    assert synced_by(Path(folder), {}) == service


def test_R17_by_what_the_service_says_or_leaves_there(tmp_path: Path) -> None:
    inside = tmp_path / "shared" / "Triptych"
    inside.mkdir(parents=True)
    assert synced_by(inside, {"OneDriveCommercial": str(tmp_path)}) == "OneDrive"
    assert synced_by(inside, {}) == ""
    (tmp_path / "shared" / ".stfolder").mkdir()
    assert synced_by(inside, {}) == "Syncthing"
    assert danger_of(inside) == Danger("synced", "Syncthing")


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/ada/x", ""),
        ("/srv/ada/nas/x", "nfs4"),
        ("/srv/ada/nas/disk/x", ""),
        ("/mnt/s", "cifs"),
        ("/mnt/share", ""),
    ],
)
def test_R17_a_folder_of_another_machine_is_known_by_what_is_mounted(folder: str, kind: str) -> None:
    assert network_type(Path(folder), MOUNTS) == kind


def test_the_tables_of_the_systems_are_read() -> None:
    assert place_of("/media/my\\040disk\\134x") == "/media/my disk\\x"
    assert mount_line("//me@nas/share on /Volumes/my share (smbfs, nodev, nosuid)") == ("/Volumes/my share", "smbfs")
    assert mount_line("/dev/disk1 on / (apfs)") == ("/", "apfs")
    assert mount_line("nonsense") is None
