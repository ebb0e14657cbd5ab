"""A typed function's signature as a schema, and as the strict check of its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..arguments.hints import without_hints
from ..arguments.judge import ArgumentFault, judge
from ..errors import ToolError
from ..text.value_faults import value_fault, value_faults

if TYPE_CHECKING:
    from pydantic import BaseModel

MOST_OWN_FAULTS = 50
"""Faults of one call that are named."""


class Signature:
    """The arguments of one function as a strict pydantic model, built at first use."""

    def __init__(
        self,
        function: Callable[..., Any],
        schema: Mapping[str, Any] | None,
        more: Mapping[str, Any],
        rules: Callable[[Mapping[str, Any]], Sequence[ArgumentFault]] | None,
    ) -> None:
        self._function, self._schema, self._more, self._rules = function, schema, more, rules

    @cached_property
    def _model(self) -> type[BaseModel]:
        from typing import get_type_hints

        from pydantic import ConfigDict, create_model

        hints = get_type_hints(self._function, include_extras=True)
        fields: dict[str, Any] = {}
        for parameter in list(inspect.signature(self._function).parameters.values())[1:]:
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], default)
        config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=False)
        return create_model(f"{self._function.__name__}_arguments", __config__=config, **fields)

    def schema(self) -> Mapping[str, Any]:
        if self._schema is not None:
            return without_hints(self._schema)  # type: ignore[no-any-return]  # a mapping gives a mapping
        return _plain_schema(without_hints(self._form))

    def reading(self) -> Mapping[str, Any]:
        return self._form

    @cached_property
    def _form(self) -> Mapping[str, Any]:
        return self._schema if self._schema is not None else {**self._model.model_json_schema(), **self._more}

    def check(self, args: Mapping[str, Any]) -> list[ArgumentFault]:
        from pydantic import ValidationError

        if found := judge(self._form, args, MOST_OWN_FAULTS):
            return found
        try:
            self._model.model_validate(dict(args))
        except ValidationError as error:
            return [
                ArgumentFault(fault.place, fault.clause("en"), "value", {"words": fault.words, "values": fault.values})
                for fault in value_faults(error)
            ]
        return list(self._rules(args)) if self._rules else []

    def call(self, ctx: Any, args: dict[str, Any]) -> Any:
        from pydantic import ValidationError

        try:
            model = self._model.model_validate(args)
        except ValidationError as error:
            raise ToolError("BAD_ARGUMENTS", value_fault(error).sentence(ctx.language)) from error
        return self._function(ctx, **{name: getattr(model, name) for name in type(model).model_fields})


def _plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Without pydantic's titles, and with `X | None = None` written as a plain optional X."""

    def clean(node: Any, *, properties: bool = False) -> Any:
        if isinstance(node, list):
            return [clean(item) for item in node]
        if not isinstance(node, dict):
            return node
        if properties:
            return {name: clean(value) for name, value in node.items()}
        cleaned = {
            key: clean(value, properties=key in ("properties", "$defs"))
            for key, value in node.items()
            if not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None)
        }
        options = cleaned.get("anyOf")
        if options and {"type": "null"} in options:
            rest = [option for option in options if option != {"type": "null"}]
            if len(rest) == 1:
                del cleaned["anyOf"]
                cleaned = {**rest[0], **cleaned}
        return cleaned

    cleaned: dict[str, Any] = clean(schema)
    cleaned.setdefault("properties", {})
    return cleaned
