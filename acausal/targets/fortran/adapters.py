"""Procedures with the interfaces by which kernels call others: they find the structure behind an address."""

from collections.abc import Callable, Iterator

from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.names import fortran_name, procedure_name
from acausal.runtime.kernel.fortran.types import declared, type_name
from acausal.runtime.kernel.signature import signature, type_of
from acausal.runtime.kernel.types import RoutineType, Scalar, StructType


def adapter(name: str, protocol: type, kernel: Callable[..., object]) -> Iterator[str]:
    """A procedure of the type of a protocol that calls a kernel with the same arguments."""
    kind = type_of(protocol)
    assert isinstance(kind, RoutineType)
    wanted = [type_of(annotation) for _, annotation in signature(kernel)[0]]
    names = [fortran_name(argument) for argument in kind.names]
    declarations = [declared(s, n, ", intent(in)") for s, n in zip(kind.parameters, names, strict=True)]
    passed, before = [], []
    for scalar, argument, target in zip(kind.parameters, names, wanted, strict=True):
        passed.append(argument)
        if isinstance(target, StructType):
            passed[-1] = f"{argument}_here"
            declarations.append(f"type({type_name(target.struct)}), pointer :: {argument}_here")
            address = f"c_loc({argument}(0))" if scalar is Scalar.REALS else argument
            before.append(f"call c_f_pointer({address}, {argument}_here)")
        elif scalar is Scalar.ADDRESS and target is Scalar.REALS:
            passed[-1] = f"{argument}_here"
            declarations += [f"real(dp), pointer :: {argument}_all(:), {argument}_here(:)"]
            before += [f"call c_f_pointer({argument}, {argument}_all, [huge(1)])"]
            before += [f"{argument}_here(0:) => {argument}_all"]
    is_function = kind.result is not Scalar.NOTHING
    word = "function" if is_function else "subroutine"
    head = f"recursive {word} {name}({', '.join(names)}){' result(result_value)' if is_function else ''}"
    call = f"{procedure_name(kernel.__name__)}({', '.join(passed)})"
    if is_function:
        declarations.append(declared(kind.result, "result_value"))
    yield from ["", wrapped(head, 1)]
    yield from [f"    {line}" for line in (*declarations, *before)]
    yield wrapped(f"result_value = {call}" if is_function else f"call {call}", 2)
    yield f"  end {word} {name}"
