"""Results of methods of nonlinear programming."""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Unknowns, the method, whether they are a solution, why the method ended, and its iterations."""

    y: "Array"
    method: str
    success: bool
    message: str
    iterations: int
