"""An archive -> its model description; every mistake of the file is an `FmuError` or a ModelError F050 in its XML."""

from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.imports.fmu.archive import DESCRIPTION, MOST_DESCRIPTION, Archive, FmuError
from acausal.imports.fmu.description import Interface, ModelDescription
from acausal.imports.fmu.structure import read_structure
from acausal.imports.fmu.variables import flag, number, read_variables, text
from acausal.imports.text.elements import Document, Element, read_elements

_KIND = Document("F050", "a model description", "fmiModelDescription")
MOST_TEXT = 2_000
"""Characters of a name or token."""


def read_description(archive: Archive, shown: str, limits: Limits) -> ModelDescription:
    """The model description; `shown` names the FMU in messages."""
    data = archive.read(DESCRIPTION, MOST_DESCRIPTION)
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FmuError(f"its {DESCRIPTION} is not UTF-8 text", "export the FMU again") from None
    if "\0" in content:
        raise FmuError(f"its {DESCRIPTION} contains a NUL character", "export the FMU again")
    root = read_elements(SourceFile(f"{shown}/{DESCRIPTION}", content), _KIND, limits)
    if root.tag != _KIND.root:
        raise root.fault(f"the root element is <{root.tag}>, not <{_KIND.root}>")
    return _described(root, archive, limits)


def _described(root: Element, archive: Archive, limits: Limits) -> ModelDescription:
    version = _version(root)
    variables = read_variables(root, version, limits)
    structure = read_structure(root, version, variables)
    experiment = next(root.all("DefaultExperiment"), None)
    times = [None if experiment is None else number(experiment, key) for key in ("startTime", "stopTime", "stepSize")]
    exchange, cosimulation = _interface(root, "ModelExchange"), _interface(root, "CoSimulation")
    if exchange is None and cosimulation is None:
        raise _without_interface(root)
    return ModelDescription(
        version,
        text(root, "modelName", MOST_TEXT),
        root.attributes.get("description", ""),
        root.attributes.get("generationTool", ""),
        text(root, "guid" if version == 2 else "instantiationToken", MOST_TEXT),
        exchange,
        cosimulation,
        variables,
        structure.outputs,
        structure.states,
        structure.initial,
        structure.indicators,
        times[0],
        times[1],
        times[2],
        tuple(
            dict.fromkeys([f.split("/")[1] for f in archive.files if f.startswith("binaries/") and f.count("/") > 1])
        ),
    )


def _without_interface(root: Element) -> Exception:
    scheduled = next(root.all("ScheduledExecution"), None)
    if scheduled is None:
        return root.fault("the FMU has no Model Exchange and no Co-Simulation", "export one of these interfaces")
    hint = "export the FMU for Model Exchange or Co-Simulation"
    return scheduled.fault("the FMU has Scheduled Execution alone, which is not supported", hint)


def _version(root: Element) -> int:
    found = text(root, "fmiVersion", 100)
    if found == "2.0":
        return 2
    if found == "3.0" or found.startswith("3."):
        return 3
    raise root.fault(f"fmiVersion={found[:20]!r} is not supported", "export the FMU for FMI 2.0 or 3.0")


def _interface(root: Element, tag: str) -> Interface | None:
    element = next(root.all(tag), None)
    if element is None:
        return None
    identifier = text(element, "modelIdentifier", 200)
    if not identifier.isidentifier() or not identifier.isascii():
        raise element.fault(f"modelIdentifier={identifier[:40]!r} is not a name")
    needs = flag(element, "needsCompletedIntegratorStep", default=True)
    skipped = flag(element, "completedIntegratorStepNotNeeded", default=False)
    return Interface(
        identifier,
        flag(element, "canGetAndSetFMUstate", default=False) or flag(element, "canGetAndSetFMUState", default=False),
        needs and not skipped,
        flag(element, "canHandleVariableCommunicationStepSize", default=False),
        flag(element, "needsExecutionTool", default=False),
        flag(element, "providesDirectionalDerivative", default=False)
        or flag(element, "providesDirectionalDerivatives", default=False),
    )
