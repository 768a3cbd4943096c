"""The targets `fmi2` and `fmi3`: an archive with the model description, sources and binaries."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.program.program import Program
from acausal.simulate.jacobian.storage import NewtonMatrix, choose_matrix, dense_matrix
from acausal.targets.fmi.archive import archive
from acausal.targets.fmi.compilers import chosen_platforms, compile_library, compiler_for, platform_of
from acausal.targets.fmi.content import Content, content_of
from acausal.targets.fmi.core import core_files
from acausal.targets.fmi.description2 import description2
from acausal.targets.fmi.description3 import build_description, description3
from acausal.targets.fmi.interfaces import Interfaces
from acausal.targets.fmi.sources import core_prefix, source_files, source_names
from acausal.targets.fmi.start_values import with_calculated_states, with_start_parameters
from acausal.targets.fmi.state_names import with_common_states
from acausal.targets.fmi.terminals import terminals
from acausal.targets.state_sets import as_exported, state_sets
from acausal.targets.target_options import TargetOptions

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel

FMI2, FMI3 = 2, 3
INTERFACES = {"me": (True, False), "cs": (False, True), "both": (True, True)}
"""By kind: Model Exchange, Co-Simulation."""


def fmi2_files(model: "CompiledModel", name: str, options: TargetOptions) -> Mapping[str, str | bytes]:
    """An FMU of FMI 2.0."""
    return {".fmu": archive(fmu_files(model, name, options, FMI2))}


def fmi3_files(model: "CompiledModel", name: str, options: TargetOptions) -> Mapping[str, str | bytes]:
    """An FMU of FMI 3.0."""
    return {".fmu": archive(fmu_files(model, name, options, FMI3))}


def fmu_files(model: "CompiledModel", name: str, options: TargetOptions, version: int) -> dict[str, str | bytes]:
    """Everything in the archive by its path."""
    platforms = () if options.source_only else chosen_platforms(options.platforms)
    if options.source_only and options.platforms:
        raise UsageError(
            Diagnostic("F006", "--platform and --source-only are mutually exclusive", help="omit one of them")
        )
    for platform in platforms:
        compiler_for(platform)  # an error now, before anything is made
    sets = state_sets(model, f"fmi{version}")
    slots = with_common_states(sets).state_slots
    given = with_start_parameters(model) if len(sets) == 1 else with_calculated_states(model, slots)
    sets = (as_exported(given.model.program, model), *sets[1:])
    kinds = INTERFACES[options.kind or "both"]
    interfaces = Interfaces(*kinds, source_names(kinds[1]))
    content = content_of(given, name, version, sets[1:])
    matrix = _matrix(model, sets) if interfaces.co_simulation else None
    core = core_files(sets, given.model.folded, core_prefix(content), matrix)
    content = replace(content, token=_token(content, interfaces, core, version))
    sources = source_files(content, interfaces, sets, core, version, matrix)
    description = description2 if version == FMI2 else description3
    found: dict[str, str | bytes] = {"modelDescription.xml": description(content, interfaces)}
    found |= {f"sources/{path}": text for path, text in sources.items()}
    if version == FMI3:
        found["sources/buildDescription.xml"] = build_description(content, interfaces)
        found |= _terminals(model, content)
    for platform in platforms:
        target = platform_of(platform)
        path = f"binaries/{target.folders[version - FMI2]}/{content.identifier}{target.suffix}"
        found[path] = compile_library(platform, sources, interfaces.sources, content.identifier)
    return found


def _matrix(model: "CompiledModel", sets: tuple[Program, ...]) -> NewtonMatrix:
    """The matrix of the solver of Co-Simulation: dense where it serves several sets of states."""
    if len(sets) > 1:
        return dense_matrix(len(sets[0].state_slots))
    return choose_matrix(model.executable, _has_no_sparse)


def _has_no_sparse() -> bool:
    """The solver of FMUs has dense and band matrices."""
    return False


def _terminals(model: "CompiledModel", content: Content) -> dict[str, str | bytes]:
    text = terminals(model.stages.flat, content)
    return {} if text is None else {"terminalsAndIcons/terminalsAndIcons.xml": text}


def _token(content: Content, interfaces: Interfaces, core: dict[str, str], version: int) -> str:
    """A GUID from all that the FMU says and computes."""
    description = (description2 if version == FMI2 else description3)(replace(content, token=""), interfaces)
    digest = sha256("\n".join([description, *core.values()]).encode("utf-8", "replace")).hexdigest()
    return f"{{{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}}}"
