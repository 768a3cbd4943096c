"""The order of the folders, proved: imports go one way, slow libraries stay where they belong; sizes of both."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import networkx
import pytest

import acausal

PACKAGE = Path(acausal.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

ORDER = (
    *(
        "version",
        "base",
        "base/files",
        "spice_cards",
        "codes",
        "ir",
        "ir/program",
        "ir/show",
        "ir/check",
        "ir/ast",
        "ir/model",
        "render",
        "cache",
        "units",
    ),
    *("syntax/automaton", "syntax/errors", "syntax/tree", "syntax", "given_number"),
    *("symbolic", "imports/text", "imports/fmu", "elaborate", "units/check"),
    "elaborate/interpolation",
    *(
        "elaborate/values",
        "elaborate/functions",
        "elaborate/expressions",
        "elaborate/classes",
        "elaborate/scopes",
        "elaborate/connections",
        "elaborate/model",
    ),
    *("reference", "imports/urdf", "imports/spice", "imports", "manual"),
    "structure",
    *("causalize/aliases", "causalize/arrays", "causalize/events", "causalize/blocks", "causalize/solve"),
    *("causalize/index", "causalize/explain", "causalize/loops", "causalize/initial", "causalize/plan"),
    *(
        "runtime/kernel",
        "runtime/kernel/llvm",
        "runtime/kernel/c",
        "runtime/kernel/fortran",
        "runtime/blocks",
        "runtime/homotopy",
        "runtime/branches",
        "runtime",
        "runtime/cvode",
        "runtime/crossings",
        "runtime/events/relations",
        "runtime/events",
        "runtime/steps",
        "runtime/sweep",
    ),
    *(
        "codegen",
        "codegen/optimize",
        "codegen/lower/roots",
        "codegen/lower",
        "codegen/blocks",
        "codegen/tangent",
        "codegen/tangent/sensitivities",
        "codegen/tangent/adjoint",
        "codegen/llvm",
        "codegen/numpy",
    ),
    "codegen/native",
    *("simulate/failure", "simulate/inputs", "simulate/system"),
    *("simulate/fmu/child", "simulate/fmu", "simulate/jacobian"),
    "diagrams",
    *(
        "simulate/solver",
        "simulate/solver/scipy_solvers",
        "simulate/cvode",
        "simulate/sensitivities",
        "simulate/rows",
        "simulate/state",
        "simulate/run",
    ),
    *(
        "results/formats",
        "results/drawing",
        "results/view",
        "results/animation/geometry",
        "results/animation",
        "results",
        "sweep/points",
        "sweep/runs",
        "sweep/storage",
        "sweep",
    ),
    *(
        "analyses/linear_systems",
        "analyses/linearization",
        "analyses/trim",
        "analyses/power",
        "analyses/uncertainty",
        "analyses/fitting",
        "analyses/optimize",
    ),
    *("runs", "stages", "inspection", "compiled_model", "begun_run"),
    *("analyses/sensitivities", "analyses/sensitivities/adjoint"),
    *("checkpointed_run", "stepper"),
    *("targets", "targets/python", "targets/functions"),
    *("targets/c/program", "targets/c/structures", "targets/c/interface", "targets/c"),
    *("targets/fortran", "targets/fmi", "targets/html"),
    *(
        "mechanism/rigid_trees",
        "mechanism/functions",
        "mechanism/parameters",
        "mechanism/formulations",
        "mechanism",
        "mechanism/structure",
        "mechanism/kinematics",
        "mechanism/statics",
        "mechanism/checks",
    ),
    "mechanism_analysis",
    *("translation", "pipeline", "checking"),
    *("cached", "doctor"),
    *("notebook", "repl"),
    *("editor/checks", "editor/text", "editor/features", "editor/grammars", "editor/server"),
    *("cli/process", "cli/flags", "cli", "cli/site", "cli/commands"),
    *("__init__", "__main__"),
)
"""Folders, and modules outside of folders: each imports only from those before it."""

RANK = {name: rank for rank, name in enumerate(ORDER)}

HOMES = {
    "lark": ("syntax",),
    "sympy": ("symbolic/sympy_bridge.py", "translation/views.py", "mechanism/functions/tree_function.py"),
    "llvmlite": ("codegen", "doctor.py"),
    "numpy": (
        *("codegen", "simulate", "results", "sweep", "analyses", "mechanism", "repl", "structure/regular.py"),
        "targets",
    ),
    "scipy": (
        *("codegen", "simulate", "results", "analyses", "mechanism", "targets/python"),
        *("elaborate/interpolation/piecewise.py", "sweep/points"),
    ),
    "matplotlib": ("results", "sweep", "analyses"),
    "control": ("analyses/linear_systems/state_space.py", "analyses/linear_systems/margins.py"),
    "xarray": ("analyses/linear_systems/state_space.py",),
    "PIL": ("results",),
    "imageio_ffmpeg": ("results/animation/video.py",),
    "plotly": ("results",),
    "pandas": ("results", "sweep", "analyses/uncertainty/result.py"),
    "distributed": ("sweep/cluster.py", "sweep/workers.py", "analyses/fitting/cluster_starts.py"),
    "pyarrow": ("results",),
    "typer": ("cli",),
    "rich": ("cli", "repl", "render/progress.py"),
    "IPython": ("render/progress.py",),
    "prompt_toolkit": ("repl",),
    "pygments": ("repl", "syntax"),
    "casadi": ("targets/functions/to_casadi.py", "targets/functions/casadi_function.py"),
    "jax": ("targets/functions/to_jax.py",),
    "hatchling": ("cli/site/hatch_build.py",),
    "sphinx": ("manual/site.py",),
    "pygls": ("editor/server",),
    "lsprotocol": ("editor/server",),
}
"""Where each library may be imported; one that is not here may be imported nowhere."""

UNDECLARED = ("casadi", "jax")
"""Libraries that users install by themselves: too large for an extra that tests would need."""

FORBIDDEN = {
    *("eval", "exec", "compile", "__import__"),
    *("sympify", ".sympify", ".parse_expr", ".lambdify", ".S"),
    *("pickle", "marshal", "shelve", "pint"),
}
GENERATED = {"exec", "compile"}
"""Calls that only codegen/ may make: for programs that it has written itself, from numbered slots."""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that a file imports, at its top or within functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            assert node.module is not None
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield node.lineno, full if is_module(full) else node.module


def is_module(name: str) -> bool:
    """True for a module or package of ours."""
    place = PACKAGE.parent.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or place.is_dir()


def part_of(path: Path) -> str:
    """Folder of a module, relative to the package; the module's own name outside of folders."""
    place = path.relative_to(PACKAGE)
    return place.parent.as_posix() if len(place.parts) > 1 else place.stem


def part_of_name(name: str) -> str:
    """Folder of an imported module or package."""
    place = PACKAGE.joinpath(*name.split(".")[1:])
    return place.relative_to(PACKAGE).as_posix() if place.is_dir() else part_of(place.with_suffix(".py"))


def is_home(path: Path, homes: tuple[str, ...]) -> bool:
    """Whether a file is one of the places or lies in one of them."""
    place = path.relative_to(PACKAGE).as_posix()
    return any(place in (home, f"{home}.py") or place.startswith(f"{home}/") for home in homes)


def test_every_part_has_its_place_in_the_order() -> None:
    assert {part_of(path) for path in MODULES if path.name != "__init__.py" or path.parent == PACKAGE} == set(RANK)


def test_top_level_of_the_repository_is_fixed() -> None:
    root = PACKAGE.parent
    if not (root / "pyproject.toml").exists():
        pytest.fail("the tests run beside the sources they test")
    tracked = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files"], cwd=root, capture_output=True, text=True, check=False
    ).stdout.split()
    names = {name.split("/")[0] for name in tracked}
    allowed = {"pyproject.toml", "README.md", "acausal", "stdlib", "grammar", "tests", "examples"}
    assert {name for name in names if not name.startswith(".")} <= allowed


def test_imports_go_one_way() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {name}"
        for path in MODULES
        for line, name in imports(path)
        if name.startswith("acausal.")
        and part_of_name(name) != part_of(path)
        and RANK[part_of_name(name)] >= RANK[part_of(path)]
    ]
    assert wrong == []


def test_no_module_imports_itself_through_others() -> None:
    """Also none within a folder; lazy imports count, and those for annotations alone."""
    places = {".".join(("acausal", *path.relative_to(PACKAGE).with_suffix("").parts)): path for path in MODULES}
    graph = networkx.DiGraph()
    for place, path in places.items():
        graph.add_edges_from((place, name) for _, name in imports(path) if name in places and name != place)
    assert [sorted(found) for found in networkx.strongly_connected_components(graph) if len(found) > 1] == []


def test_structure_knows_integers_only() -> None:
    allowed = ("acausal.structure", "acausal.base.diagnostics", "acausal.base.source", "acausal.ir.graph")
    wrong = [
        f"{path.name}:{line} imports {name}"
        for path in MODULES
        if part_of(path) == "structure"
        for line, name in imports(path)
        if name.startswith("acausal.") and not name.startswith(allowed)
    ]
    assert wrong == []


def test_libraries_stay_in_their_homes() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {name}"
        for path in MODULES
        for line, name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names | {"acausal"}
        and not is_home(path, HOMES.get(name.split(".")[0], ()))
    ]
    assert wrong == []


def test_libraries_are_declared() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    declared = " ".join(project["project"]["dependencies"] + project["project"]["optional-dependencies"]["plot"])
    declared += " ".join(project["project"]["optional-dependencies"]["notebook"])
    declared += " ".join(project["project"]["optional-dependencies"]["lsp"])
    declared += " ".join(project["project"]["optional-dependencies"]["symbolic"])
    declared += " ".join(project["project"]["optional-dependencies"]["video"])
    declared += " ".join(project["project"]["optional-dependencies"]["sweep"])
    declared += " ".join(project["project"]["optional-dependencies"]["analysis"])
    declared += " ".join(project["build-system"]["requires"])
    names = {"PIL": "pillow", "imageio_ffmpeg": "imageio-ffmpeg", "IPython": "ipython"}
    assert [home for home in HOMES if names.get(home, home) not in declared and home not in UNDECLARED] == []


def test_dataclasses_compile_their_methods_late() -> None:
    """Those of `acausal.base.frozen` do; the library's cost most of the time of a short command."""
    allowed = ("structure", "imports", "base/frozen.py", "cli/process/session.py")
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: import dataclass from acausal.base.frozen"
        for path in MODULES
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.match(r"\s*from dataclasses import (.*, )?dataclass\b", text) and not is_home(path, allowed)
    ]
    assert wrong == []


def called_names(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of every call of a plain name or of an attribute; the latter with a dot before it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.lineno, node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.lineno, f".{node.func.attr}"


def test_no_text_becomes_code() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: {name}"
        for path in MODULES
        for line, name in [*called_names(path), *imports(path)]
        if name in FORBIDDEN and not (name in GENERATED and part_of(path).startswith("codegen"))
    ]
    assert wrong == []


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after a statement."""
    code = f"import sys; {statement}; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("statement", ["import acausal", "import acausal.cli", "import acausal.render"])
def test_slow_libraries_wait_until_they_are_needed(statement: str) -> None:
    slow = {"numpy", "scipy", "llvmlite", "sksundae", "sympy", "networkx", "matplotlib", "plotly", "rich", "pygments"}
    assert loaded_by(statement) & (slow | {"prompt_toolkit", "pandas"}) == set()


def test_a_command_is_read_without_validators() -> None:
    """The flags of `check` are text and paths: pydantic, which typer has for others, takes longer than the check."""
    model = PACKAGE.parent / "examples" / "rc.mdl"
    statement = f"from acausal.cli import main; main(['check', {str(model)!r}, '--format', 'human'])"
    assert loaded_by(statement) & {"pydantic", "numpy"} == set()


MOST_LINES, MOST_MODULES = 250, 20
LONGER_FILES: dict[str, str] = {}
"""Files that may be longer, with the reason. Entries may be removed, but none added."""
LARGER_FOLDERS: dict[str, str] = {}
"""Folders that may have more modules, with the reason. Entries may be removed, but none added."""


def test_files_are_short() -> None:
    lengths = {p.relative_to(PACKAGE).as_posix(): len(p.read_text().splitlines()) for p in PACKAGE.rglob("*.py")}
    assert sorted(name for name, lines in lengths.items() if lines > MOST_LINES) == sorted(LONGER_FILES)


def test_folders_are_small() -> None:
    folders = [PACKAGE, *[p for p in PACKAGE.rglob("*") if p.is_dir()]]
    modules = {f.relative_to(PACKAGE).as_posix(): {*f.glob("*.py")} - {f / "__init__.py"} for f in folders}
    assert sorted(name for name, files in modules.items() if len(files) > MOST_MODULES) == sorted(LARGER_FOLDERS)
