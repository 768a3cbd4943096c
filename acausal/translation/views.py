"""Views of a translation for people and its forms for other programs; what each needs is imported when it is called."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_path, as_text
from acausal.translation.translated_model import TranslatedModel

if TYPE_CHECKING:
    import sympy

    from acausal.targets.functions.to_casadi import CasadiModel
    from acausal.targets.functions.to_jax import JaxModel


class TranslationViews(TranslatedModel):
    """Statistics, equations, diagrams, code, the way of a variable through the translation; exports."""

    @property
    def statistics(self) -> dict[str, object]:
        """Sizes of the system before and after each stage, operations of the code, seconds by stage.

        The code is that of the derivatives; in a model without states, that of its variables.
        """
        from acausal.inspection import statistics

        stages = self.stages
        return statistics(stages, self.program)

    def equations(self, stage: str = "sorted") -> str:
        """The equations as text: `flat`, `sorted`, `solved`, or the sorted ones as `latex` (needs SymPy).

        `aliases` are the variables that were eliminated as equal to others, `differentiated` the equations that index
        reduction added.
        """
        from acausal.inspection import equations_text

        return equations_text(self.stages, as_text("stage", stage))

    def graph(self, folder: str | Path | None = None) -> str:
        """Diagrams as SVG: submodels and connections of the model, and the structure of its sorted equations.

        In a notebook the text is shown as a picture.

        Their elements lead to the lines of the text, by addresses seen from `folder` (None: the current one).
        """
        from acausal.inspection import graph
        from acausal.render.svg import Svg

        return Svg(graph(self.stages, None if folder is None else as_path("folder", folder)))

    def to_sympy(self) -> "tuple[sympy.Eq, ...]":
        """The sorted equations as SymPy objects: variables are functions of `t`, parameters symbols.

        UsageError F007 where SymPy is not installed.
        """
        from acausal.inspection import sorted_equations
        from acausal.symbolic.sympy_bridge import equations_to_sympy

        return equations_to_sympy(sorted_equations(self.stages))

    def to_casadi(self) -> "CasadiModel":
        """The model as functions of CasADi: dy/dt, all variables, and a `dae` for `casadi.integrator`.

        UsageError F007 where CasADi is not installed.
        """
        from acausal.targets.functions.to_casadi import to_casadi

        return to_casadi(self.compiled)

    def to_jax(self) -> "JaxModel":
        """The model as functions of JAX, for `jax.jit` and differentiation: dy/dt, and all variables.

        UsageError F007 where JAX is not installed.
        """
        from acausal.targets.functions.to_jax import to_jax

        return to_jax(self.compiled)

    def export(
        self,
        target: str,
        path: str | Path,
        *,
        step: float | None = None,
        method: str | None = None,
        single: bool = False,
        platforms: Iterable[str] = (),
        source_only: bool = False,
        kind: str | None = None,
    ) -> tuple[Path, ...]:
        """Write the model in another language or format; the paths of the files.

        `target` is one of those of `acausal translate --target`, the suffix of `path` that of its files; options are
        those of the command (`acausal.targets.target_options`). UsageError F006 for an unknown target, or an option
        that it does not take; ModelError F040 where it cannot express the model.
        """
        from acausal.targets.export import export
        from acausal.targets.target_options import TargetOptions

        options = TargetOptions.of(step, method, single, platforms, source_only, kind)
        return export(self.compiled, as_text("target", target), as_path("path", path), options)

    def why(self, name: str) -> str:
        """The way of a variable as text, from the line where it is written to the lines of the code.

        It goes through connections, elimination of aliases, differentiation and solving. UsageError F005 for
        an unknown name.
        """
        from acausal.inspection import why

        return why(self.stages, self.program, self.code(), as_text("name", name))

    def code(self) -> str:
        """The generated program as NumPy text."""
        from acausal.codegen.numpy.to_numpy import numpy_text

        return numpy_text(self.program)

    def _repr_html_(self) -> str:
        """HTML representation for a notebook."""
        from acausal.render.model_html import model_html

        return model_html(self.program, self.stages.flat.components, self.report)
