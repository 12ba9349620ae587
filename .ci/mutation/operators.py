"""The small faults that mutation testing puts into a module, one at a time.

A mutant swaps one node of the syntax tree: a comparison for its neighbour, a number for the next one, a refusal for nothing. Left alone are
annotations, docstrings, decorators, what only a type checker reads, and whatever is said to people: text of an error, and any text with a
space in it.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_COMPARISONS: Final = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: Final = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_TYPES: Final = ("TypeAlias", "TypeVar", "Protocol")
_SCOPES: Final = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Mutant:
    """One fault: where it is, what stands there, and what is put in its place."""

    name: str
    """What it is called in lists: the scope, the old text, the new one, and its number among those that read alike."""
    line: int
    parent: ast.AST
    field: str
    place: int | None
    new: ast.AST | None

    def apply(self) -> None:
        """Put the fault into the tree that it was found in."""
        if self.place is None:
            setattr(self.parent, self.field, self.new)
        else:
            getattr(self.parent, self.field)[self.place] = self.new


def mutants_of(tree: ast.Module) -> list[Mutant]:
    """Every mutant of a module, in the order of its text."""
    seen: Counter[str] = Counter()
    found: list[Mutant] = []
    for scope, parent, field, place, old, new in _swaps(tree, ""):
        name = f"{scope or 'module'}: {_text(old)} -> {_text(new)}"
        seen[name] += 1
        if seen[name] > 1:
            name = f"{name} #{seen[name]}"
        found.append(Mutant(name, getattr(old, "lineno", getattr(parent, "lineno", 0)), parent, field, place, new))
    return found


def _swaps(parent: ast.AST, scope: str) -> Iterator[tuple[str, ast.AST, str, int | None, ast.AST, ast.AST | None]]:
    for field, value in ast.iter_fields(parent):
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_left_alone(parent, field, child):
                continue
            for new in _faults(parent, field, child):
                yield scope, parent, field, place if isinstance(value, list) else None, child, new
            inner = f"{scope}.{child.name}".lstrip(".") if isinstance(child, _SCOPES) else scope
            yield from _swaps(child, inner)


def _is_left_alone(parent: ast.AST, field: str, child: ast.AST) -> bool:
    """Whether nothing in this node is a fault that a test should see."""
    if field in ("annotation", "returns", "decorator_list", "bases", "type_comment") or isinstance(parent, (ast.Raise, ast.Import)):
        return True
    if isinstance(child, (ast.Assign, ast.AnnAssign)):
        return _is_for_typing(child)
    if isinstance(child, ast.Delete):  # of an argument that a protocol asks for, and that is not needed
        return isinstance(parent, ast.FunctionDef) and child in parent.body[:2] and isinstance(parent.body[0], (ast.Expr, ast.Delete))
    return (
        (isinstance(child, ast.If) and _text(child.test) == "TYPE_CHECKING")
        or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant))
        or (isinstance(child, ast.keyword) and child.arg == "strict")
        or (isinstance(parent, ast.Call) and field == "args" and _tells_people(parent, child))
    )


def _is_for_typing(child: ast.Assign | ast.AnnAssign) -> bool:
    """Whether an assignment makes an alias of types, or a list of names."""
    target = child.targets[0] if isinstance(child, ast.Assign) else child.target
    declared, _, value = _text(child).partition(" = ")
    is_alias = any(name in (declared if isinstance(child, ast.AnnAssign) else value) for name in _TYPES)
    return is_alias or _text(target) in ("__slots__", "__all__")


def _tells_people(call: ast.Call, argument: ast.AST) -> bool:
    """Whether an argument of a call is text for people: of an error, or the sentence of a slip, check or guarantee."""
    name = _text(call.func).rpartition(".")[2]
    if name in ("Slip", "Check"):
        return argument is not call.args[0]
    if name == "Guarantee":
        return argument is call.args[2]
    return name.endswith("Error") or name in ("error", "mismatch", "_compare", "describe", "cast")


def _faults(parent: ast.AST, field: str, node: ast.AST) -> Iterator[ast.AST | None]:
    """What may stand in a node's place, so that something should fail."""
    yield from _FAULTS.get(type(node), _none)(node)
    if field == "ifs" or (field == "test" and isinstance(parent, (ast.If, ast.While))):
        yield ast.UnaryOp(ast.Not(), node)
    elif isinstance(parent, ast.Return) and not (isinstance(node, ast.Constant) and node.value is None):
        yield ast.Constant(None)
    elif isinstance(parent, ast.Slice):
        yield None


def _none(_: ast.AST) -> Iterator[ast.AST]:
    return iter(())


def _nothing_done(_: ast.AST) -> Iterator[ast.AST]:
    yield ast.Pass()


def _of_constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and value and " " not in value:
        yield ast.Constant(f"{value}XX")
    elif isinstance(value, bytes):
        yield ast.Constant(value + b"XX")


def _of_compare(node: ast.Compare) -> Iterator[ast.AST]:
    for place, operator in enumerate(node.ops):
        yield ast.Compare(node.left, [*node.ops[:place], _COMPARISONS[type(operator)](), *node.ops[place + 1 :]], node.comparators)


def _of_bool_op(node: ast.BoolOp) -> Iterator[ast.AST]:
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _of_unary_op(node: ast.UnaryOp) -> Iterator[ast.AST]:
    yield node.operand


def _of_bin_op(node: ast.BinOp) -> Iterator[ast.AST]:
    yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)


def _of_aug_assign(node: ast.AugAssign) -> Iterator[ast.AST]:
    yield ast.AugAssign(node.target, _ARITHMETIC[type(node.op)](), node.value)


def _of_if_exp(node: ast.IfExp) -> Iterator[ast.AST]:
    yield from (node.body, node.orelse)


def _of_expr(node: ast.Expr) -> Iterator[ast.AST]:
    if isinstance(node.value, (ast.Call, ast.YieldFrom)):
        yield ast.Pass()


_FAULTS: Final[Mapping[type, Callable[..., Iterator[ast.AST]]]] = {
    ast.Constant: _of_constant,
    ast.Compare: _of_compare,
    ast.BoolOp: _of_bool_op,
    ast.UnaryOp: _of_unary_op,
    ast.BinOp: _of_bin_op,
    ast.AugAssign: _of_aug_assign,
    ast.IfExp: _of_if_exp,
    ast.Expr: _of_expr,
    ast.Raise: _nothing_done,
    ast.Delete: _nothing_done,
    ast.Break: _nothing_done,
    ast.Continue: _nothing_done,
}


def _text(node: ast.AST | None) -> str:
    if node is None:
        return "nothing"
    if isinstance(node, ast.Constant):
        return repr(node.value)
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= 90 else f"{text[:60]} ... {text[-25:]}"
