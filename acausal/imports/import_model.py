"""`acausal.import_model`: the model text for a file of another program."""

from collections.abc import Iterable
from pathlib import Path

from acausal.base.arguments import as_path, as_paths, as_text
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.options import Limits
from acausal.base.report import Report
from acausal.base.source import SourceFile
from acausal.imports.imported_model import ImportedModel
from acausal.imports.text.remarks import Remarks

DEFAULT_LIMITS = Limits()
ROBOTS = (".urdf", ".xml")
NETLISTS = (".cir", ".net", ".sp", ".spi", ".spice", ".ckt")
UNITS = ".fmu"
BASES = ("fixed", "floating", "open")


def import_model(
    file: str | Path,
    *,
    base: str = "fixed",
    path: Iterable[str | Path] = (),
    limits: Limits = DEFAULT_LIMITS,
    text: str | None = None,
    folder: str | Path | None = None,
) -> ImportedModel:
    """The model text for a robot description (.urdf), a SPICE netlist (.cir, .net, .sp, .spice) or an FMU (.fmu).

    Of a robot, the root link is `fixed` to the ground, `floating` or `open`: a cut to connect. Meshes are named
    relative to `folder`, that of the model (default: that of `file`), and are searched beside the description, in the
    folders above it and in those of `path`. The model of an FMU has its inputs and outputs, and names it relative to
    `folder`. A netlist includes files of its own folder and of those in `path` alone.
    With `text`, that of the file is given, and `file` is its name in messages. ModelError F030, F031 with a place
    where the file has a mistake; what is not translated is listed by the `report` of the result.
    """
    place = as_path("file", file)
    if base not in BASES:
        raise UsageError(Diagnostic("F006", f"base={base!r} is unknown", help=f"known: {', '.join(BASES)}"))
    if place.suffix.lower() not in (*ROBOTS, *NETLISTS, UNITS):
        hint = f"known formats: {', '.join((*ROBOTS, *NETLISTS, UNITS))}"
        raise UsageError(Diagnostic("F006", f"{place} has no known format to import", help=hint))
    output = place.parent if folder is None else as_path("folder", folder)
    if place.suffix.lower() == UNITS:
        return _unit(place, output, limits)
    source = _source(place, None if text is None else as_text("text", text), limits)
    folders = tuple(map(Path, as_paths("path", path)))
    if place.suffix.lower() in NETLISTS:
        return _netlist(source, place, folders, limits)
    return _robot(source, place, base, folders, limits, output)


def _source(place: Path, text: str | None, limits: Limits) -> SourceFile:
    from acausal.syntax.read import read_source, within_limit

    if text is None:
        return read_source(place, limits=limits)
    within_limit(text.encode("utf-8", errors="surrogateescape"), str(place), limits)
    return SourceFile(str(place), text)


def _robot(
    source: SourceFile, place: Path, base: str, path: tuple[Path, ...], limits: Limits, output: Path
) -> ImportedModel:
    from acausal.imports.urdf.drawings import MeshFolders
    from acausal.imports.urdf.read import read_robot
    from acausal.imports.urdf.write import class_name_of, header, write_robot

    remarks = Remarks()
    robot = read_robot(source, limits, remarks)
    name = class_name_of(robot)
    written = write_robot(robot, base, MeshFolders(place.parent, output, path), name, remarks)
    return finished([*header(robot, place.name, written.libraries, name, remarks), *written.lines], remarks)


def _unit(place: Path, output: Path, limits: Limits) -> ImportedModel:
    from acausal.imports.fmu.model import fmu_model

    return finished(fmu_model(place, output, limits), Remarks())


def _netlist(source: SourceFile, place: Path, path: tuple[Path, ...], limits: Limits) -> ImportedModel:
    from acausal.imports.spice.read import read_netlist
    from acausal.imports.spice.write import write_netlist

    remarks = Remarks()
    netlist = read_netlist(source, place.parent, path, limits, remarks)
    return finished(write_netlist(netlist, place.name, place.stem, remarks), remarks)


def finished(lines: list[str], remarks: Remarks) -> ImportedModel:
    """The formatted text of lines; an error in it is our own."""
    from acausal.base.diagnostics import InternalError, ModelError
    from acausal.syntax.format import fmt

    text = "".join(f"{line}\n" for line in lines)
    try:
        formatted = fmt(SourceFile("imported", text), Limits(file_length=len(text) * 4 + 1))
    except ModelError as error:
        raise InternalError("import", str(error)) from error
    return ImportedModel(formatted, Report(remarks.diagnostics()))
