"""A run as the command makes it: what can be wrong beforehand, progress, and files of whatever came out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from typer import Exit

from acausal.base.diagnostics import Diagnostic, Report, Severity, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.base.frozen import dataclass
from acausal.cli.plots import PlotFlags
from acausal.cli.process.exit_codes import INTERRUPTED
from acausal.cli.process.session import Session
from acausal.cli.process.streams import ending_signals
from acausal.render.progress import running

if TYPE_CHECKING:
    from acausal.begun_run import BegunRun
    from acausal.checkpointed_run import Checkpoints
    from acausal.ir.program.program import Program
    from acausal.results.recorder import Recorder
    from acausal.results.result import Result

ALL = ("*",)


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """Requested outputs of a run: a file, a figure, the screen (`plot` without a figure), an animation.

    `write` are the names and patterns of what the file is to have (None: the visible variables), `units` asks for the
    second header row of CSV. The result is to be `whole`, with all variables, for checks.
    """

    output: Path | None
    plot: PlotFlags
    animate: Path | None = None
    write: tuple[str, ...] | None = None
    units: bool = False
    whole: bool = False

    def check(self, session: Session) -> None:
        """UsageError for what cannot be done, before time is spent on a run."""
        from acausal.results.write import check_result

        check_result(self.output)
        require_folder(self.animate)
        if self.write == ():
            hint = "give some, as --write 'arm.*,La.i'; --all writes all variables"
            raise UsageError(Diagnostic("F006", "--write needs names or patterns of variables", help=hint))
        if self.output is None and (self.write is not None or self.units):
            flag = "--units" if self.write is None else "--write" if self.write != ALL else "--all"
            raise UsageError(Diagnostic("F006", f"{flag} needs a result file", help="name it: -o FILE.csv"))
        if self.animate is not None:
            from acausal.results.animation.write import check_extension

            check_extension(self.animate)
        self.plot.check(session)

    def check_names(self, program: "Program") -> None:
        """UsageError F005 for a variable to plot that the result will not have, F017 for too many.

        F015 where there is nothing to animate, if nothing else is asked for: it prevents no other output.
        """
        from acausal.results.result import Result

        empty = Result.before(program)
        empty.match(self.write or ())
        self.plot.variables(empty)
        if self.animate is not None and not (self.output or self.plot.plots):
            from acausal.results.animation.build import require_something

            require_something(empty)

    def recorder(self) -> "Recorder":
        """Recorder of the rows of a run: it writes the file, and stores what is plotted and animated."""
        from acausal.results.recorder import Recorder

        return Recorder(self.output, self._written, self._drawn, units=self.units)

    def _written(self, result: "Result") -> tuple[str, ...]:
        return result.visible if self.write is None else result.match(self.write)

    def _drawn(self, result: "Result") -> tuple[str, ...]:
        if self.whole:
            return result.names
        names = self.plot.variables(result)
        if self.animate is None:
            return names
        from acausal.results.animation.build import variables

        return (*names, *result.plotted, *variables(result))

    def write_outputs(self, result: "Result", recorder: "Recorder", session: Session) -> list[str]:
        """Complete the file, plot and animate; the names of the files written."""
        recorder.finish()
        self.plot.show({result.name: result}, session)
        animated = self.animate is not None and self._animate(result, self.animate)
        files = self.output, self.plot.figure, self.animate if animated else None
        return [str(path) for path in files if path is not None]

    def _animate(self, result: "Result", path: Path) -> bool:
        """Write the animation; a note of the result says why there is none."""
        try:
            result.animate(path)
        except UsageError as error:
            if any(d.code != "F015" for d in error.report.diagnostics):
                raise
            warnings = [replace(d, severity=Severity.WARNING) for d in error.report.diagnostics]
            result.notes = (*result.notes, *warnings)
            return False
        return True

    def write_partial(self, result: "Result", recorder: "Recorder", session: Session) -> list[str]:
        """Write what there is of a run that did not reach its end; the names of the files written."""
        if not len(result.time):
            return []
        requested = replace(self, plot=self.plot if self.plot.figure else PlotFlags())
        return requested.write_outputs(result, recorder, session)


def run(
    begun: "BegunRun", recorder: "Recorder", session: Session, output: Path | None, checkpoints: "Checkpoints | None"
) -> "Result":
    """The run, with progress on a terminal; a file of NumPy has its state and how it was made, too."""
    from acausal.simulate.system.settings import settings

    model, kept = begun.model, output is not None and output.suffix.lower() == ".npz"
    begun = replace(begun, kept=kept and not model.program.units)
    chosen = settings(begun.options, model.program.experiment)
    with running(f"simulating {model.name}:", chosen.start, chosen.stop, session.talks) as progress:
        if checkpoints is None:
            result = begun.run(progress, recorder)
        else:
            from acausal.checkpointed_run import run_with_checkpoints

            with ending_signals() as halted, _hinting(checkpoints.path, session):
                result = run_with_checkpoints(begun, replace(checkpoints, halted=halted), progress, recorder)
    if begun.kept and result.end is not None:
        from acausal.cli.run_files import run_members

        recorder.attach(run_members(begun, result))
    return result


@contextmanager
def _hinting(path: Path, session: Session) -> Iterator[None]:
    """Hint for an interrupted user: how to continue."""
    from acausal.runs import RunInterrupted

    try:
        yield
    except RunInterrupted:
        if path.exists():
            session.say(f"{path} holds a checkpoint: the same command continues the run")
        raise


@contextmanager
def recording(session: Session, requested: OutputRequest, report: Report) -> Iterator["Recorder"]:
    """Store and report what there is of a run that fails or is interrupted inside; its exit code."""
    from acausal.runs import RunError, RunInterrupted

    recorder = requested.recorder()
    try:
        yield recorder
    except RunError as error:
        error_report = report.with_(*error.result.notes, *error.report.diagnostics)
        data = _partial_outputs(session, requested, error.result, recorder)
        raise Exit(session.fail(error_report, error.exit_code, data)) from None
    except RunInterrupted as stop:
        session.say(str(stop))
        error_report = report.with_(*stop.result.notes)
        data = _partial_outputs(session, requested, stop.result, recorder)
        raise Exit(session.fail(error_report, INTERRUPTED, data)) from None
    finally:
        recorder.discard()


def _partial_outputs(
    session: Session, requested: OutputRequest, result: "Result", recorder: "Recorder"
) -> dict[str, object]:
    """Write the rows that there are, and say so."""
    written = requested.write_partial(result, recorder, session)
    if written:
        session.say(f"the {len(result.time)} rows up to t = {result.time[-1]:g} are written: {', '.join(written)}")
    return {"stats": dict(result.stats), "written": written}
