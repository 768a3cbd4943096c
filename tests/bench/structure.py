"""Sizes of the package and what it has more than one of: lines, folders, imports, executors, LLVM, mutable objects.

python -m tests.bench.structure
"""

import ast
import re
from collections import Counter
from pathlib import Path

import acausal
from tests.test_imports import MOST_LINES, MOST_MODULES, ORDER
from tests.test_process_state import ALLOWED, _changing, _is_frozen

PACKAGE = Path(acausal.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
LLVM = re.compile(r"getelementptr|\bphi i64|\bicmp |\bfmul double|define [a-z0-9]+ @|IRBuilder|llvmlite\.ir\b")
PRINTERS = "codegen/llvm/", "runtime/kernel/llvm/"
"""The two dialects: programs, and kernels."""


def main() -> None:
    """All of it, a paragraph each."""
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in FILES}
    print(f"{len(texts)} modules, {sum(len(text.splitlines()) for text in texts.values()):,} lines")
    show_largest(texts)
    show_imports(texts)
    outside = [name for name, text in texts.items() if LLVM.search(_code(text)) and not name.startswith(PRINTERS)]
    print(f"LLVM text outside of {' and '.join(PRINTERS)}: {', '.join(outside) or 'none'}")
    show_mutable()


def show_largest(texts: dict[str, str]) -> None:
    """Longest files and largest folders."""
    lengths = Counter({name: len(text.splitlines()) for name, text in texts.items()})
    folders = Counter([str(Path(name).parent) for name in texts if not name.endswith("__init__.py")])
    for title, most, found in (("lines", MOST_LINES, lengths), ("modules", MOST_MODULES, folders)):
        shown = ", ".join(f"{name} {number}" for name, number in found.most_common(5))
        print(f"{title} (at most {most}): {shown}")


def show_imports(texts: dict[str, str]) -> None:
    """Imports between folders, and how many of them lead upward in the order."""
    rank, pairs = {name: number for number, name in enumerate(ORDER)}, Counter[tuple[str, str]]()
    for name, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("acausal."):
                pairs[_folder(name, rank), _folder(node.module[8:].replace(".", "/") + ".py", rank)] += 1
    apart = {pair: number for pair, number in pairs.items() if pair[0] != pair[1]}
    upward = [f"{a} -> {b}" for a, b in apart if rank[a] < rank[b]]
    print(f"imports between folders: {len(apart)} pairs, {sum(apart.values())} imports")
    print(f"against the order (of types alone, or when called): {', '.join(upward) or 'none'}")


def show_mutable() -> None:
    """Objects of modules that change: caches, which have the lock of `base/caches`, and others with their own."""
    for path in FILES:
        place = path.relative_to(PACKAGE).as_posix()
        for name in dict.fromkeys(_changing(path)):
            if name in ALLOWED.get(place, ()):
                print(f"mutable: {place} {name}, under a lock of its own (tests/test_process_state.py says which)")
            elif f"register({name})" in path.read_text():
                print(f"mutable: {place} {name}, a cache under the lock of base/caches")
            elif not _is_frozen(path, name):
                print(f"mutable: {place} {name}, WITHOUT A LOCK")


def _folder(name: str, rank: dict[str, int]) -> str:
    place = name.removesuffix(".py")
    while place not in rank:
        if "/" not in place:
            return "__init__"
        place = place.rsplit("/", 1)[0]
    return place


def _code(text: str) -> str:
    """Strings of code that are no docstrings."""
    tree = ast.parse(text)
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
    found = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in docs]
    return "\n".join([value for value in found if isinstance(value, str)])


if __name__ == "__main__":
    main()
