"""Commands that prepare and make runs: `set`, `input`, `variable`, `experiment`, `simulate`."""

from collections.abc import Mapping
from dataclasses import replace

from acausal.base.diagnostics import Report
from acausal.base.given_values import need_type
from acausal.base.near_names import unknown_name
from acausal.base.options import SimulateOptions
from acausal.render import render
from acausal.render.progress import running
from acausal.repl.command import need_variable
from acausal.repl.model import Model
from acausal.repl.names import Names
from acausal.repl.state import misunderstood
from acausal.repl.values import names_in, number_of, pairs_in

NUMBERS = ("stop", "interval", "tolerance")
UNITS = {"stop": "s", "interval": "s"}
SOLVERS = ("auto", "cvode", "DOP853", "RK45", "Radau", "BDF", "LSODA")


def variable(model: Model, rest: str) -> str:
    """`variable known x, y`."""
    role, _, names = rest.strip().partition(" ")
    listed = names_in(names)
    if role or names:
        if role not in ("known", "unknown") or not listed:
            raise misunderstood("variable needs a role and names", "variable known x, or variable unknown x")
        free = model.settable() if role == "unknown" else ()
        for name in listed:
            if name not in free:
                need_variable(model, name)
        for name in listed:
            model.role(name, known=role == "known")
    return model.state.roles or "known and unknown variables as in the model"


def set_(model: Model, rest: str) -> str:
    """`set p=2, q=3`; without arguments the parameters that are set."""
    if not rest.strip():
        return _listed(model.state.parameters) or "no parameters are set"
    pairs = pairs_in(rest, "set p=2, q=3")
    known = model.settable()
    numbers = {}
    for name, text in pairs.items():
        if name not in known:
            raise unknown_name("parameter", name, known)
        numbers[name] = _number(model, name, text, model.parameters()[name].unit)
        need_type(name, known[name], numbers[name])
    model.state = replace(model.state, parameters={**model.state.parameters, **numbers})
    return _listed(numbers)


def _listed(numbers: Mapping[str, float]) -> str:
    return ", ".join([f"{name} = {value:g}" for name, value in numbers.items()])


def input_(model: Model, rest: str) -> str:
    """`input u=sin(time)`."""
    name, equals, value = rest.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise misunderstood("input needs a name and a signal", "input u=sin(time), or input u=FILE.csv")
    need_variable(model, name.strip())
    model.state = replace(model.state, inputs={**model.state.inputs, name.strip(): value.strip()})
    return f"{name.strip()} = {value.strip()}"


def experiment(model: Model, rest: str) -> str:
    """`experiment stop=10, interval=0.01`: for the following runs."""
    text = rest.strip()
    text = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    if text:
        given = _numbers(model, pairs_in(text, "experiment stop=10, interval=0.01"), "experiment", NUMBERS)
        model.state = replace(model.state, experiment={**model.state.experiment, **given})
    own = model.translation.program.experiment
    rows = {name: model.state.experiment.get(name, getattr(own, name)) for name in NUMBERS}
    shown = [f"{name}={value:g}" for name, value in rows.items() if value is not None]
    return f"experiment ({', '.join(shown)})" if shown else "experiment with the default values of simulate"


def simulate(model: Model, rest: str) -> str:
    """`simulate stop=10`."""
    from acausal.runs import RunError, RunInterrupted
    from acausal.simulate.system.settings import settings

    words = rest.split()
    steady = "steady" in words
    text = " ".join([word for word in words if word != "steady"])
    options = pairs_in(text, "simulate stop=10, or simulate steady")
    solver = options.pop("solver", "auto")
    numbers = {**model.state.experiment, **_numbers(model, options, "simulate", (*NUMBERS, "solver"))}
    stop, interval, tolerance = map(numbers.get, NUMBERS)
    translation = model.translation
    span = settings(SimulateOptions(stop, interval, tolerance), translation.program.experiment)
    try:
        with running(f"simulating {translation.name}:", span.start, span.stop, model.shown) as progress:
            result = translation.simulate(
                stop=stop,
                interval=interval,
                tolerance=tolerance,
                solver=solver,
                steady=steady,
                parameters=model.state.parameters,
                inputs=model.present_inputs,
                progress=progress,
            )
    except (RunError, RunInterrupted) as error:
        model.state = replace(model.state, last=error.result)
        raise
    model.state = replace(model.state, last=result)
    return f"{result.summary}\n{render(Report(result.notes))}"


def _numbers(model: Model, pairs: dict[str, str], command: str, known: tuple[str, ...]) -> dict[str, float]:
    """Values of options; UsageError F010 for an unknown option."""
    wrong = [name for name in pairs if name not in known]
    if wrong:
        raise misunderstood(f"unknown option of {command}: {wrong[0]}", f"the options are {', '.join(known)}")
    return {name: _number(model, name, text, UNITS.get(name)) for name, text in pairs.items()}


def _number(model: Model, name: str, text: str, unit: str | None) -> float:
    return number_of(name, text, Names(model, f"the value of {name} must be a number"), unit)
