"""`Translation.export`: the files of a target, written."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.writing import save_bytes
from acausal.targets.target_options import TargetOptions
from acausal.targets.target_table import target_named
from acausal.targets.unsupported import unsupported

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel


def export(model: "CompiledModel", name: str, output: Path, options: TargetOptions) -> tuple[Path, ...]:
    """Write the files of a target; their paths, that of `output` first.

    UsageError F006 for an unknown target or option, F008 for another suffix or where a file cannot be written;
    ModelError F040 for a part of the model that the target cannot express. Nothing is written then.
    """
    target = target_named(name, options)
    if output.suffix != target.suffix or output.stem.startswith("."):
        message = f"{output}: a file of the target {name} ends in {target.suffix}"
        raise UsageError(Diagnostic("F008", message, help=f"-o {output.stem or 'model'}{target.suffix}"))
    program = model.program
    if program.units:
        raise unsupported(name, "functional mock-up units", program.units[0].origin)
    files = target.load()(model, output.stem, options)
    written = [(output.with_suffix(suffix), content) for suffix, content in files.items()]
    for path, content in written:
        save_bytes(path, content.encode("utf-8") if isinstance(content, str) else content)
    return tuple([path for path, _ in written])
