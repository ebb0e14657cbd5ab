"""Arithmetic a model should not do in its head: exact decimals, a few functions, hard limits."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal, DecimalException, localcontext
from typing import Annotated

from pydantic import Field

from app.core.errors import ToolError
from app.core.tool import ToolContext, ToolResult, tool

DIGITS = 28
LARGEST_EXPONENT = 400
LONGEST = 500
"""Characters of an expression; also keeps the tree shallow enough to walk."""

_BINARY: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: Mapping[str, Callable[..., Decimal]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "sqrt": Decimal.sqrt,
    "round": lambda x, digits=Decimal(0): x.quantize(Decimal(1).scaleb(-int(digits)), rounding="ROUND_HALF_UP"),
}


@tool("pure")
def calculator(
    ctx: ToolContext,
    expression: Annotated[
        str,
        Field(max_length=LONGEST, description="For example (3 + 4.5) * 2 ** 8; functions abs, min, max, sqrt, round"),
    ],
) -> ToolResult:
    """Compute an arithmetic expression exactly. Knows + - * / // % **, brackets, abs, min, max, sqrt and round."""
    text = expression.replace("×", "*").replace("÷", "/").replace("^", "**").replace("（", "(").replace("）", ")")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        with localcontext() as context:
            context.prec = DIGITS
            value = _value(tree.body)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ToolError("BAD_EXPRESSION", f"not arithmetic: {expression!r}", hint=str(error)[:100]) from error
    except (DecimalException, ZeroDivisionError, OverflowError) as error:
        raise ToolError("NO_RESULT", f"{expression!r} has no result: {type(error).__name__}") from error
    shown = format(value.normalize(), "f") if abs(value.adjusted()) < DIGITS else str(value)
    return ToolResult.success({"expression": expression, "value": shown}, f"{expression} = {shown}")


def _value(node: ast.expr) -> Decimal:
    match node:
        case ast.Constant(value=bool()):
            raise ValueError("only numbers can be computed")
        case ast.Constant(value=int() | float() as number):
            return Decimal(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return Decimal(_FUNCTIONS[name](*(_value(arg) for arg in args)))
    raise ValueError("only numbers, + - * / // % **, brackets and abs, min, max, sqrt, round")


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > LARGEST_EXPONENT:
        raise OverflowError("the exponent is too large")
    return base**exponent
