"""A translator that knows one model: x' = -k*x."""

from collections.abc import Callable, Mapping
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Label, ModelError, Report, Severity
from acausal.base.options import SimulateOptions
from acausal.base.source import SourceFile, Span
from acausal.codegen.executable import Executable
from acausal.ir.program.program import Program
from acausal.results.result import Result
from acausal.runs import run
from acausal.simulate.system.parameters import Folded, parameter_values
from tests.simulate.models import Model


class FakeTranslation:
    """As `acausal.translation.Translation`."""

    name = "Decay"
    report = Report((Diagnostic("I010", "u starts at 0", severity=Severity.NOTE),))

    def __init__(self, executable: Executable) -> None:
        self._executable = executable

    @property
    def program(self) -> Program:
        return self._executable.program

    @property
    def statistics(self) -> Mapping[str, object]:
        return {"equations": 1, "states": 1}

    def equations(self, stage: str) -> str:
        return f"the {stage} equations\n"

    def why(self, name: str) -> str:
        return f"the way of {name}\n"

    def code(self) -> str:
        return "def derivatives(): ...\n"

    def simulate(
        self,
        *,
        stop: float | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        steady: bool = False,
        parameters: Mapping[str, float] | None = None,
        inputs: Mapping[str, str] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Result:
        p = parameter_values(self._executable, parameters or {})
        assert not isinstance(p, Folded)
        return run(self._executable, p, SimulateOptions(stop, interval, tolerance, solver), inputs, progress)

    def for_values(self, values: Mapping[str, float]) -> "FakeTranslation":
        return self


class FakeTranslator:
    """Remembers what it was asked; a file called bad.mdl has a mistake, bug.mdl finds a bug of ours."""

    def __init__(self) -> None:
        self.calls: list[dict[str, object]] = []
        model = Model()
        q = model.pool
        k = model.parameter("k", 1.0)
        x = model.state("x", start=1.0)
        model.slope(x, q.neg(q.mul(k, q.pow(x, model.parameter("n", 1.0)))))
        model.variable("m.y", q.mul(q.const(2), x))
        self.executable = model.executable()

    def __call__(self, file: Path, **options: object) -> FakeTranslation:
        self.calls.append(options)
        if file.name == "bad.mdl":
            source = SourceFile("bad.mdl", "model A\n  der(x) = y\nend\n")
            raise ModelError(Diagnostic("N001", "there is no y", Label(Span(source, 19, 20))))
        if file.name == "bug.mdl":
            raise ZeroDivisionError("oops")
        return FakeTranslation(self.executable)
