"""The bundle takes along what the program loads by name, leaves out what nothing reads, and says what others gave."""

from __future__ import annotations

import ctypes
import json
import re
import struct
import subprocess
import sys
from email.message import Message
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import PySide6
import pytest
from lxml import etree
from PySide6.QtGui import QImage

from app.core.exchange.suffix import SESSION_FILE
from app.core.system.version import version
from app.ui.application.qt import APPLICATION_ID
from building import bundle_figures, bundle_size, packages
from building.bundle import refuse_newer_than_stated
from building.console import BuildError

REPO = Path(__file__).parents[1]
PACKAGING = REPO / "packaging"
_module = bundle_figures.packaging_module


def test_the_extension_that_compares_vectors_is_collected_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    binaries, data = _module("loaded_by_name").sqlite_extension()
    ((library, folder),) = binaries
    assert Path(library).is_file()
    place = f"{folder}/{Path(library).name}"
    described = json.loads(Path(data[0][0]).read_text("utf-8"))
    assert Path(place).stem in json.dumps(described), "apsw finds it by this description"
    monkeypatch.setitem(sys.modules, "libraries", _module("libraries"))
    assert place in _module("slim").reach([(place, library, "BINARY")]), "nothing links it, and it stays"
    assert "binaries=extension" in (PACKAGING / "triptych.spec").read_text("utf-8")


QT = Path(PySide6.__file__).parent
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Qt brings ICU on Linux only")
ORDERED = """
from PySide6.QtCore import QCollator, QLocale, QTimeZone
names = ["b10", "b9", "\u5f20", "\u963f", "\u5317\u4eac", "\u674e", "Zeta", "alpha", "\u00c4pfel"]
for name in ("zh_CN", "en_GB"):
    order = QCollator(QLocale(name))
    order.setNumericMode(True)
    print(ascii(sorted(names, key=order.sortKey)))
print(QTimeZone(b"Asia/Shanghai").isValid())
print([line.split()[-1] for line in open("/proc/self/maps") if "icudata" in line][0])
"""


@on_linux
def test_with_the_trimmed_data_of_icu_names_stand_in_the_same_order(tmp_path: Path) -> None:
    (library,) = (QT / "Qt" / "lib").glob("libicudata.so.*")
    kept = _module("slim").LISTS["icu"]
    trimmed = tmp_path / library.name
    trimmed.write_bytes(_module("icu").trimmed(library, kept))
    assert trimmed.stat().st_size < 5_000_000 < library.stat().st_size
    major = library.suffix.removeprefix(".")
    assert ctypes.c_ushort.in_dll(ctypes.CDLL(str(trimmed)), f"icudt{major}_dat").value > 0
    answers = []
    for preload in ({}, {"LD_PRELOAD": str(trimmed)}):
        done = subprocess.run(
            [sys.executable, "-c", ORDERED], env=preload, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        answers.append(done.stdout.splitlines())
    assert answers[0][:3] == answers[1][:3]
    assert (answers[0][3], answers[1][3]) == (str(library), str(trimmed))


@on_linux
def test_what_the_readme_says_of_glibc_holds_for_every_library_of_qt() -> None:
    found = _module("libraries").needs(QT / "Qt" / "lib")
    stated = re.findall(r"glibc (\d+\.\d+)", (REPO / "README.md").read_text("utf-8"))
    assert len(stated) == 2, "from a checkout, and for a bundle"
    assert found.versions["GLIBC"][0] <= tuple(map(int, min(stated).split(".")))
    assert "libGL.so.1" in found.missing


def test_a_release_that_needs_a_newer_glibc_than_stated_is_refused() -> None:
    refuse_newer_than_stated("2.35", "- glibc 2.34 for it\n- glibc 2.35 for a bundle")
    with pytest.raises(BuildError, match=r"2\.36"):
        refuse_newer_than_stated("2.36", "- glibc 2.34 for it\n- glibc 2.35 for a bundle")


def test_libraries_every_desktop_has_stay_out_and_are_named_with_their_package() -> None:
    slim = _module("slim")
    if slim.LINUX:
        assert [name for name in slim.LISTS["system"] if not slim.is_left_out(name)] == []
    assert not slim.is_left_out("libxcb-cursor.so.0"), "many desktops lack it"
    assert slim.is_left_out("lxml/objectify.cpython-312-x86_64-linux-gnu.so")
    assert not slim.is_left_out("lxml/etree.cpython-312-x86_64-linux-gnu.so")
    kept = {"holidays-1.dist-info/METADATA": True, "holidays-1.dist-info/RECORD": False, "pytz/zoneinfo/GMT": False}
    assert {place: slim.is_wanted_data(place) for place in kept} == kept


class _Distribution:
    def __init__(self, folder: Path, name: str, *files: str) -> None:
        self.folder, self.version, self.metadata = folder, "1.0", Message()
        self.metadata["Name"], self.metadata["License"] = name, "MIT"
        self.files = [Path(file) for file in (f"{name}/__init__.py", *files)]
        for file in self.files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).touch()

    def locate_file(self, file: object) -> Path:
        return self.folder / str(file)


def test_a_licence_text_goes_along_for_all_that_is_collected_or_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    components = _module("components")
    nested = _Distribution(tmp_path, "pypdfium2", "pypdfium2-1.dist-info/licenses/BUILD_LICENSES/pdfium.txt")
    kept = _Distribution(tmp_path, "latex2mathml")
    unused = _Distribution(tmp_path, "unused")
    bare = _Distribution(tmp_path, "bare")
    monkeypatch.setattr(components, "distributions", lambda: [nested, kept, unused, bare])
    modules = [(name, str(tmp_path / name / "__init__.py"), "PYMODULE") for name in ("pypdfium2", "latex2mathml")]
    found = components.components(modules, [])
    assert [one.name for one in found] == ["latex2mathml", "pypdfium2", "python"]
    places = [place for place, _, _ in components.notices(found)]
    assert "licenses/pypdfium2/BUILD_LICENSES/pdfium.txt" in places
    assert "licenses/latex2mathml/LICENSE" in places
    materials = components.bill(found, "1.2.3")
    assert [part["purl"] for part in materials["components"]][:2] == [
        "pkg:pypi/latex2mathml@1.0",
        "pkg:pypi/pypdfium2@1.0",
    ]
    assert json.dumps(materials) == json.dumps(components.bill(found, "1.2.3")), "no time, no chance"
    with pytest.raises(components.NoLicence, match="bare"):
        components.components([*modules, ("bare", str(tmp_path / "bare/__init__.py"), "PYMODULE")], [])


def test_libraries_of_the_system_bring_their_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    components = _module("components")
    owners = {"libkrb5.so.3": ("libkrb5-3", "1.20"), "libown.so": ("", "")}
    monkeypatch.setattr(components, "owner", lambda file: owners[file.name])
    monkeypatch.setattr(components, "distributions", list)
    monkeypatch.setattr(components, "DEBIAN_TEXTS", tmp_path)
    (tmp_path / "libkrb5-3").mkdir()
    (tmp_path / "libkrb5-3" / "copyright").touch()
    ours = ("libQt6Core.so.6", str(Path(sys.prefix) / "libQt6Core.so.6"), "BINARY")
    found = components.components([], [*((name, f"/usr/lib/{name}", "BINARY") for name in owners), ours])
    assert [one.purl for one in found if one.name != "python"] == ["pkg:deb/debian/libkrb5-3@1.20"]


def test_the_mark_is_drawn_in_every_form_a_system_asks_for(tmp_path: Path) -> None:
    icons = _module("icons")
    small, large = (QImage.fromData(icons.png(size)) for size in (16, 256))
    for image, edge in ((small, 16), (large, 256)):
        assert (image.width(), image.height()) == (edge, edge)
        unit = edge // 16
        seen = [image.pixelColor(x * unit, 9 * unit).name() for x in (1, 3, 5, 7, 10, 12)]
        ground, wing, gap, middle, gap_too, wing_too = seen
        assert (ground, middle) == (gap, "#ffffff")
        assert (gap, wing) == (gap_too, wing_too)
        assert len({ground, wing, middle}) == 3, "sharp at 16 pixels too"
    pictures = {16: icons.png(16), 32: icons.png(32)}
    data = icons.ico(pictures)
    assert struct.unpack_from("<HHH", data) == (0, 1, 2)
    for number, (size, picture) in enumerate(pictures.items()):
        width, _, _, _, _, bits, length, place = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
        assert (width, bits, data[place : place + length]) == (size, 32, picture)
    data = icons.icns({"icp4": pictures[16]})
    assert (data[:4], struct.unpack_from(">I", data, 4)[0]) == (b"icns", len(data))
    assert data[8:12] + data[16:] == b"icp4" + pictures[16]


def test_every_system_knows_the_program_and_its_files_by_the_same_names() -> None:
    linux = PACKAGING / "linux"
    assert sorted(file.name for file in linux.glob("app*")) == [
        f"{APPLICATION_ID}{ending}" for ending in (".desktop", ".metainfo.xml", ".xml", ".yml")
    ]
    desktop = (linux / f"{APPLICATION_ID}.desktop").read_text("utf-8")
    kind = re.search("^MimeType=(.*);$", desktop, re.MULTILINE)
    assert kind is not None
    assert {f"Icon={APPLICATION_ID}", "StartupWMClass=Triptych", "Exec=triptych %F"} <= set(desktop.splitlines())
    metadata = etree.parse(linux / f"{APPLICATION_ID}.metainfo.xml")
    assert (metadata.findtext("id"), metadata.findtext("provides/mediatype")) == (APPLICATION_ID, kind[1])
    assert metadata.findtext("launchable") == f"{APPLICATION_ID}.desktop"
    version = metadata.find("releases/release").get("version")
    assert f'version = "{version}"' in (REPO / "pyproject.toml").read_text("utf-8")
    types = (linux / f"{APPLICATION_ID}.xml").read_text("utf-8")
    assert {f'type="{kind[1]}"', f'pattern="*{SESSION_FILE}"'} <= set(re.findall(r'\w+="[^"]*"', types))
    (document,) = _module("macos/info").information("1.2.3")["UTExportedTypeDeclarations"]
    assert document["UTTypeTagSpecification"] == {
        "public.filename-extension": [SESSION_FILE.removeprefix(".")],
        "public.mime-type": [kind[1]],
    }
    setup = (PACKAGING / "windows" / "triptych.iss").read_text("utf-8")
    assert f'AppUserModelID: "{APPLICATION_ID}"' in setup
    assert f'\\Classes\\{SESSION_FILE}"' in setup
    assert f"id: {APPLICATION_ID}\n" in (linux / f"{APPLICATION_ID}.yml").read_text("utf-8")


def test_windows_shows_name_and_version_of_both_programs() -> None:
    def part(*given: object, **named: object) -> SimpleNamespace:
        return SimpleNamespace(given=given, **named)

    names = "VSVersionInfo FixedFileInfo StringFileInfo StringTable StringStruct VarFileInfo VarStruct".split()
    shown = {}
    for name in ("triptych", "triptychw"):
        resource = eval(_module("windows/version_resource").version_resource(name, "1.2"), dict.fromkeys(names, part))
        shown[name] = dict(pair.given for pair in resource.kids[0].given[0][0].given[1])
        assert resource.ffi.filevers == (1, 2, 0, 0)
    assert [one["FileDescription"] for one in shown.values()] == ["Triptych, command line", "Triptych"]
    assert {one["ProductVersion"] for one in shown.values()} == {"1.2"}


def test_two_builds_are_compared_byte_by_byte(tmp_path: Path) -> None:
    for folder, stamp in (("one", b"\0\1\2"), ("other", b"\0\7\2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same").write_bytes(b"same")
        (tmp_path / folder / "stamped").write_bytes(stamp)
    (tmp_path / "one" / "more").touch()
    found = bundle_figures.differences(tmp_path / "one", tmp_path / "other")
    assert found == ["more: in one of them only", "stamped: 1 of 3 bytes, from byte 1"]


def test_the_package_for_debian_depends_on_what_stays_out_of_the_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deb = _module("linux/deb")
    for name in ("BUNDLE", "ICONS"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(deb, name, tmp_path / name)
    (tmp_path / "BUNDLE" / "triptych").write_bytes(b"\x7fELF")
    (tmp_path / "ICONS" / "triptych-48.png").touch()
    root = tmp_path / "root"
    root.mkdir()
    deb.lay_out(root, "1.2.3", "2.35", "A. Builder <builder@host.net>")
    fields = dict(
        line.split(": ", 1) for line in (root / "DEBIAN/control").read_text("utf-8").splitlines() if ": " in line
    )
    assert (fields["Version"], fields["Maintainer"]) == ("1.2.3", "A. Builder <builder@host.net>")
    assert {"libc6 (>= 2.35)", "libgl1", "libegl1", "libstdc++6"} <= set(fields["Depends"].split(", "))
    assert (root / "usr/bin/triptych").resolve() == root / "usr/lib/triptych/triptych"
    share = root / "usr/share"
    wanted = (f"applications/{APPLICATION_ID}.desktop", f"icons/hicolor/48x48/apps/{APPLICATION_ID}.png",
              f"metainfo/{APPLICATION_ID}.metainfo.xml", f"mime/packages/{APPLICATION_ID}.xml",
              "doc/triptych/copyright", "man/man1/triptych.1.gz")  # fmt: skip
    assert [name for name in wanted if not (share / name).is_file()] == []


def test_a_bundle_which_has_no_metadata_knows_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the feed of updates is compared with."""

    def missing(_name: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert version() == packages.version()


def test_a_package_names_somebody_who_can_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBFULLNAME", "A. Builder")
    monkeypatch.setenv("DEBEMAIL", "builder@host.net")
    assert packages.maintainer() == "A. Builder <builder@host.net>"
    for nobody in ("builder", "builder@localhost", "me@example.com", "me@users.example", "a b@host.net"):
        monkeypatch.setenv("DEBEMAIL", nobody)
        with pytest.raises(BuildError, match="DEBEMAIL"):
            packages.maintainer()


def test_every_action_of_the_workflows_is_pinned_and_every_system_starts_the_same_program() -> None:
    files = {file.name: file.read_text("utf-8") for file in (REPO / ".github" / "workflows").glob("*.yml")}
    used = [line for text in files.values() for line in re.findall(r"uses: (\S+)", text)]
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one)] == []
    systems = re.findall(r"- system: (\w+)", files["release.yml"])
    assert systems == ["ubuntu", "windows", "macos", "macos"]
    assert files["release.yml"].count("make.py bundle --pack") == 1, "one way to build and start it"
    assert '"3.14"' in files["tests.yml"]


def test_each_megabyte_of_a_bundle_has_a_name_and_a_purpose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("triptych", 10), ("_internal/PySide6/Qt/lib/libQt6Gui.so.6", 2_000_000),
                       ("_internal/PySide6/Qt/plugins/x.so", 5), ("_internal/libssl.so.3", 700_000)):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    monkeypatch.setattr(bundle_size, "packed", lambda _file: {"app": 3_000_000})
    found = bundle_size.rows(tmp_path)
    assert [(size, name) for size, name, _purpose in found] == [
        (3_000_000, "app (Python modules)"), (2_000_000, "libQt6Gui.so.6"), (700_000, "libssl.so.3"), (5, "PySide6/"),
    ]  # fmt: skip
    assert all(purpose for _size, _name, purpose in found)


def test_the_page_about_the_bundle_leaves_nothing_large_without_its_purpose() -> None:
    rows = [line.split("|") for line in bundle_size.PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    parts = [(row[2].strip(), row[3].strip()) for row in rows[1:]]
    assert len(parts) > 30
    assert [name for name, purpose in parts if not purpose] == []
