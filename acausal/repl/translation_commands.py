"""Commands that show the translation: `show`, `output`, `outfile`, `language`, `partition`, `why` and others."""

from dataclasses import replace
from pathlib import Path

from acausal.base.files.writing import save_text
from acausal.render.table import table
from acausal.repl.command import need_nothing
from acausal.repl.model import Model
from acausal.repl.state import Output, misunderstood
from acausal.targets.target_table import TARGETS

SHOWN = ("flat", "sorted", "solved", "latex", "statistics", "code")
GRAPH = "graph"
OUTPUTS = {"equations": "flat", "sorted equations": "sorted", "solved equations": "solved"}
PROGRAM = "program"
PYTHON = "python"
"""Language of the program that the session shows; all others are targets, whose programs are files."""
LANGUAGES = (PYTHON, *[name for name in TARGETS if name != PYTHON])
"""Languages and formats of `output program`."""


def show(model: Model, rest: str) -> str:
    """`show STAGE`, `show graph FILE.svg`."""
    stage = rest.strip() or "statistics"
    if stage.split()[0] == GRAPH:
        return _written_graph(model, stage.removeprefix(GRAPH).strip())
    if stage not in SHOWN:
        raise misunderstood(f"unknown argument of show: {stage}", f"show {'|'.join((*SHOWN, GRAPH))}")
    if stage == "statistics":
        from acausal.causalize.explain.report import statistics_table

        return table(statistics_table(model.translation.statistics))
    return model.translation.code() if stage == "code" else model.translation.equations(stage)


def _written_graph(model: Model, file: str) -> str:
    """The diagrams in an SVG file, named after the model if no other name is given."""
    path = Path(file or f"{model.translation.name}.svg")
    if path.suffix.lower() != ".svg":
        raise misunderstood(f"{path}: diagrams are written as .svg", "show graph FILE.svg")
    save_text(path, model.translation.graph(path.parent))
    return f"written: {path}"


def output(model: Model, rest: str) -> str:
    """`output equations`, `output program`: to the file of `outfile`, else as the answer."""
    *before, last = rest.split() or [""]
    what = " ".join([*before, last])
    if what in OUTPUTS:
        return _delivered(model, what, model.translation.equations(OUTPUTS[what]))
    if last != PROGRAM or len(before) > 1:
        hint = ", ".join([f"output {known}" for known in (*OUTPUTS, PROGRAM)])
        raise misunderstood(f"unknown argument of output: {what or 'none'}", hint)
    chosen = _language(before[0] if before else model.state.language)
    if chosen == PYTHON:
        return _delivered(model, what, model.translation.code())
    return _exported(model, chosen)


def _language(name: str) -> str:
    if name.lower() not in LANGUAGES:
        raise misunderstood(f"programs are not generated in {name}", f"the languages are {', '.join(LANGUAGES)}")
    return name.lower()


def _exported(model: Model, target: str) -> str:
    """The files of a target, named by `outfile` or else after the model."""
    goal, suffix = model.state.output, TARGETS[target].suffix
    path = Path(f"{model.translation.name}{suffix}") if goal is None else goal.file
    if path.suffix != suffix:
        raise misunderstood(f"{path}: programs in {target} are written as {suffix}", f"outfile {path.stem}{suffix}")
    return f"written: {', '.join(map(str, model.translation.export(target, path)))}"


def _delivered(model: Model, what: str, text: str) -> str:
    goal = model.state.output
    if goal is None:
        return text
    goal = Output(goal.file, goal.text + text)
    save_text(goal.file, goal.text)
    model.state = replace(model.state, output=goal)
    return f"{what} written to {goal.file}"


def outfile(model: Model, rest: str) -> str:
    """`outfile FILE`: of the following outputs; without a file, back to the screen."""
    name = rest.strip().strip("\"'")
    model.state = replace(model.state, output=Output(Path(name)) if name else None)
    return f"output goes to {name}" if name else "output goes to the screen"


def language(model: Model, rest: str) -> str:
    """`language NAME`: of `output program`."""
    name = rest.strip()
    if not name:
        return f"{model.state.language} (the languages are {', '.join(LANGUAGES)})"
    model.state = replace(model.state, language=_language(name))
    return f"output program writes {name.lower()}"


def partition(model: Model, rest: str) -> str:
    """`partition`: the order of the equations and their algebraic loops."""
    need_nothing("partition", rest)
    found = model.translation.statistics
    lines = [f"{found['equations']} equations, {found['states']} states; sorted into {found['blocks']} blocks"]
    for kind in ("linear", "nonlinear"):
        sizes = found[f"{kind}_blocks"]
        for before, after in sizes if isinstance(sizes, list) else ():
            variables = "tearing variable" if after == 1 else "tearing variables"
            lines.append(f"{kind} loop of {before} equations, {after} {variables}")
    return "\n".join(lines if len(lines) > 1 else [*lines, "no algebraic loops"])


def eliminate(model: Model, rest: str) -> str:
    """`eliminate`: the variables that are eliminated because they equal another one."""
    need_nothing("eliminate", rest)
    return model.translation.equations("aliases") or "no equations of the form x = y\n"


def differentiate(model: Model, rest: str) -> str:
    """`differentiate`: the equations that index reduction differentiated."""
    need_nothing("differentiate", rest)
    return model.translation.equations("differentiated") or "no equation must be differentiated\n"


def why(model: Model, rest: str) -> str:
    """`why x`."""
    if not rest.strip():
        raise misunderstood("why needs the name of a variable", "why x")
    return model.translation.why(rest.strip())
