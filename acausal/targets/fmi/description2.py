"""modelDescription.xml of FMI 2.0."""

from acausal.targets.fmi.content import CATEGORIES, TOOL, Content, Unknown, state_of
from acausal.targets.fmi.elements import Attributes
from acausal.targets.fmi.grouping import FmuVariable
from acausal.targets.fmi.interfaces import Interfaces
from acausal.targets.fmi.units import fmu_unit
from acausal.targets.fmi.xml_text import document, element

_TYPES = {"real": "Real", "integer": "Integer", "boolean": "Boolean", "string": "String"}


def description2(content: Content, interfaces: Interfaces) -> str:
    """The document; the index of a variable is its value reference + 1, aliases are behind all others."""
    attributes = (
        ("fmiVersion", "2.0"),
        ("modelName", content.name),
        ("guid", content.token),
        ("generationTool", TOOL),
        ("variableNamingConvention", "structured"),
        ("numberOfEventIndicators", content.indicators if interfaces.model_exchange else None),
    )
    body = [
        *_interfaces(content, interfaces),
        *units(content),
        *element("LogCategories", (), [line for c in CATEGORIES for line in element("Category", _category(c))]),
        *experiment(content),
        *element("ModelVariables", (), _variables(content)),
        *element("ModelStructure", (), _structure(content)),
    ]
    return document(element("fmiModelDescription", attributes, body))


def _category(category: tuple[str, str]) -> tuple[tuple[str, object], ...]:
    return ("name", category[0]), ("description", category[1])


def _interfaces(content: Content, interfaces: Interfaces) -> list[str]:
    files = element("SourceFiles", (), [x for f in interfaces.sources for x in element("File", (("name", f),))])
    found = []
    common: tuple[tuple[str, object], ...] = (
        ("canGetAndSetFMUstate", True),
        ("canSerializeFMUstate", True),
        ("providesDirectionalDerivative", True),
    )
    if interfaces.model_exchange:
        found += element("ModelExchange", (("modelIdentifier", content.identifier), *common), files)
    if interfaces.co_simulation:
        steps = ("canHandleVariableCommunicationStepSize", True)
        found += element("CoSimulation", (("modelIdentifier", content.identifier), steps, *common), files)
    return found


def units(content: Content) -> list[str]:
    """The units of the variables."""
    given = [v.attributes.unit for v in content.variables]
    lines = []
    for unit in [fmu_unit(name) for name in dict.fromkeys(given) if name is not None]:
        inner = []
        if unit.exponents is not None:
            scale = (("factor", unit.factor if unit.factor != 1.0 else None), ("offset", unit.offset or None))
            inner = element("BaseUnit", (*unit.exponents, *scale))
        for name, factor, offset in unit.displayed:
            inner += element("DisplayUnit", (("name", name), ("factor", factor), ("offset", offset or None)))
        lines += element("Unit", (("name", unit.name),), inner)
    return element("UnitDefinitions", (), lines) if lines else []


def experiment(content: Content) -> list[str]:
    """The default experiment."""
    e = content.experiment
    given = (("startTime", e.start), ("stopTime", e.stop), ("tolerance", e.tolerance), ("stepSize", e.interval))
    return element("DefaultExperiment", [(name, None if value is None else float(value)) for name, value in given])


def _variables(content: Content) -> list[str]:
    owners = {symbol: v.reference for v in content.variables for symbol in v.symbols}
    states = {
        content.variables[owners[state_of(s)]].reference for u in content.derivatives for s in _symbols(content, u)
    }
    lines: list[str] = []
    for v in content.variables:
        rate = v.symbols[0] if v.symbols and v.symbols[0][1] > 0 else None
        state = None if rate is None else owners.get(state_of(rate))
        derivative = state + 1 if state is not None and state in states else None
        reinit = True if v.reference in states and content.reinitializes else None
        lines += _scalar(v.name, v.reference, v.attributes, (_start(v), derivative, reinit))
    for v in content.variables:
        for alias in v.aliases:
            lines += _scalar(alias.name, v.reference, alias.attributes, (None, None, None))
    return lines


def _symbols(content: Content, unknown: Unknown) -> tuple[tuple[tuple[str | int, ...], int], ...]:
    return content.variables[unknown.variable].symbols


def _start(v: FmuVariable) -> object:
    return typed(v.attributes.type, v.start[0]) if v.start else None


def typed(kind: str, value: float | str) -> object:
    """A value as one of its type."""
    if kind == "string" or isinstance(value, str):
        return value
    return bool(value) if kind == "boolean" else round(value) if kind == "integer" else float(value)


def _scalar(name: str, reference: int, a: Attributes, given: tuple[object, object, object]) -> list[str]:
    start, derivative, reinit = given
    head = (
        ("name", name),
        ("valueReference", reference),
        ("description", a.description),
        ("causality", a.causality),
        ("variability", a.variability),
        ("initial", a.initial if a.causality not in ("input", "independent") else None),
    )
    return element(
        "ScalarVariable",
        head,
        element(_TYPES[a.type], [*ranges(a), ("start", start), ("derivative", derivative), ("reinit", reinit)]),
    )


def ranges(a: Attributes) -> list[tuple[str, object]]:
    """Unit, least, greatest and nominal value."""
    if a.type == "integer":
        return [("min", None if a.low is None else round(a.low)), ("max", None if a.high is None else round(a.high))]
    if a.type != "real":
        return []
    nominal = a.nominal if a.nominal is not None and a.nominal > 0.0 else None
    return [("unit", a.unit), ("min", a.low), ("max", a.high), ("nominal", nominal)]


def _structure(content: Content) -> list[str]:
    found = []
    for name, unknowns in (
        ("Outputs", content.outputs),
        ("Derivatives", content.derivatives),
        ("InitialUnknowns", content.initial),
    ):
        if unknowns:
            found += element(name, (), [line for u in unknowns for line in element("Unknown", _unknown(u))])
    return found


def _unknown(u: Unknown) -> tuple[tuple[str, object], ...]:
    of = None if u.dependencies is None else " ".join([str(r + 1) for r in u.dependencies])
    return ("index", u.variable + 1), ("dependencies", of)
