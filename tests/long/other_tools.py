"""FMUs of other tools as submodels, next to closed forms and to FMPy.

    python -m tests.long.other_tools FOLDER...

Each FOLDER has FMUs: those that the CMake files of github.com/modelica/Reference-FMUs make (FMI 2 and 3), and those of
Dymola in `tests/resources` of github.com/CATIA-Systems/FMPy. Inputs have their start values but for those named in
`SIGNALS`. Model Exchange is compared away from events with a closed form where there is one, else with FMPy's CVODE at
a tolerance of 1e-10, or with SciPy's Radau where nominal values of 0 stop that of FMPy; Co-Simulation at all times of
communication with FMPy. Exit code 1 if any differs by more than 1e-5 of its size.
"""

import ctypes
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import acausal
from acausal.base.diagnostics import ModelError

STEPS = 50
NEAR = 1e-6
"""Times as near to an event, or to a time where inputs jump, are not compared."""
TOLERANCE = 1e-5
BY_SCIPY = ("Controller", "Drivetrain")
"""FMUs whose nominal values are 0."""
STOPS = {"BouncingBall": 2.5, "Ball": 1.7, "Bounce": 1.0, "Ticker": 3.0, "VanDerPol": 20.0, "Dahlquist": 10.0}
STOPS |= {"Stair": 8.5}
SIGNALS: dict[str, dict[str, str]] = {
    "Ball": {"reset": "time > 0.3"},
    "Controller": {"u_s": "1.0", "u_m": "0.3"},
    "Drivetrain": {"tau": "1.0"},
    "Feedthrough": {
        "Float64_continuous_input": "sin(time)",
        "Float64_discrete_input": "if time > 0.4 then 2.5 else 1",
        "Int32_input": "if time > 0.4 then 7 else -3",
        "Boolean_input": "time > 0.4",
        "Enumeration_input": "if time > 0.4 then 2 else 1",
    },
}
"""Inputs that do not have their start values."""
REJECTED = {"Clocks": "Scheduled Execution"}
"""FMUs that are not supported, and the words that name the reason."""
Forms = Mapping[str, Callable[[np.ndarray], np.ndarray]]


def closed_forms(stem: str) -> Forms:
    """Variables by time; nothing for those that only FMPy knows."""
    if stem == "Dahlquist":
        return {"x": lambda t: np.exp(-t)}
    if stem == "Stair":
        return {"counter": lambda t: 1.0 + np.floor(t)}
    if stem == "Ticker":
        return {"ticks": np.floor}
    if stem == "Resource":
        return {"y": lambda t: np.full_like(t, float(ord("a")))}
    if stem == "VanDerPol":
        run = solve_ivp(_van_der_pol, (0.0, 20.0), (2.0, 0.0), rtol=1e-12, atol=1e-12, dense_output=True)
        return {"x0": lambda t: run.sol(t)[0], "x1": lambda t: run.sol(t)[1]}
    if stem == "BouncingBall":
        return {"h": np.vectorize(_height)}
    if stem == "StateSpace":  # der(x) = x + u, y = x + u with u = 1, 2, 3 and x = 0 at the start
        return {f"y[{k}]": lambda t, k=k: k * np.exp(t) for k in (1, 2, 3)}
    if stem == "Feedthrough":
        return {name: lambda t, name=name: _feedthrough(name, t) for name in _FED}
    return {}


_FED = ("Float64_continuous", "Float64_discrete", "Int32", "Boolean", "Enumeration")


def _feedthrough(name: str, t: np.ndarray) -> np.ndarray:
    later = t > 0.4
    values = {"Float64_discrete": (1.0, 2.5), "Int32": (-3.0, 7.0), "Boolean": (0.0, 1.0), "Enumeration": (1.0, 2.0)}
    return np.sin(t) if name == "Float64_continuous" else np.where(later, values[name][1], values[name][0])


def _van_der_pol(_: float, x: Any) -> list[float]:
    return [x[1], (1.0 - x[0] ** 2) * x[1] - x[0]]


def _height(t: float) -> float:
    """A ball from 1 m with e = 0.7, which rests from a speed below 0.1 m/s on."""
    g, e = 9.81, 0.7
    begin, v = math.sqrt(2.0 / g), math.sqrt(2.0 * g) * e
    if t < begin:
        return 1.0 - g * t * t / 2.0
    while v > 0.1:
        flight = 2.0 * v / g
        if t < begin + flight:
            return v * (t - begin) - g * (t - begin) ** 2 / 2.0
        begin, v = begin + flight, v * e
    return 0.0


# ------------------------------------------------------------ runs


def inputs_of(stem: str, about: Any) -> dict[str, str]:
    """Texts of the inputs that are numbers, all elements of arrays."""
    given = SIGNALS.get(stem, {})
    found: dict[str, str] = {}
    for v in about.modelVariables:
        if v.causality != "input" or v.type in ("String", "Binary", "Clock"):
            continue
        if getattr(v, "dimensions", None):
            found |= {f"{v.name}[{k}]": word for k, word in enumerate(str(v.start).split(), 1)}
        else:
            usual = ("true" if v.start in ("true", "1") else "false") if v.type == "Boolean" else str(v.start or 0)
            found[v.name] = given.get(v.name, usual)
    return found


def ours(file: Path, stem: str, kind: str, about: Any, stop: float) -> acausal.Result:
    """The FMU as a submodel."""
    interval = "" if kind == "fmu_me" else f"(fmu_interval={stop / STEPS!r})"
    lines = [f"  p.{name} = {text}" for name, text in inputs_of(stem, about).items()]
    text = "\n".join(["model U", f'  submodel ({kind} "{file}") p{interval}', *lines, "end", ""])
    return acausal.translate(text, cache=False).simulate(stop=stop, interval=stop / STEPS, tolerance=1e-9)


def compared(file: Path, stem: str, kind: str, about: Any) -> tuple[str, float]:
    """How far the FMU is from what it is compared with."""
    import fmpy

    stop = STOPS.get(stem, 1.0)
    run = ours(file, stem, kind, about, stop)
    times = np.asarray(run.time)
    events = np.array([*[e.time for e in run.events], 0.3, 0.4])
    forms = closed_forms(stem) if kind == "fmu_me" else {}
    names = {name.removeprefix("p.").split("[")[0] for name in run}
    outputs = [v.name for v in about.modelVariables if v.causality == "output" and v.name in names]
    known: dict[str, np.ndarray]
    at = times
    if forms:
        suffix = "_output" if stem == "Feedthrough" else ""
        known = {f"{name}{suffix}": form(times) for name, form in forms.items()}
    elif kind == "fmu_me" and stem in BY_SCIPY:
        known = by_scipy(file, about, {name: float(text) for name, text in SIGNALS[stem].items()}, outputs, times)
    else:
        own = fmpy.simulate_fmu(
            str(file),
            validate=False,
            fmi_type="ModelExchange" if kind == "fmu_me" else "CoSimulation",
            start_time=0.0,
            stop_time=stop,
            output_interval=stop / STEPS,
            relative_tolerance=1e-10,
            record_events=False,
            output=outputs,
            input=_signals(stem, about, stop),
        )
        at = np.asarray(own["time"])
        known = dict(_columns(own, outputs))
    worst, count = 0.0, 0
    for name, values in known.items():
        column, size = np.asarray(run[f"p.{name}"], dtype=float), float(np.abs(values).max()) + 1e-6
        for t, value in zip(at, values, strict=True):
            if kind == "fmu_me" and np.abs(events - t).min() < NEAR:
                continue
            rows = np.flatnonzero(np.abs(times - t) < 1e-9)
            if len(rows):
                worst, count = max(worst, abs(float(column[rows[-1]]) - float(value)) / size), count + 1
    assert count, "nothing was compared"
    return f"{'closed form' if forms else 'FMPy'}: {worst:.2g} in {count} values, {len(run.events)} events", worst


def by_scipy(file: Path, about: Any, inputs: dict[str, float], outputs: list[str], times: np.ndarray) -> Any:
    """Outputs of an FMU for Model Exchange (FMI 2) without events, whose rates SciPy integrates."""
    import fmpy
    from fmpy.fmi2 import FMU2Model

    folder = fmpy.extract(str(file))
    fmu = FMU2Model(
        guid=about.guid, unzipDirectory=folder, modelIdentifier=about.modelExchange.modelIdentifier, instanceName="p"
    )
    references = {v.name: v.valueReference for v in about.modelVariables}
    n = about.numberOfContinuousStates
    states, rates = (ctypes.c_double * n)(), (ctypes.c_double * n)()
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.setReal([references[name] for name in inputs], list(inputs.values()))
    fmu.exitInitializationMode()
    fmu.newDiscreteStates()
    fmu.enterContinuousTimeMode()
    fmu.getContinuousStates(states, n)

    def rate(t: float, x: np.ndarray) -> list[float]:
        fmu.setTime(t)
        states[:] = list(x)
        fmu.setContinuousStates(states, n)
        fmu.getDerivatives(rates, n)
        return list(rates)

    def values(t: float) -> list[float]:
        rate(t, run.sol(t))
        return list(fmu.getReal([references[name] for name in outputs]))

    run = solve_ivp(rate, (0.0, times[-1]), list(states), "Radau", rtol=1e-9, atol=1e-12, dense_output=True)
    found = np.array([values(float(t)) for t in times])
    fmu.terminate()
    fmu.freeInstance()
    return {name: found[:, i] for i, name in enumerate(outputs)}


def _columns(own: Any, outputs: list[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Columns of FMPy, those of arrays element by element."""
    for name in outputs:
        values = np.asarray(own[name], dtype=float)
        yield from [(name, values)] if values.ndim == 1 else [(f"{name}[{k + 1}]", c) for k, c in enumerate(values.T)]


def _signals(stem: str, about: Any, stop: float) -> Any:
    """Inputs as FMPy takes them: those that jump do so at 0.3 s."""
    given = SIGNALS.get(stem, {})
    if stem != "Ball":
        return _constant(stem, about)
    rows = [(0.0, False), (0.3, False), (0.3, True), (stop, True)]
    return np.array(rows, dtype=[("time", np.float64), *[(name, np.bool_) for name in given]])


def _constant(stem: str, about: Any) -> Any:
    names = [name for name in inputs_of(stem, about) if "[" not in name]
    kinds = {v.name: v.type for v in about.modelVariables}
    if not names or stem == "Feedthrough":
        return None
    columns = [(name, np.float64 if kinds[name] in ("Real", "Float64") else np.int32) for name in names]
    return np.array([(0.0, *[float(inputs_of(stem, about)[n]) for n in names])], dtype=[("time", np.float64), *columns])


def checks(folders: list[Path]) -> Iterator[tuple[str, bool]]:
    """A line for each FMU and interface."""
    import fmpy

    for file in sorted(path for folder in folders for path in folder.glob("*.fmu")):
        about = fmpy.read_model_description(str(file), validate=False)
        head = f"{file.stem:14s} FMI {about.fmiVersion}"
        if file.stem in REJECTED:
            try:
                ours(file, file.stem, "fmu", about, 1.0)
            except ModelError as error:
                message = error.report.diagnostics[0].message
                yield f"{head} rejected: {message}", REJECTED[file.stem] in message
            else:
                yield f"{head} is not rejected", False
            continue
        for kind, has in (("fmu_me", about.modelExchange), ("fmu_cs", about.coSimulation)):
            if has is None:
                continue
            if kind == "fmu_cs" and file.stem == "Feedthrough":
                continue  # its inputs are no table
            try:
                line, worst = compared(file, file.stem, kind, about)
            except Exception as failure:  # whatever it is, it is reported
                yield f"{head} {kind} {type(failure).__name__}: {failure}", False
                continue
            yield f"{head} {kind} {line}", worst <= TOLERANCE


def main(folders: list[Path]) -> int:
    """All FMUs of these folders."""
    warnings.simplefilter("ignore")
    failed = 0
    for line, good in checks(folders):
        failed += not good
        print(line + ("" if good else "   DIFFERS"), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main([Path(word).resolve() for word in sys.argv[1:]]))
