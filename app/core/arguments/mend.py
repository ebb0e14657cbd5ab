"""The forgiving pass: changes what a model wrote into what the schema wants, if it has exactly one meaning.

A value with two meanings is left unchanged, and the check refuses it. Every change is a `Note`, shown on the call and
in the approval; hooks, permission and tool get the corrected form. `true` never becomes a number, a missing field stays
missing, and look-alike field names stay unknown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from app.core.arguments.references import parse_reference
from app.core.schema.work import TooMuchWork, WorkLimit

from . import values
from .hints import ALSO, CLOCK, GATHERS, SINGLE
from .judge import fits
from .shapes import DEEPEST, Schema, Shapes, properties_of, required_of, same, under
from .values import MISSING

NoteCode = Literal["value", "list", "json", "name", "absent", "dropped"]
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Note:
    """One change. `given` and `taken` are short texts for a person; of a dropped field nothing is taken."""

    path: str
    code: NoteCode
    given: str
    taken: str = ""

    def to_json(self) -> dict[str, str]:
        return {"path": self.path, "code": self.code, "given": self.given, "taken": self.taken}


@dataclass
class Mended:
    args: dict[str, Any]
    notes: list[Note] = field(default_factory=list)


def mend(
    args: Mapping[str, Any],
    schema: Schema,
    today: date,
    *,
    drops_unknown: bool = False,
    exact_texts: bool = False,
    references: bool = False,
    most_work: int | None = None,
) -> Mended:
    """`drops_unknown`: a field the schema does not know is left out; otherwise it stays, and the check refuses it.

    `exact_texts`: nothing is made a text that was none, for tools whose texts a permission is bound to.
    `references`: texts such as `$1.data.x` stand for results of a plan and are left alone.
    `most_work`: steps it may take where the schema is somebody else's; beyond them nothing is corrected.
    """
    shapes = Shapes(schema, WorkLimit(most_work) if most_work is not None else None)
    work = _Work(shapes, today, drops_unknown, exact_texts, references)
    try:
        mended = work.value(schema, dict(args), "", 0)
    except (TooMuchWork, RecursionError):
        return Mended(dict(args))
    return Mended(mended if isinstance(mended, dict) else dict(args), work.notes)


@dataclass
class _Work:
    shapes: Shapes
    today: date
    drops_unknown: bool
    exact_texts: bool
    references: bool
    notes: list[Note] = field(default_factory=list)

    def value(self, schema: Any, value: Any, path: str, deep: int) -> Any:
        """What is due, or the value as it is."""
        node = self.shapes.at(schema)
        if deep > DEEPEST or (self.references and isinstance(value, str) and parse_reference(value)):
            return value
        forms = self.shapes.forms(node)
        if len(forms) > 1:
            return self._one_of(forms, value, path, deep)
        node = forms[0]
        if (heart := node.get(SINGLE)) and not isinstance(value, dict) and value is not None:
            return self._wrapped(node, heart, value, path, deep)
        if "enum" in node or "const" in node:
            # Each choice is folded before it is compared.
            self.shapes.spend(10 * len(node["enum"]) if isinstance(node.get("enum"), list) else 1)
            return self._noted(path, value, values.choice(node, self._alone(value)))
        match node.get("type"):
            case "integer":
                return self._noted(path, value, values.number(node, self._alone(value), whole=True))
            case "number":
                return self._noted(path, value, values.number(node, self._alone(value), whole=False))
            case "boolean":
                return value if isinstance(value, bool) else self._noted(path, value, values.truth(value))
            case "string":
                return self._text(node, value, path)
            case "array":
                return self._array(node, value, path, deep)
            case "object" | None if isinstance(value, str | dict):
                return self._object(node, value, path, deep)
        return value

    # ------------------------------------------------------------ forms

    def _wrapped(self, node: Schema, heart: str, value: Any, path: str, deep: int) -> Any:
        """The object that a single value stands for: the one of the field that is its heart."""
        plain = {name: item for name, item in node.items() if name != SINGLE}
        made = self.value(plain, {heart: value}, path, deep + 1)
        parsed = isinstance(value, str) and isinstance(values.from_json(value, "{"), dict)
        if parsed or not fits(self.shapes, plain, made):
            return self.value(plain, value, path, deep + 1)
        self.notes.append(Note(path, "value", shown(value), shown(made)))
        return made

    def _one_of(self, forms: list[Schema], value: Any, path: str, deep: int) -> Any:
        """The form it has already, else the one it can be corrected to, if all that work say the same."""
        if any(fits(self.shapes, form, value) for form in forms):
            return value
        tries: list[tuple[Any, list[Note]]] = []
        for form in forms:
            work = _Work(self.shapes, self.today, self.drops_unknown, self.exact_texts, self.references)
            mended = work.value(form, value, path, deep + 1)
            if fits(self.shapes, form, mended) and not any(same(mended, one) for one, _notes in tries):
                tries.append((mended, work.notes))
        if len(tries) != 1:
            return value
        self.notes += tries[0][1]
        return tries[0][0]

    # ------------------------------------------------------------ single values

    @staticmethod
    def _alone(value: Any) -> Any:
        """The one entry of a list where a single value is due."""
        return value[0] if isinstance(value, list) and len(value) == 1 else value

    def _noted(self, path: str, value: Any, found: Any) -> Any:
        if found is MISSING or (same(found, value) and type(found) is type(value)):
            return value
        self.notes.append(Note(path, "value", shown(value), shown(found)))
        return found

    def _text(self, node: Schema, value: Any, path: str) -> Any:
        if isinstance(value, str):
            return self._noted(path, value, values.text(node, value, self.today))
        if self.exact_texts:
            return value
        single = self._alone(value)
        if isinstance(single, int) and not isinstance(single, bool):
            single = str(single)
        if not isinstance(single, str):
            return value
        return self._noted(path, value, values.text(node, single, self.today))

    # ------------------------------------------------------------ lists

    def _array(self, node: Schema, value: Any, path: str, deep: int) -> Any:
        item = self.shapes.at(node.get("items", {}))
        if isinstance(value, str):
            listed = values.from_json(value, "[")
            if not isinstance(listed, list):
                listed = self._written(item, value)
            if not isinstance(listed, list):
                return value
            mended = self._entries(item, listed, path, deep)
            self.notes.append(Note(path, "list", shown(value), shown(mended)))
            return mended
        if isinstance(value, list):
            return self._entries(item, value, path, deep)
        mended = self.value(item, value, path, deep + 1)
        if value is None or not fits(self.shapes, item, mended):
            return value
        self.notes.append(Note(path, "list", shown(value), shown([mended])))
        return [mended]

    def _entries(self, item: Schema, listed: list[Any], path: str, deep: int) -> list[Any]:
        return [self.value(item, one, under(path, str(place)), deep + 1) for place, one in enumerate(listed)]

    def _written(self, item: Schema, value: str) -> Any:
        """The list that one text stands for."""
        forms = self.shapes.forms(item)
        kinds = {form.get("type") for form in forms}
        if "integer" in kinds or "number" in kinds:
            whole = "number" not in kinds
            parts = values.numbers(value, whole=whole)
            read = [values.number(forms[0], part, whole=whole) for part in parts]
            return read if read and MISSING not in read else MISSING
        choices = next((form for form in forms if "enum" in form), None)
        if choices is not None:
            for parts in ([value], values.entries(value), values.weak_entries(value)):
                read = [values.choice(choices, part) for part in parts]
                if read and MISSING not in read:
                    return read
            return MISSING
        if "string" not in kinds:
            return MISSING
        return values.entries(value) or MISSING

    # ------------------------------------------------------------ objects

    def _object(self, node: Schema, value: Any, path: str, deep: int) -> Any:
        if isinstance(value, str):
            if node.get("type") != "object":
                return value
            inner = values.from_json(value, "{")
            if not isinstance(inner, dict):
                return value
            self.notes.append(Note(path, "json", shown(value), shown(inner)))
            value = inner
        properties, required, further = properties_of(node), required_of(node), node.get("additionalProperties")
        made: dict[str, Any] = {}
        value = self._gathered(properties, self._without_nothings(properties, value), path)
        for given, item in value.items():
            name = given if given in properties else self._own_name(given, properties, value)
            at = under(path, name)
            if name not in properties:
                if further is False and self.drops_unknown and not self._may_be(given, properties):
                    self.notes.append(Note(under(path, given), "dropped", shown(item)))
                    continue
                made[given] = self.value(further, item, at, deep + 1) if isinstance(further, Mapping) else item
                continue
            inner = self.shapes.at(properties[name])
            if name not in required and self._is_absent(inner, item):
                if item is not None:
                    self.notes.append(Note(at, "absent", shown(item)))
                continue
            if name != given:
                self.notes.append(Note(at, "name", given, name))
            made[name] = self.value(inner, item, at, deep + 1)
        return made

    def _without_nothings(self, properties: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
        """Without a field that is null while another name of it holds the value."""
        candidates = [self._meant(other, properties) for other in value if other not in properties]
        named = {names[0] for names in candidates if len(names) == 1}
        return {name: item for name, item in value.items() if item is not None or name not in named}

    def _gathered(self, properties: Mapping[str, Any], value: dict[str, Any], path: str) -> dict[str, Any]:
        """With fields that belong into one of its objects in there, where nothing else is of that name."""
        for name, schema in properties.items():
            names = next((one[GATHERS] for one in self._levels(schema) if GATHERS in one), ())
            strays = [stray for stray in names if stray in value and stray not in properties]
            inside = value.get(name)
            if not strays or not (inside is None or isinstance(inside, dict)):
                continue
            for stray in strays:
                self.notes.append(Note(under(path, stray), "name", stray, f"{name}.{stray}"))
            given = {stray: value[stray] for stray in strays}
            value = {key: item for key, item in value.items() if key not in strays} | {
                name: {**given, **(inside or {})}
            }
        return value

    def _levels(self, schema: Any) -> list[Schema]:
        node = self.shapes.at(schema)
        return [node, *self.shapes.forms(node)]

    def _is_absent(self, schema: Schema, item: Any) -> bool:
        if item is None:
            return "default" in schema or not self.shapes.takes_null(schema)
        forms = self.shapes.forms(schema)
        # A date or a time is written as a text, but is none: "null" is no day.
        may_be_text = any(
            form.get("type") in ("string", None) and "enum" not in form and "format" not in form and CLOCK not in form
            for form in forms
        )
        called = any(values.choice(form, item) is not MISSING for form in forms if "enum" in form)
        return not called and values.is_absent(item, may_be_text=may_be_text)

    def _own_name(self, given: str, properties: Mapping[str, Any], value: Mapping[str, Any]) -> str:
        """The field that is meant by another name for it; `given`, if there is none, or it is there as well."""
        names = self._meant(given, properties)
        if len(names) != 1 or names[0] in value:
            return given
        twin = [other for other in value if other != given and self._meant(other, properties) == names]
        return given if twin else names[0]

    def _may_be(self, given: str, properties: Mapping[str, Any]) -> bool:
        """Another name of a field that is there twice, or of several: then it is no stray field to leave out."""
        return bool(self._meant(given, properties))

    def _meant(self, given: str, properties: Mapping[str, Any]) -> list[str]:
        key = name_key(given)
        matches = []
        for name, schema in properties.items():
            node = self.shapes.at(schema)
            others = [other for one in (node, *self.shapes.forms(node)) for other in one.get(ALSO) or ()]
            if (key and key in {name_key(name), *map(name_key, others)}) or given in others:
                matches.append(name)
        return matches


def name_key(name: str) -> str:
    """How names of fields are compared: case, hyphens and underscores do not count; "" for what is not ASCII."""
    return "".join(char for char in name.casefold() if char not in "_- ") if name.isascii() else ""


def shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
