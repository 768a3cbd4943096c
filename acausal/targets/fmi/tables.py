"""Tables of an FMU's variables in C."""

from collections.abc import Iterable, Sequence
from math import isfinite

from acausal.ir.program.program import Program
from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.kernel.signature import fields
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.targets.c.structures.fixed_run import default_span
from acausal.targets.fmi.content import Content
from acausal.targets.fmi.grouping import FmuVariable
from acausal.targets.fmi.interfaces import Interfaces

_CONDITIONS = {
    "assert": "FMU_ASSERT",
    "terminate": "FMU_TERMINATE",
    "integer": "FMU_WHOLE",
    "redundant": "FMU_REDUNDANT",
}
TOLERANCE = 1e-6
"""The relative tolerance where neither the importer nor the model says one."""
MUCH = 10.0
"""Errors of what is delayed, in tolerances, of which Model Exchange warns."""


def macros(content: Content, interfaces: Interfaces, sets: Sequence[Program], matrix: NewtonMatrix | None) -> str:
    """Macros that the structures of the C code depend on; `matrix` is that of the solver of Co-Simulation."""
    program = sets[0]
    lines = {
        "FMU_TOKEN": c_string(content.token),
        "FMU_VARIABLES": len(content.variables),
        "FMU_MODEL_EXCHANGE": int(interfaces.model_exchange),
        "FMU_CO_SIMULATION": int(interfaces.co_simulation),
        "FMU_SPAN": number(default_span(program)),
        "FMU_TOLERANCE": number(program.experiment.tolerance or TOLERANCE),
        "FMU_START_INPUTS": len(_start_inputs(content)),
        "FMU_WAVES": len(program.waves),
        "FMU_DELAYS": len(program.delays),
        "FMU_MUCH": number(MUCH),
        "FMU_STATE_SETS": len(sets),
        "FMU_INDICATORS": content.indicators,
    }
    if matrix is not None:
        lines |= {"FMU_BAND": int(matrix.kind == "band"), "FMU_LOWER": matrix.lower, "FMU_UPPER": matrix.upper}
        lines["FMU_LASTING"] = matrix.lasting
    if program.followed:
        record = {"FMU_BY_STEPS": "by_steps", "FMU_POINTS": "count", "FMU_IS_PREDICTED": "is_predicted"}
        lines |= {name: program.memory + fields(BranchRecord)[field][0] for name, field in record.items()}
    return "".join([f"#define {name} {value}\n" for name, value in lines.items()])


def tables(content: Content, sets: Sequence[Program]) -> str:
    """Variables with their places, texts, states and conditions."""
    program = sets[0]
    places: list[str] = []
    variables = []
    texts: list[str] = []
    for v in content.variables:
        variables.append(f"{{FMU_{v.attributes.type.upper()}, {_access(v)}, {len(places)}, {len(v.places)}}}")
        for p in v.places:
            places.append(f"{{FMU_{p.kind.upper()}, {p.position}, {number(p.sign)}, {number(p.value)}}}")
        if v.places[0].kind == "text":
            texts += [c_string(str(x)) for x in v.start]
    nominals = [str(at) for number, one in enumerate(sets) for at in _nominals(one, is_first=number == 0)]
    starts = [str(-1 if position is None else position) for position in content.starts]
    conditions = [f"{{{_CONDITIONS[c.kind]}, {c.position}, {c_string(c.text)}}}" for c in program.conditions]
    inputs = [f"{{FMU_INPUT, {position}, 1.0, {number(value)}}}" for position, value in _start_inputs(content)]
    waves = [str(wave.rate) for wave in program.waves]
    return "\n".join(
        [
            _table("fmu_place", "fmu_places", places, "{FMU_TIME, 0, 1.0, 0.0}"),
            _table("fmu_variable", "fmu_variables", variables, ""),
            _table("char *const", "fmu_texts", texts, "NULL"),
            _table("int", "fmu_state_order", [str(i) for i in content.state_order], "0"),
            _table("int", "fmu_nominals", nominals, "-1"),
            _table("int", "fmu_starts", starts, "-1"),
            _table("fmu_condition", "fmu_conditions", conditions, "{FMU_ASSERT, 0, NULL}"),
            _table("fmu_place", "fmu_start_inputs", inputs, "{FMU_TIME, 0, 1.0, 0.0}"),
            _table("int", "fmu_waves", waves, "0"),
            "",
        ]
    )


def _nominals(program: Program, *, is_first: bool) -> list[int]:
    """Positions in p of the nominal values of the states, else -1; p is that of the first set."""
    found = [-1 if slot.nominal is None else slot.nominal for slot in program.state_slots]
    return [at if is_first or at < len(program.parameter_slots) else -1 for at in found]


def _table(kind: str, name: str, rows: Sequence[str], empty: str) -> str:
    """An array, which in C is never empty."""
    return f"static const {kind} {name}[] = {{\n" + ",\n".join([f"    {row}" for row in rows or [empty]]) + "\n};"


def _access(v: FmuVariable) -> str:
    a = v.attributes
    if a.causality == "parameter":
        return "FMU_TUNABLE" if a.variability == "tunable" else "FMU_FIXED"
    if a.causality == "input":
        return "FMU_CONTINUOUS_INPUT" if a.variability == "continuous" else "FMU_DISCRETE_INPUT"
    return "FMU_FIXED" if v.places[0].kind == "state" and a.initial == "exact" else "FMU_NEVER"


def _start_inputs(content: Content) -> list[tuple[int, float]]:
    """Positions in u of inputs that do not start at 0, with their values."""
    found: list[tuple[int, float]] = []
    for v in content.variables:
        if v.attributes.causality == "input":
            pairs: Iterable[tuple[object, object]] = zip([p.position for p in v.places], v.start, strict=True)
            found += [(i, x) for i, x in pairs if isinstance(i, int) and isinstance(x, float) and x != 0.0]
    return found


def number(value: float) -> str:
    """A number in C."""
    if isfinite(value):
        return repr(float(value))
    return "NAN" if value != value else "INFINITY" if value > 0.0 else "-INFINITY"


def c_string(text: str) -> str:
    """A string literal of ASCII characters; others are escaped as bytes of UTF-8."""
    escapes = [
        c if 32 <= ord(c) < 127 and c not in '"\\?' else "".join(f"\\{b:03o}" for b in c.encode("utf-8", "replace"))
        for c in text
    ]
    return '"' + "".join(escapes) + '"'
