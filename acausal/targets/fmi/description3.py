"""modelDescription.xml, buildDescription.xml and terminalsAndIcons.xml of FMI 3.0."""

from collections.abc import Mapping

from acausal.ir.names import Symbol
from acausal.targets.fmi.content import CATEGORIES, TOOL, Content, Unknown, state_of
from acausal.targets.fmi.description2 import experiment, ranges, typed, units
from acausal.targets.fmi.grouping import FmuVariable
from acausal.targets.fmi.interfaces import Interfaces
from acausal.targets.fmi.xml_text import document, element, shown

_TYPES = {"real": "Float64", "integer": "Int32", "boolean": "Boolean", "string": "String"}


def description3(content: Content, interfaces: Interfaces) -> str:
    """The document."""
    attributes = (
        ("fmiVersion", "3.0"),
        ("modelName", content.name),
        ("instantiationToken", content.token),
        ("generationTool", TOOL),
        ("variableNamingConvention", "structured"),
    )
    categories = [
        line for name, text in CATEGORIES for line in element("Category", (("name", name), ("description", text)))
    ]
    body = [
        *_interfaces(content, interfaces),
        *units(content),
        *element("LogCategories", (), categories),
        *experiment(content),
        *element("ModelVariables", (), _variables(content)),
        *element("ModelStructure", (), _structure(content, interfaces)),
    ]
    return document(element("fmiModelDescription", attributes, body))


def build_description(content: Content, interfaces: Interfaces) -> str:
    """Build description: the sources and how they are compiled."""
    files = [line for name in interfaces.sources for line in element("SourceFile", (("name", name),))]
    flags = element("SourceFileSet", (("language", "C99"), ("compilerOptions", "-ffp-contract=off")), files)
    configuration = element("BuildConfiguration", (("modelIdentifier", content.identifier),), flags)
    return document(element("fmiBuildDescription", (("fmiVersion", "3.0"),), configuration))


def _interfaces(content: Content, interfaces: Interfaces) -> list[str]:
    common: tuple[tuple[str, object], ...] = (
        ("modelIdentifier", content.identifier),
        ("canGetAndSetFMUState", True),
        ("canSerializeFMUState", True),
        ("providesDirectionalDerivatives", True),
        ("providesAdjointDerivatives", True),
    )
    found = []
    if interfaces.model_exchange:
        found += element("ModelExchange", (*common, ("needsCompletedIntegratorStep", True)))
    if interfaces.co_simulation:
        names = ("canHandleVariableCommunicationStepSize", "mightReturnEarlyFromDoStep", "hasEventMode")
        found += element("CoSimulation", (*common, *[(name, True) for name in names]))
    return found


def _variable(content: Content, v: FmuVariable, owners: Mapping[Symbol, int]) -> list[str]:
    a = v.attributes
    rate = v.symbols[0] if v.symbols and v.symbols[0][1] > 0 else None
    state = None if rate is None else owners.get(state_of(rate))
    is_state = bool(v.symbols) and v.symbols[0] in owners
    values = [typed(a.type, x) for x in v.start]
    inner: list[str] = []
    for size in v.dimensions:
        inner += element("Dimension", (("start", size),))
    if a.type == "string":
        for value in values:
            inner += element("Start", (("value", value),))
    for alias in v.aliases:
        inner += element("Alias", (("name", alias.name), ("description", alias.attributes.description)))
    head = (
        ("name", v.name),
        ("valueReference", v.reference),
        ("description", a.description),
        ("causality", a.causality),
        ("variability", a.variability),
        ("initial", a.initial if a.causality not in ("input", "independent") else None),
        *ranges(a),
        ("start", " ".join([shown(x) for x in values]) if values and a.type != "string" else None),
        ("derivative", state),
        ("reinit", True if is_state and content.reinitializes else None),
    )
    return element(_TYPES[a.type], head, inner)


def _variables(content: Content) -> list[str]:
    wanted = {state_of(s) for u in content.derivatives for s in content.variables[u.variable].symbols}
    owners = {s: v.reference for v in content.variables for s in v.symbols if s in wanted}
    return [line for v in content.variables for line in _variable(content, v, owners)]


def _structure(content: Content, interfaces: Interfaces) -> list[str]:
    found: list[str] = []
    for name, unknowns in (
        ("Output", content.outputs),
        ("ContinuousStateDerivative", content.derivatives),
        ("InitialUnknown", content.initial),
    ):
        for u in unknowns:
            found += element(name, _unknown(u))
    if interfaces.model_exchange:
        for v in content.variables:
            if v.places[0].kind == "indicator":
                found += element("EventIndicator", (("valueReference", v.reference),))
    return found


def _unknown(u: Unknown) -> tuple[tuple[str, object], ...]:
    of = None if u.dependencies is None else " ".join([str(r) for r in u.dependencies])
    return ("valueReference", u.variable), ("dependencies", of)
