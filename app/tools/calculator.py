"""Arithmetic a model should not do in its head: exact decimals, a few functions, hard limits."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal, DecimalException, localcontext
from typing import Annotated

from pydantic import Field

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.tools.tool import ToolContext, ToolResult, tool

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
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
    "sqrt": lambda x: x.sqrt(),
    "round": lambda x, digits=Decimal(0): _rounded(x, digits),
}


@tool("pure", title=N_("Calculate"), icon="plus")
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
            value = _value(tree.body, text.strip()) + 0  # no -0
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        hint = ctx.say("only numbers, + - * / // % **, brackets and abs, min, max, sqrt, round can be computed")
        message = ctx.say("not arithmetic: {text}", text=repr(expression))
        raise ToolError("BAD_EXPRESSION", message, hint=hint) from error
    except (DecimalException, ZeroDivisionError, OverflowError) as error:
        message = ctx.say("{text} has no result: {why}", text=repr(expression), why=_why(ctx, error))
        raise ToolError("NO_RESULT", message) from error
    number = format(value.normalize(), "f") if abs(value.adjusted()) < DIGITS else str(value.normalize())
    return ToolResult.success({"expression": expression, "value": number}, f"{expression} = {number}")


def _why(ctx: ToolContext, error: ArithmeticError) -> str:
    if isinstance(error, ZeroDivisionError):
        return ctx.say("a division by zero")
    return ctx.say("the number is too large") if isinstance(error, OverflowError) else ctx.say("it is not defined")


def _rounded(number: Decimal, digits: Decimal) -> Decimal:
    if abs(digits) > DIGITS:
        raise OverflowError("too many digits")
    return number.quantize(Decimal(1).scaleb(-int(digits)), rounding="ROUND_HALF_UP")


def _value(node: ast.expr, source: str) -> Decimal:
    match node:
        case ast.Constant(value=bool()):
            raise ValueError("a truth value")
        case ast.Constant(value=int() as number):
            return Decimal(number)
        case ast.Constant(value=float()):
            # As it is written: a float has lost digits already.
            return Decimal(ast.get_source_segment(source, node) or "NaN")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, source)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, source)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left, source), _value(right, source))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, source), _value(right, source))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return Decimal(_FUNCTIONS[name](*(_value(arg, source) for arg in args)))
    raise ValueError("no arithmetic")


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > LARGEST_EXPONENT:
        raise OverflowError("the exponent is too large")
    return base**exponent
