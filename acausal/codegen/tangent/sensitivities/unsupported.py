"""Models for which no program computes derivatives with respect to parameters."""

from acausal.base.diagnostics import Diagnostic, Label, LimitError, ModelError
from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot

REAL = "derivatives are taken by real parameters"


def require_slopes(program: Program, parameters: tuple[int, ...]) -> None:
    """ModelError A020 for what has no derivative, with its place in the text."""
    for slot in [program.parameter_slots[at] for at in parameters]:
        _require_real(slot)
    redundant = [block for block in program.blocks if block.redundant]
    restarts = [slot for slot in program.table.restarts if slot.state is None]
    if redundant and restarts:
        message = (
            f"init({restarts[0].text}) restarts a variable that is not a state, beside equations that are redundant in "
            "some configurations: sensitivities are not available"
        )
        hint = f"make it a state: declare {restarts[0].text} with (state=true)"
        label, others = (
            Label(restarts[0].origin.span, "restarted here"),
            Label(redundant[0].origins[0].span, "of these"),
        )
        raise ModelError(Diagnostic("A020", message, label, (others,), help=hint))
    _require_constant_delays(program)
    for unit in program.units:
        message = f"the FMU {show_name(unit.name[:-1])} provides no derivatives with respect to parameters"
        raise ModelError(Diagnostic("A020", message, Label(unit.origin.span), help="replace it by equations"))


def _require_real(slot: ParameterSlot) -> None:
    if slot.type != "real" or slot.constant:
        what = "a constant" if slot.constant else f"of type {slot.type}"
        raise ModelError(Diagnostic("A020", f"{show_name(slot.name)} is {what}: it has no derivative", help=REAL))


def _require_constant_delays(program: Program) -> None:
    code = program.delayed.code
    registers = {value: args[0] for op, args, value in code if op == "store"}
    for k, slot in enumerate(program.delays):
        if code[registers[2 * k + 1]].op not in ("parameter", "const"):
            message = "the delay time varies: sensitivities are not available"
            hint = "choose a delay time that parameters determine"
            raise ModelError(Diagnostic("A020", message, Label(slot.origin.span, "delayed here"), help=hint))


def too_long(program: Program) -> LimitError:
    """L019."""
    return LimitError(
        Diagnostic("L019", f"the derivatives of {program.name} with respect to parameters require too many operations")
    )
