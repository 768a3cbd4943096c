"""The commands of the dialogue: each takes the model and the rest of its line, and gives text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Report, UsageError
from acausal.base.given_values import need_type
from acausal.base.regular_files import is_file
from acausal.render import render
from acausal.render.table import table
from acausal.repl.model import Model, misunderstood
from acausal.repl.values import Nothing, names_in, number_of, pairs_in
from acausal.results.expressions import Variables, evaluate

if TYPE_CHECKING:
    from acausal.results.expressions import Values

SHOWN = ("flat", "sorted", "solved", "statistics", "code")
NUMBERS = ("stop", "interval", "tolerance")
_FILE_AND_NAMES = re.compile(r"(.+?\.(?:csv|npz|mat|parquet))(?:\s+(.*))?", re.IGNORECASE)
"""The name of a file may have blanks."""
_QUOTED = re.compile(r"""["'](.+)["'](?:\s+(\w+))?""")
_MODEL_FILE = re.compile(r"(.+?\.(?:mdl|lib))(?:\s+(\w+))?", re.IGNORECASE)
_WORDS = re.compile(r"(\S+)(?:\s+(\S+))?")


@dataclass(frozen=True, slots=True)
class Command:
    """`usage` and `about` are the text of `help`."""

    usage: str
    about: str
    run: Callable[[Model, str], str]


def _load(model: Model, rest: str) -> str:
    file, name = _file_and_model(rest.strip())
    translation = model.load(file, name)
    return f"{translation.name} loaded\n{render(translation.report)}"


def _file_and_model(text: str) -> tuple[Path, str | None]:
    """Argument of `load`: a file, whose name may have blanks or be in quotation marks, and a model in it."""
    found = _QUOTED.fullmatch(text)
    if found is None and text and not is_file(text):
        found = _MODEL_FILE.fullmatch(text) or _WORDS.fullmatch(text)
        if found is None:
            raise misunderstood("load needs a file name", 'load FILE, load FILE MODEL, load "FILE"')
    if not text:
        raise misunderstood("load needs a file name", "load FILE, or load FILE MODEL")
    return (Path(text), None) if found is None else (Path(found[1]), found[2])


def _check(model: Model, rest: str) -> str:
    _nothing("check", rest)
    model.changed()
    report = model.translation.report
    return render(report) if report.diagnostics else f"{model.file}: no errors found"


def _show(model: Model, rest: str) -> str:
    stage = rest.strip() or "statistics"
    if stage not in SHOWN:
        raise misunderstood(f"unknown argument of show: {stage}", f"show {'|'.join(SHOWN)}")
    if stage == "statistics":
        from acausal.causalize.explain.report import statistics_table

        return table(statistics_table(model.translation.statistics))
    return model.translation.code() if stage == "code" else model.translation.equations(stage)


def _why(model: Model, rest: str) -> str:
    if not rest.strip():
        raise misunderstood("why needs the name of a variable", "why x")
    return model.translation.why(rest.strip())


def _output(model: Model, rest: str) -> str:
    stages = {"equations": "flat", "sorted equations": "sorted", "solved equations": "solved"}
    what = " ".join(rest.split())
    if what not in stages:
        raise misunderstood(f"unknown argument of output: {what or 'none'}", f"output {', output '.join(stages)}")
    return model.translation.equations(stages[what])


def _variable(model: Model, rest: str) -> str:
    role, _, names = rest.strip().partition(" ")
    listed = names_in(names)
    if role not in ("known", "unknown") or not listed:
        raise misunderstood("variable needs a role and names", "variable known x, or variable unknown x")
    free = model.parameter_names() if role == "unknown" else ()
    for name in listed:
        if name not in free:
            _variable_called(model, name)
    for name in listed:
        model.role(name, known=role == "known")
    return model.roles or "known and unknown variables as in the model"


def _set(model: Model, rest: str) -> str:
    pairs = pairs_in(rest, "set p=2, q=3")
    known = model.parameter_types()
    numbers = {}
    for name, text in pairs.items():
        if name not in known:
            raise _unknown("parameter", name, tuple(known))
        numbers[name] = number_of(name, text)
        need_type(name, known[name], numbers[name])
    model.parameters |= numbers
    return ", ".join(f"{name} = {value:g}" for name, value in numbers.items())


def _input(model: Model, rest: str) -> str:
    name, equals, value = rest.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise misunderstood("input needs a name and a signal", "input u=sin(time), or input u=FILE.csv")
    _variable_called(model, name.strip())
    model.inputs[name.strip()] = value.strip()
    return f"{name.strip()} = {value.strip()}"


def _simulate(model: Model, rest: str) -> str:
    from acausal.runs import RunError, RunInterrupted

    words = rest.split()
    steady = "steady" in words
    options = pairs_in(" ".join([word for word in words if word != "steady"]), "simulate stop=10, or simulate steady")
    solver = options.pop("solver", "auto")
    wrong = [name for name in options if name not in NUMBERS]
    if wrong:
        raise misunderstood(
            f"unknown option of simulate: {wrong[0]}", f"the options are {', '.join((*NUMBERS, 'solver'))}"
        )
    numbers = {name: number_of(name, text) for name, text in options.items()}
    try:
        model.last = model.translation.simulate(
            stop=numbers.get("stop"),
            interval=numbers.get("interval"),
            tolerance=numbers.get("tolerance"),
            solver=solver,
            steady=steady,
            parameters=model.parameters,
            inputs=model.present_inputs,
        )
    except (RunError, RunInterrupted) as error:
        model.last = error.result
        raise
    return f"{model.last.summary}\n{render(Report(model.last.notes))}"


def _plot(model: Model, rest: str) -> str:
    from acausal.results.plot_request import plot_words

    return plot_words({model.result.name: model.result}, names_in(rest))


def _write(model: Model, rest: str) -> str:
    if not rest.strip():
        raise misunderstood("write needs a file name", "write FILE.csv x R.*")
    found = _FILE_AND_NAMES.fullmatch(rest.strip())
    file, names = (found[1], names_in(found[2] or "")) if found else (rest.strip(), [])
    model.result.write(file, names or None)
    return f"written: {file}"


def _help(_: Model, rest: str) -> str:
    name = rest.strip()
    if name:
        return _help_on(name)
    width = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"{command.usage:{width}}  {command.about}" for command in COMMANDS.values()]
    return "\n".join([*lines, f"{'max(r1.q)':{width}}  any other line: evaluate an expression over the result"])


def _help_on(name: str) -> str:
    """The usage of a command, and the pages of the reference with this name."""
    from acausal.reference.find import find
    from acausal.reference.page import plain

    usage = {known: f"{command.usage}  {command.about}" for known, command in COMMANDS.items()}
    if name not in usage:
        return plain(find(name, usage))
    try:
        return f"{usage[name]}\n\n{plain(find(name))}"
    except UsageError:
        return usage[name]


COMMANDS = {
    "load": Command("load FILE [MODEL]", "load a model", _load),
    "check": Command("check", "check the current contents of the file", _check),
    "show": Command("show flat|sorted|solved|statistics|code", "show a stage of the translation", _show),
    "why": Command("why x", "trace a variable from the model text to the code", _why),
    "output": Command("output [sorted|solved] equations", "write equations, as show", _output),
    "variable": Command(
        "variable known|unknown x, y", "make variables known or unknown; the opposite command undoes it", _variable
    ),
    "set": Command("set p=2, q=pi/2", "set parameters for the next runs", _set),
    "input": Command("input u=sin(time)", "set the signal of an input: an expression or a CSV file", _input),
    "simulate": Command(
        "simulate [steady] [stop=T] [interval=DT] [tolerance=TOL] [solver=NAME]", "run the model", _simulate
    ),
    "plot": Command(
        "plot x y*2 *.phi [in deg] [x=VAR] [log=y] [unit=deg,rpm] [events] [figure=FILE.png]",
        "plot variables and expressions of the result",
        _plot,
    ),
    "write": Command("write FILE.csv [x R.*]", "write the result: .csv, .npz, .mat, .parquet", _write),
    "help": Command("help [NAME]", "list the commands, or describe a command, class, library, word or code", _help),
}


def show_value(model: Model, text: str) -> str:
    """The value of an expression over the last result."""
    variables = Nothing("no result yet", "simulate") if model.last is None else model.last
    return _shown(evaluate(text, variables), variables)


def _shown(value: "Values", variables: Variables) -> str:
    if not value.ndim:
        return str(bool(value)).lower() if value.dtype == bool else f"{float(value):.10g}"
    if not len(value):
        return "the result has no rows"
    if value.dtype == bool:
        return f"true in {int(value.sum())} of {len(value)} rows"
    low, high = int(value.argmin()), int(value.argmax())
    parts = [f"{value[i]:.6g} at t = {variables.time[i]:.6g}" for i in (low, high)]
    return f"from {parts[0]} to {parts[1]}, at the end {value[-1]:.6g}"


def _variable_called(model: Model, name: str) -> None:
    """UsageError F005 if the model has no such variable."""
    if name in model.variable_names():
        return
    if name in model.parameter_names():
        raise misunderstood(f"{name} is a parameter, not a variable", f"set {name}=1 gives it a value")
    raise _unknown("variable", name, model.variable_names())


def _nothing(command: str, rest: str) -> None:
    if rest.strip():
        raise misunderstood(f"{command} takes no arguments", command)


def _unknown(what: str, name: str, known: "tuple[str, ...] | dict[str, Command]") -> UsageError:
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else None
    return UsageError(Diagnostic("F005", f"unknown {what} {name}", help=hint))
