"""Kernels to typed trees; what is not in the language is refused with its line."""

import ast
from collections.abc import Callable, Sequence

from acausal.runtime.kernel.check_expressions import Expressions
from acausal.runtime.kernel.effects import check_order
from acausal.runtime.kernel.scope import KernelError, Scope
from acausal.runtime.kernel.signature import first_line, signature, type_of
from acausal.runtime.kernel.syntax import ModuleTrees, expression_of
from acausal.runtime.kernel.tree import (
    Assign,
    Break,
    Call,
    Continue,
    Convert,
    Evaluate,
    For,
    Function,
    If,
    Invoke,
    Literal,
    Origin,
    Return,
    Statement,
    Store,
    While,
)
from acausal.runtime.kernel.types import Scalar, Type


def check_kernels(exported: Sequence[Callable[..., object]]) -> tuple[Function, ...]:
    """Check kernels and all that they call, each once, and that C gives the same results whatever its order."""
    found = typed_kernels(exported)
    check_order(found)
    return found


def typed_kernels(exported: Sequence[Callable[..., object]]) -> tuple[Function, ...]:
    """The typed trees of kernels and of all that they call; enough for LLVM, whose instructions have an order."""
    known = {function.__name__: function for function in exported}
    waiting, found = list(exported), []
    trees = ModuleTrees()
    while waiting:
        checked = _Statements(waiting.pop(), trees)
        found.append(checked.function)
        for name, callee in checked.scope.kernels.items():
            if name not in known:
                known[name] = callee
                waiting.append(callee)
            elif known[name] is not callee:
                raise KernelError(f"there are two kernels {name}")
    return tuple(found)


class _Statements:
    """The typed tree of one kernel."""

    def __init__(self, kernel: Callable[..., object], trees: ModuleTrees) -> None:
        self.scope = scope = Scope(kernel)
        self._expressions = Expressions(scope)
        tree = trees.of(kernel)
        self._result = self._type(tree, signature(kernel)[1])
        parameters = tuple([(name, self._type(tree, kind)) for name, kind in signature(kernel)[0]])
        for name, kind in parameters:
            scope.declare(tree, name, kind)
        self._parameters = dict(parameters)
        self._loops: list[str] = []
        body = self._block(tree.body)
        if self._result is not Scalar.NOTHING and not ends(body):
            raise scope.error(tree, "it may end without a result")
        variables = tuple([(name, kind) for name, kind in scope.types.items() if name not in self._parameters])
        origin = Origin(kernel.__module__, kernel.__code__.co_firstlineno, first_line(kernel))
        self.function = Function(kernel.__name__, parameters, self._result, variables, body, origin)

    def _type(self, node: ast.FunctionDef, annotation: object) -> Type:
        kind = type_of(annotation)
        if kind is None:
            raise self.scope.error(node, f"no type: {annotation}")
        return kind

    def _block(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for statement in body:
            if found and ends(found):
                raise self.scope.error(statement, "never reached")
            found += self._statement(statement)
        return tuple(found)

    def _statement(self, node: ast.stmt) -> list[Statement]:
        expressions = self._expressions
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                return []
            case ast.Expr(value=ast.Call()):
                call = expressions.of(node.value)
                inner = call.operand if isinstance(call, Convert) else call
                if not isinstance(inner, Call | Invoke):
                    raise self.scope.error(node, "its value is not used")
                return [Evaluate(call)]
            case ast.Return():
                if (node.value is None) != (self._result is Scalar.NOTHING):
                    raise self.scope.error(node, "a result is required, or none")
                return [Return(None if node.value is None else expressions.of(node.value, self._result))]
            case ast.Assign(targets=[target]):
                return [self._assign(target, node.value)]
            case ast.AugAssign():
                value = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
                return [self._assign(node.target, value)]
            case ast.Pass():
                return []
        return [self._flow(node)]

    def _flow(self, node: ast.stmt) -> Statement:
        match node:
            case ast.If():
                return self._if(node)
            case ast.While():
                test = self._expressions.of(node.test, Scalar.BOOL)
                return While(test, self._loop(node, ""))
            case ast.For(target=ast.Name(id=name)):
                return self._for(node, name)
            case ast.Break() | ast.Continue() if self._loops:
                return Break() if isinstance(node, ast.Break) else Continue()
        raise self.scope.error(node, "no such statement")

    def _assign(self, target: ast.expr, value: ast.expr) -> Statement:
        if isinstance(target, ast.Name):
            found = self._expressions.of(value)
            if target.id in self._loops or target.id in self._parameters:
                raise self.scope.error(target, "a parameter or the variable of a loop is not assigned to")
            self.scope.declare(target, target.id, found.type)
            return Assign(target.id, found)
        place = self._expressions.place(target)
        return Store(place, self._expressions.of(value, place.type))

    def _if(self, node: ast.If) -> If:
        test, scope = self._expressions.of(node.test, Scalar.BOOL), self.scope
        before = set(scope.assigned)
        yes = self._block(node.body)
        after_yes, scope.assigned = scope.assigned, before
        no = self._block(node.orelse)
        if ends(no):
            scope.assigned = after_yes
        elif not ends(yes):
            scope.assigned = scope.assigned & after_yes
        return If(test, yes, no)

    def _for(self, node: ast.For, name: str) -> For:
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            raise self.scope.error(node, "a loop goes over range(end) or range(first, end)")
        if not 1 <= len(call.args) <= 2 or name in self.scope.assigned:  # behind it Python and machine code differ
            raise self.scope.error(node, "a loop goes over range(end) or range(first, end), with a variable of its own")
        limits = [self._expressions.of(argument, Scalar.INT) for argument in call.args]
        first = limits[0] if len(limits) == 2 else self._expressions.of(ast.copy_location(ast.Constant(0), node))
        return For(name, first, limits[-1], self._loop(node, name))

    def _loop(self, node: ast.For | ast.While, name: str) -> tuple[Statement, ...]:
        """The body of a loop, after which no more is assigned than before."""
        if node.orelse:
            raise self.scope.error(node, "no such statement")
        before = set(self.scope.assigned)
        if name:
            self.scope.declare(node, name, Scalar.INT)
        self._loops.append(name)
        body = self._block(node.body)
        self._loops.pop()
        self.scope.assigned = before
        return body


def _loaded(target: ast.expr) -> ast.expr:
    """A target of an assignment as an expression."""
    return expression_of(ast.unparse(target))


def ends(body: Sequence[Statement]) -> bool:
    """True if nothing behind these statements is ever reached."""
    if not body:
        return False
    match body[-1]:
        case Return() | Break() | Continue():
            return True
        case If(_, yes, no):
            return ends(yes) and ends(no)
        case While(test, inner):
            return test == Literal(True, Scalar.BOOL) and not _breaks(inner)
    return False


def _breaks(body: Sequence[Statement]) -> bool:
    """True if a `break` in it ends the loop around it."""
    return any(isinstance(s, Break) or (isinstance(s, If) and (_breaks(s.yes) or _breaks(s.no))) for s in body)
