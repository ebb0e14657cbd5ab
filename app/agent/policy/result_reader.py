"""`read_result`: the rest of a result that was cut, for the model to read on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.core.arguments.judge import ArgumentFault, own_fault
from app.core.errors import ToolError
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import Tool, ToolContext, ToolResult

READ_RESULT = "read_result"
PAGE = 4_000


def reader_tool(results: Mapping[str, ToolResult], untrusted: Collection[str] = ()) -> Tool:
    """Reads from the whole results of one run; of `untrusted` calls the rest is untrusted too."""

    def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        result = results.get(args["call_id"])
        if result is None:
            message = say_in(ctx.language, "there is no result {id}", id=repr(args["call_id"]))
            hint = say_in(ctx.language, "the results are: {ids}", ids=", ".join(results) or "–")
            raise ToolError("NOT_FOUND", message, hint=hint)
        text, offset = result.for_model(), int(args.get("offset", 0))
        page = text[offset : offset + PAGE]
        rest = max(len(text) - offset - len(page), 0)
        return ToolResult.success(
            page,
            say_in(
                ctx.language,
                "characters {first} to {last} of {n}, {rest} follow",
                first=offset,
                last=offset + len(page),
                n=len(text),
                rest=rest,
            ),
            untrusted=args["call_id"] in untrusted,
        )

    return Tool(
        name=READ_RESULT,
        description=f"Read a tool result that was cut: {PAGE} characters from an offset on.",
        permission="pure",
        body=body,
        schema=lambda: {
            "type": "object",
            "additionalProperties": False,
            "required": ["call_id"],
            "properties": {"call_id": {"type": "string"}, "offset": {"type": "integer", "minimum": 0, "default": 0}},
        },
        check=_check,
        bookkeeping=True,
    )


def _check(args: Mapping[str, Any]) -> list[ArgumentFault]:
    faults = [own_fault(name, N_("is not an argument of this tool")) for name in args.keys() - {"call_id", "offset"}]
    if not isinstance(args.get("call_id"), str):
        faults.append(own_fault("call_id", N_("must be the id of a call of this run")))
    offset = args.get("offset", 0)
    if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
        faults.append(own_fault("offset", N_("must be a whole number from 0")))
    return faults
