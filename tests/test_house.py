"""The rules of the house that no linter knows: signs on the doors, sizes, calls that are never made.

Each rule about calls is proved twice: on the source as it stands, and on a line that breaks it (`BAD_LINES`), so that
a rule that stopped looking is noticed.
"""

from __future__ import annotations

import ast
import json
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from app.providers.rules.template import Template
from app.providers.rules.wording import filters
from building import catalogues

REPO = Path(__file__).resolve().parent.parent
APP = REPO / "app"
LONGEST = 400

SAFE_TEXT = "app/ui/widgets/"
"""Where labels and tool tips that cannot be rich text are made; everybody else takes them from there."""


def sources() -> list[Path]:
    return sorted(APP.rglob("*.py"))


def tree(file: Path) -> ast.Module:
    """Not cached: the trees of all files are millions of objects, which every collection of garbage looks through."""
    return ast.parse(file.read_text("utf-8"), filename=str(file))


def opens_with_a_sentence(file: Path) -> bool:
    return file.read_text("utf-8").startswith(('"""', 'r"""'))


def name(file: Path) -> str:
    return file.relative_to(REPO).as_posix()


# ------------------------------------------------------------------------------------------------- folders


def test_every_folder_has_its_sign_on_the_door() -> None:
    """Without `__init__.py` import-linter would not see the folder at all; its docstring says what the room is for."""
    folders = {file.parent for file in sources()}
    bare = [name(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()]
    assert bare == []


def test_every_file_opens_with_a_sentence() -> None:
    assert [name(file) for file in sources() if not opens_with_a_sentence(file)] == []


def test_packaging_is_no_package() -> None:
    """It would hide the library of the same name from pytest and pip."""
    assert not (REPO / "packaging" / "__init__.py").exists()


def test_files_can_be_read_in_one_sitting() -> None:
    """One that is longer says why, in a sentence of its docstring that begins with `Long because`."""
    lengths = {file: len(file.read_text("utf-8").splitlines()) for file in sources()}
    long = [file for file, lines in lengths.items() if lines > LONGEST]
    assert [name(file) for file in long if "Long because" not in (ast.get_docstring(tree(file)) or "")] == []
    assert statistics.median(lengths.values()) <= 150


def contracts() -> list[dict[str, object]]:
    project = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))
    found: list[dict[str, object]] = project["tool"]["importlinter"]["contracts"]
    return found


def test_contracts_that_are_exhaustive_name_every_room() -> None:
    """import-linter says so too, but not for a room that has no file in it yet."""
    for contract in contracts():
        if not contract.get("exhaustive"):
            continue
        layers = contract["layers"]
        assert isinstance(layers, list)
        named = {room.strip(" ()") for layer in layers for room in layer.split("|")}
        for container in contract["containers"]:  # type: ignore[attr-defined]
            rooms = rooms_in(REPO / container.replace(".", "/"))
            assert rooms <= named, f"{contract['name']}: name the floor of {rooms - named} in pyproject.toml"


def rooms_in(folder: Path) -> set[str]:
    folders = {path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    return folders | {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


# --------------------------------------------------------------------------------------------------- calls


def broken_rules(module: ast.Module, place: str) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            complaint = complaint_about_call(node, place)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            complaint = complaint_about_import(node, place)
        elif isinstance(node, ast.ClassDef):
            yield from (f"{place}:{line}: {words}" for line, words in complaints_about_painting(node, place))
            continue
        else:
            continue
        if complaint:
            yield f"{place}:{node.lineno}: {complaint}"


THE_LOOP = "app/ui/application/app.py"
"""Starts Qt's loop for the first paint, before there is any other it could stand in."""
XML_OF_OUR_OWN = "app/services/exchange/formula_drawing.py"
"""Walks the elements a library made of TeX, and refuses what declares anything."""
YAML_EVENTS = "app/services/mcp/paste/yaml_text.py"
"""Takes the events of the parser alone: nothing is constructed."""

MOMENTS = "app/core/text/moments.py"

CALLED_BY_QT = {
    "paint": {"painter"},
    "paintEvent": {"event"},
    "data": {"index"},
    "headerData": {"section"},
    "flags": {"index"},
    "drawObject": {"painter"},
    "intrinsicSize": {"document"},
}
"""Methods Qt calls while it paints or reads a model, by the name of their first argument."""

STATIC_DIALOGS = {
    "QMessageBox": {"question", "information", "warning", "critical", "about"},
    "QFileDialog": {"getOpenFileName", "getOpenFileNames", "getSaveFileName", "getExistingDirectory"},
    "QInputDialog": {"getText", "getInt", "getDouble", "getItem", "getMultiLineText"},
    "QColorDialog": {"getColor"},
    "QFontDialog": {"getFont"},
}
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "yaml", "xml.etree", "imp"}
TOOL_TIPS = {"setToolTip", "setWhatsThis", "setStatusTip"}


def complaint_about_call(call: ast.Call, place: str) -> str | None:
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = last_word(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if called in ("eval", "exec", "compile") and isinstance(call.func, ast.Name):
        return f"{called}() runs text as code"
    if called == "exec" and isinstance(call.func, ast.Attribute) and place != THE_LOOP:
        return "a nested Qt loop: use open() and await what it answers"
    if called == "processEvents":
        return "a nested Qt loop: yield to the loop instead"
    if called in STATIC_DIALOGS.get(owner, ()):
        return f"{owner}.{called}() is a nested Qt loop"
    if any(keyword.arg == "shell" and not is_constant(keyword.value, False) for keyword in call.keywords):
        return "shell=True"
    if owner == "yaml" and called != "parse":
        return f"yaml.{called}() reads more than data"
    if called in ("extractall", "unpack_archive"):
        return f"{called}() writes wherever the archive says"
    if called in ("fromtimestamp", "utcfromtimestamp") and place != MOMENTS:
        return f"{called}() raises for a number that is no time: take app.core.text.moments"
    return complaint_about_text(call, called, place)


def complaint_about_text(call: ast.Call, called: str, place: str) -> str | None:
    """Qt guesses whether a text is HTML, so only texts of our own may reach a label or tool tip directly."""
    if place.startswith(SAFE_TEXT):
        return None
    if called in ("QLabel", "QMessageBox") and call.args and not is_our_own_text(call.args[-1], called):
        return f"{called} guesses whether a text is HTML: take SafeLabel and the dialogs of app.ui.widgets"
    if called in TOOL_TIPS and call.args and not is_our_own_text(call.args[0], called):
        return f"{called} guesses whether a text is HTML: take set_safe_tooltip"
    return None


def is_our_own_text(node: ast.expr, called: str) -> bool:
    """A literal, a translated literal, or (for a label) the parent that may stand in its place."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name) and node.id in ("self", "parent"):
        return called == "QLabel"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "N_"):
        return all(isinstance(argument, ast.Constant) for argument in node.args)
    return False


def complaints_about_painting(node: ast.ClassDef, place: str) -> Iterator[tuple[int, str]]:
    for method in node.body if place.startswith("app/ui/") else ():
        if isinstance(method, ast.FunctionDef):
            arguments = [argument.arg.strip("_") for argument in method.args.args[1:2]]
            guarded = any(last_word(decorator) == "guarded" for decorator in method.decorator_list)
            if set(arguments) & CALLED_BY_QT.get(method.name, set()) and not guarded:
                yield method.lineno, f"{method.name} is called by Qt and may not raise: @guarded"


def complaint_about_import(node: ast.Import | ast.ImportFrom, place: str) -> str | None:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    for module in modules:
        if (module.startswith("xml.etree") and place == XML_OF_OUR_OWN) or (module == "yaml" and place == YAML_EVENTS):
            continue
        if module in FORBIDDEN_MODULES or module.partition(".")[0] in FORBIDDEN_MODULES:
            return f"{module} reads more than data"
    return None


def last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_constant(node: ast.expr, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def test_the_house_makes_no_forbidden_call() -> None:
    assert [line for file in sources() for line in broken_rules(tree(file), name(file))] == []


BAD_LINES = [
    "dialog.exec()",
    "QApplication.processEvents()",
    "QMessageBox.question(self, a, b)",
    "QtWidgets.QFileDialog.getOpenFileName(self)",
    "subprocess.run(line, shell=True)",
    "subprocess.run(line, shell=wanted)",
    "eval(text)",
    "exec(text)",
    "import pickle",
    "from yaml import load",
    "yaml.safe_load(text)",
    "archive.extractall(folder)",
    "QLabel(answer)",
    "QLabel(f'{title}')",
    "label.setToolTip(result.summary)",
    "QMessageBox(QMessageBox.Icon.Warning, title, text)",
    "datetime.fromtimestamp(row.updated)",
    "class Dial(QWidget):\n def paintEvent(self, _event): pass",
    "class Rows(QAbstractListModel):\n def data(self, index, role=0): pass",
    "class Line(QStyledItemDelegate):\n def paint(self, painter, option, index): pass",
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_each_forbidden_call_is_seen(line: str) -> None:
    assert list(broken_rules(ast.parse(line), "app/ui/chat/view.py"))


@pytest.mark.parametrize(
    "line",
    ["QLabel(_('Send'))", "QLabel(self)", "button.setToolTip(_('Stop'))", "run(line, shell=False)", "re.compile(word)"],
)
def test_what_is_fine_is_left_alone(line: str) -> None:
    assert list(broken_rules(ast.parse(line), "app/ui/chat/view.py")) == []


# --------------------------------------------------------------------------------------------------- clocks


CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time"}


def assertions_about_seconds(module: ast.Module) -> Iterator[int]:
    """Lines on which a test asserts what a clock says; `tests/floor.py` compares with something of the same moment."""
    for node in ast.walk(module):
        if isinstance(node, ast.Assert) and CLOCKS & {call_name(call) for call in calls_in(node)}:
            yield node.lineno


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Call))


def call_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_no_test_says_how_many_seconds_something_may_take() -> None:
    clocked = re.compile("|".join(CLOCKS))
    files = [file for file in sorted((REPO / "tests").rglob("*.py")) if clocked.search(file.read_text("utf-8"))]
    assert len(files) > 20
    found = {name(file): list(assertions_about_seconds(tree(file))) for file in files}
    assert {file: lines for file, lines in found.items() if lines} == {}
    assert list(assertions_about_seconds(ast.parse("assert time.monotonic() - began < 1"))) == [1]


def test_an_unsteady_test_is_listed_for_a_limited_time() -> None:
    listed = json.loads((REPO / "tests" / "unsteady.json").read_text("utf-8"))
    today, latest = date.today(), date.today() + timedelta(days=60)
    assert [test for test in listed if not (REPO / test.partition("::")[0]).is_file()] == [], "there is no such test"
    late = {test: until for test, until in listed.items() if not today <= date.fromisoformat(until) <= latest}
    assert late == {}, "mend these tests: their time on the list is over, or longer than 60 days"


# --------------------------------------------------------------------------------------------------- files


# Written in pieces, so that this file does not name what it looks for.
UNWANTED = {
    "a package registry": re.compile(
        r"(?:files\.python" + r"hosted|pypi\." + r"org|registry\.npm" + r"js|proxy\.go" + "lang)"
    ),
    "a folder of one machine": re.compile(r"(?<![\w.~-])/(?:work/|root/|home/[a-z]+/|tmp/help" + r"ers|Users/[a-z]+/)"),
}


def test_no_committed_file_names_a_registry_or_a_machine() -> None:
    found = [
        f"{path}: {kind} ({match.group()})"
        for path, text in committed_texts()
        for kind, pattern in UNWANTED.items()
        if (match := pattern.search(text))
    ]
    assert found == []


def committed_texts() -> Iterator[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPO, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout, so nobody knows what is committed")
    for path in listed.stdout.decode().split("\0"):
        file = REPO / path
        if path and file.is_file():
            data = file.read_bytes()
            if b"\0" not in data[:8000]:
                yield path, data.decode("utf-8", "replace")


# --------------------------------------------------------------------------------------------------- texts


def test_every_sentence_a_person_reads_is_there_in_chinese() -> None:
    """That every text marked in the source has its entry is tried beside the reader of catalogues."""
    with (REPO / "resources" / "i18n" / "zh_CN.po").open("rb") as file:
        chinese = read_po(file, locale="zh_CN")
    unseen = [text for _room, _line, text, _notes, _about in catalogues.unmarked() if chinese.get(text) is None]
    empty = [entry.id for entry in chinese if entry.id and not catalogues.translated(entry.string)]
    assert (unseen, empty) == ([], []), "unseen: run `make texts`; empty: translate"


def test_translations_keep_the_placeholders() -> None:
    """`{name}` must come through as it is; a sentence may repeat or move it."""
    for file in sorted((REPO / "resources" / "i18n").glob("*.po")):
        with file.open("rb") as opened:
            entries = [entry for entry in read_po(opened, locale=file.stem) if entry.id and entry.string]
        for entry in entries:
            if all(place.startswith(f"app/{catalogues.RULES}/") for place, _line in entry.locations):
                Template(str(entry.string), filters(file.stem, {}))  # a template says the same in another order
                continue
            ours = set(PLACEHOLDER.findall(" ".join(texts_of(entry.id))))
            for text in filter(None, texts_of(entry.string)):
                assert set(PLACEHOLDER.findall(text)) <= ours, f"{file.name}: {text!r}"
                assert isinstance(entry.id, tuple) or set(PLACEHOLDER.findall(text)) == ours, f"{file.name}: {text!r}"


PLACEHOLDER = re.compile(r"%[sd]|\{[a-z_]*\}")


def texts_of(text: object) -> list[str]:
    return [str(part) for part in text] if isinstance(text, tuple | list) else [str(text)]


# -------------------------------------------------------------------------------------------------- imports


def loaded_after(code: str) -> set[str]:
    """The top-level packages in memory of a fresh interpreter after this code."""
    told = "import sys; print(' '.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{told}"], cwd=REPO, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def modules_below(folder: Path) -> list[str]:
    files = [file for file in sources() if file.is_relative_to(folder)]
    return [".".join(file.relative_to(REPO).with_suffix("").parts).removesuffix(".__init__") for file in files]


def test_the_command_line_never_loads_qt() -> None:
    modules = ["app.__main__", "app.compose", *modules_below(APP / "cli")]
    loaded = loaded_after("import " + ", ".join(modules))
    assert not loaded & {"PySide6", "shiboken6", "qasync"}


def test_the_core_needs_nothing_but_pydantic() -> None:
    loaded = loaded_after("import " + ", ".join(modules_below(APP / "core")))
    assert not loaded & {"PySide6", "qasync", "openai", "apsw", "keyring", "platformdirs", "tomlkit", "httpx2"}


def test_the_window_opens_before_the_model_sdk_is_loaded() -> None:
    """openai costs several windows to import; it comes in a thread after the first paint."""
    loaded = loaded_after("import app.main, app.ui.main_window")
    assert not loaded & {"openai", "httpx2", "keyring", "pygments", "jsonschema"}


def test_qt_knows_none_of_our_version_traps() -> None:
    """PySide6 6.12 aborts on Python 3.11; the lock must never have led here."""
    from importlib.metadata import version

    qt = tuple(int(part) for part in version("PySide6-Essentials").split(".")[:2])
    assert sys.version_info >= (3, 12) or qt < (6, 12)


# -------------------------------------------------------------------------------------------------- domains


WORDS_OF_ALL = {"workspace", "glob", "run_command", "submit_plan", "play"}
"""The folder of a session is called so on every floor, `glob` is Python's own, the command line runs commands, a
person submits the plan of a run, and a stored run is played."""


def names_of_a_trade() -> set[str]:
    """Ids of domains, names of their tools, and the names in their data; without words that everybody uses."""
    from app.domains import BUILTIN

    names = {domain.id for domain in BUILTIN} | {tool.name for domain in BUILTIN for tool in domain.tools}
    for domain in BUILTIN:
        if domain.resources is not None:
            for file in (domain.resources / "data").rglob("*.json"):
                record = json.loads(file.read_text("utf-8"))
                names |= {str(record[key]) for key in ("name_zh", "name_en") if key in record}
    return names - WORDS_OF_ALL


def test_nothing_outside_a_domain_names_it_or_what_is_in_its_data() -> None:
    """`domains/__init__.py` is the one list; whoever else knows a trade by name treats it as a special case."""
    names = names_of_a_trade()
    latin, others = {one for one in names if one.isascii()}, [one for one in names if not one.isascii()]
    found: list[str] = []
    for file in sources():
        if not file.is_relative_to(APP / "domains"):
            text = file.read_text("utf-8").replace("quotation mark", "")  # the sign, not the trade
            hits = latin & set(re.findall(r"[\w-]+", text)) | {one for one in others if one in text}
            found += [f"{name(file)}: {one}" for one in sorted(hits)]
    assert found == []
