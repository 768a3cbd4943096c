"""Page of the Python interface: every public name with its signature and docstring, read from the sources.

Nothing is imported: the page is the same whether or not solvers and plotting are installed.
"""

import ast
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

from acausal.manual.markdown import Pages, code, page, prose, section

PACKAGE = Path(__file__).resolve().parents[1]
Definition = ast.FunctionDef | ast.ClassDef


def python_pages() -> Pages:
    """The page of all public objects; functions come before classes."""
    homes = {name: _home(name, module) for name, module in public_modules().items() if name != "__version__"}
    modules = {name: module for name, module in homes.items() if module is not None}
    found = [(name, _definition(name, module)) for name, module in modules.items()]
    functions = [_function(name, node, 3) for name, node in found if isinstance(node, ast.FunctionDef)]
    classes = [_class(name, node, modules[name]) for name, node in found if isinstance(node, ast.ClassDef)]
    opening = cleandoc(ast.get_docstring(_tree(PACKAGE / "__init__.py")) or "").partition("\n\n")[2]
    pages = page(
        "# Python",
        code(opening, "text"),
        section("Functions", *functions),
        *classes,
    )
    return {"python.md": pages}


def public_modules() -> dict[str, str]:
    """The module of each public name, from the imports for type checkers in `acausal/__init__.py`."""
    found: dict[str, str] = {}
    for node in ast.walk(_tree(PACKAGE / "__init__.py")):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("acausal."):
            found |= {alias.name: node.module for alias in node.names}
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _path(module: str) -> Path:
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _home(name: str, module: str) -> str | None:
    """The module of the package that defines a name, which `module` may import; None for a name of a library."""
    body = _tree(_path(module)).body
    if any(isinstance(node, Definition) and node.name == name for node in body):
        return module
    lines = [node for node in body if isinstance(node, ast.ImportFrom) and node.module]
    source = next((str(node.module) for node in lines if any(alias.name == name for alias in node.names)), "")
    return _home(name, source) if source.startswith("acausal.") else None


def _definition(name: str, home: str) -> Definition:
    body = _tree(_path(home)).body
    return next(node for node in body if isinstance(node, Definition) and node.name == name)


def _function(name: str, node: ast.FunctionDef, level: int) -> str:
    return section(f"`{name}`", code(_signature(node), "python"), *_docstring(node), level=level)


def _signature(node: ast.FunctionDef) -> str:
    """The call as one would write it, one parameter a line where it is long."""
    arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("self")
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    line = f"{node.name}({arguments}){result}"
    if len(line) <= _LONGEST:
        return line
    return f"{node.name}(\n    {_broken(arguments)},\n){result}"


_LONGEST = 88


def _broken(arguments: str) -> str:
    """Arguments on lines of their own: commas within brackets or quotes break none."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return ",\n    ".join([part.strip() for part in parts])


def _docstring(node: Definition) -> Iterator[str]:
    """Paragraphs of a docstring; indented ones as code."""
    for part in cleandoc(ast.get_docstring(node) or "").split("\n\n"):
        yield code(part, "python") if part.startswith(" ") else prose(" ".join(part.split()))


_FOR_USERS = {"TranslatedModel": ("name", "report", "program", "steady_state", "for_values")}
"""Methods of classes that have others for the package alone."""


def _bases(node: ast.ClassDef, module: str) -> Iterator[ast.ClassDef]:
    """The classes of the package behind a class that are not public; one may come several times.

    Users do not know them: their methods are shown with the class.
    """
    for base in map(ast.unparse, node.bases):
        home = _home(base, module)
        if home is not None and base not in public_modules():
            found = _definition(base, home)
            assert isinstance(found, ast.ClassDef)
            yield from _bases(found, home)
            yield found


def _class(name: str, node: ast.ClassDef, module: str) -> str:
    """A class with its attributes, properties and methods that have a docstring."""
    methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
    for base in _bases(node, module):
        known = {method.name for method in methods}
        inherited = [item for item in base.body if isinstance(item, ast.FunctionDef) and item.name not in known]
        methods += [method for method in inherited if method.name in _FOR_USERS.get(base.name, (method.name,))]
    public = [m for m in methods if not m.name.startswith("_") and ast.get_docstring(m)]
    names = map(ast.unparse, node.bases)
    bases = [base for base in names if _home(base, module) is None or base in public_modules()]
    fields = [ast.unparse(item) for item in node.body if isinstance(item, ast.AnnAssign) and _is_public(item)]
    return section(
        f"`{name}`",
        f"Derived from {', '.join([f'`{base}`' for base in bases])}." if bases else "",
        *_docstring(node),
        code("\n".join(fields), "python") if fields else "",
        *[_method(name, method) for method in public],
    )


def _is_public(item: ast.AnnAssign) -> bool:
    return isinstance(item.target, ast.Name) and not item.target.id.startswith("_")


def _method(owner: str, node: ast.FunctionDef) -> str:
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    if any(mark.endswith("property") for mark in marks):
        kind = f": {ast.unparse(node.returns)}" if node.returns is not None else ""
        return section(f"`{owner}.{node.name}`", code(f"{node.name}{kind}", "python"), *_docstring(node), level=3)
    return _function(f"{owner}.{node.name}", node, 3)
