"""A catalogue is read as translators' programs write it."""

from __future__ import annotations

import ast
import errno
import re
from collections.abc import Collection
from pathlib import Path
from string import Formatter

from app.agent.finish import fault_in, find_json
from app.core.resources import resource_dir
from app.core.schema.check import faults
from app.core.schema.form import misformed
from app.core.text.i18n import read_po, say_in, worded_in
from app.core.text.os_errors import os_words

APP = Path(__file__).resolve().parents[2] / "app"

CATALOGUE = r"""# Somebody, 2026
#, fuzzy
msgid ""
msgstr "Language: xx\n"

#: app/a.py
#, python-format, fuzzy
msgid "guessed"
msgstr "geraten"

msgid "several"
msgstr ""
"eins\n"
"zwei"

#~ msgid "gone"
#~ msgstr "weg"

#: app/b.py:7
msgid "%d step"
msgid_plural "%d steps"
msgstr[0] "%d Schritt"
msgstr[1] "%d Schritte"

#| msgid "older"
msgid ""
"long "
"er"
msgstr "sagt \"x\""

msgid "not yet"
msgstr ""
msgid "close behind"
msgstr "gleich danach"
"""


def test_entries_of_every_shape_are_read_and_guesses_are_not(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text(CATALOGUE, encoding="utf-8")
    assert read_po(path) == {
        "several": "eins\nzwei",
        "%d step": "%d Schritt",
        "long er": 'sagt "x"',
        "close behind": "gleich danach",
    }


def test_every_text_that_is_marked_is_in_the_catalogues() -> None:
    """Inside an f-string, or inside another mark, the collector passes one over: it would stay English in silence."""
    translated = read_po(resource_dir() / "i18n" / "zh_CN.po")
    known = {_text_of(entry) for entry in re.split(r"\n\n", (resource_dir() / "i18n" / "zh_CN.po").read_text("utf-8"))}
    missing = [
        f"{file.relative_to(APP)}: {text}"
        for file in APP.rglob("*.py")
        for text, names in _marked(file)
        # A translation may use what English leaves out, but nothing that the call does not give.
        if text not in known or (names and not _fields(translated.get(text, "")) <= names)
    ]
    assert missing == []


def _calls(file: Path, names: Collection[str]) -> list[tuple[str, ast.Call]]:
    """Calls of these, each with its name. Most files have none and are not parsed."""
    text = file.read_text("utf-8")
    if not any(f"{name}(" in text for name in names):
        return []
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [(getattr(call.func, "id", "") or getattr(call.func, "attr", ""), call) for call in calls]
    return [(name, call) for name, call in named if name in names]


_MARKS = {"_": 0, "N_": 0, "ngettext": 0, "say": 0, "say_in": 1, "count_in": 1}
"""Which argument is the text."""


def _marked(file: Path) -> list[tuple[str, set[str]]]:
    """Each text, with the names its call gives values for if it gives any."""
    marked: list[tuple[str, set[str]]] = []
    for name, call in _calls(file, _MARKS):
        if len(call.args) <= _MARKS[name] or (name == "say" and not _speaks(file)):
            continue
        text = call.args[_MARKS[name]]
        if isinstance(text, ast.JoinedStr):
            marked.append((ast.unparse(text), set()))
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            names = {keyword.arg for keyword in call.keywords if keyword.arg}
            marked.append((text.value, names | ({"n"} if name == "count_in" else set())))
    return marked


def _speaks(file: Path) -> bool:
    """In other rooms `say` is another word for print."""
    return file.relative_to(APP).parts[0] in ("domains", "tools")


def _fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name}


def _text_of(entry: str) -> str:
    lines = entry.partition("\nmsgid ")[2].partition("\nmsg")[0]
    return "".join(str(ast.literal_eval(line)) for line in lines.splitlines() if line.startswith('"'))


def test_what_a_tool_or_a_command_refuses_is_never_a_bare_english_sentence() -> None:
    """A text that no catalogue can know: in an f-string, or neither marked nor said nor named by a reason."""
    bare = [
        f"{file.relative_to(APP)}: {ast.unparse(call)[:150]}"
        for file in APP.rglob("*.py")
        for name, call in _calls(file, _REFUSALS)
        if _is_bare(name, call)
    ]
    assert [line for line in bare if not line.startswith(_FOR_AUTHORS)] == []


_FOR_AUTHORS = ("providers/rules/book.py: ", "core/tools/tool.py: ")
"""What is wrong with a rule book is for whoever writes it; a result without a reason is worded by the executor."""


_REFUSALS = ("BadInput", "ToolError", "failure", "ToolFailure", "HoursError", "_bad", "_denied")


def _is_bare(name: str, call: ast.Call) -> bool:
    if name == "BadInput":
        place, is_named = 0, any(keyword.arg in ("reason", None) for keyword in call.keywords)
    else:
        place, is_named = 1, any(keyword.arg == "fault" for keyword in call.keywords)
    text = call.args[place] if len(call.args) > place else None
    if isinstance(text, ast.JoinedStr):
        words = "".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))
        return not is_named and any(char.islower() for char in words)
    return isinstance(text, ast.Constant) and isinstance(text.value, str) and " " in text.value and not is_named


def test_what_the_system_and_a_schema_refuse_is_said_in_the_language_of_the_person() -> None:
    """Every word of ours is translated; what stands in ASCII are values: numbers, names of types, patterns."""
    schema = {
        "type": "object", "minProperties": 9, "additionalProperties": False, "required": ["z"],
        "properties": {
            "a": {"type": "integer"}, "b": {"enum": [1, 2]}, "c": {"minimum": 5, "multipleOf": 2},
            "e": {"pattern": "^x"},
            "d": {"uniqueItems": True, "maxItems": 1}, "f": {"oneOf": [{"type": "string"}, {"minLength": 1}]},
        },
    }  # fmt: skip
    value = {"a": "1", "b": 3, "c": 3, "d": [1, 1], "e": "y", "f": "s", "g": 0}
    said = [worded_in("zh_CN", fault.message) for fault in faults(schema, value)]
    wrong = [{"type": "text"}, {"minLength": "1"}, {"required": "a"}, {"items": 3}, {"uniqueItems": 1}, {"allOf": []}]
    said += [worded_in("zh_CN", fault.message) for one in wrong if (fault := misformed(one))]
    said += [
        fault_in("zh_CN", caught) for text in ("{", "{1:", '{"a": NaN}', '{"a":1,"a":2}') if (caught := refusal(text))
    ]
    numbers = [number for number in vars(errno).values() if isinstance(number, int)]
    known = [say_in("zh_CN", os_words(OSError(number, "?"))) for number in numbers]
    said += [text for text in known if text != "?"]
    assert len(said) > 40
    assert [text for text in said if not any("\u4e00" <= char <= "\u9fff" for char in text)] == []


def refusal(text: str) -> ValueError | None:
    try:
        find_json(text)
    except ValueError as error:
        return error
    return None
