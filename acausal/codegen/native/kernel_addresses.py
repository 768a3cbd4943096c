"""Machine code of kernels that are called by their addresses, compiled once for all programs."""

from collections.abc import Callable, Sequence

from acausal.codegen.llvm.kernel_code import kernels_text, published

Kernels = Sequence[Callable[..., object]]


def kernel_addresses(names: Sequence[str], kernels: Callable[[], Kernels], level: int = 2) -> dict[str, int]:
    """The addresses of kernels by their names, compiled together; the first name stands for all.

    The kernels themselves are imported only where their code is not kept.
    """
    engine = published(names[0], lambda: kernels_text(kernels()), level)
    return {name: int(engine.get_function_address(name)) for name in names}


def kernel_address(kernel: Callable[..., object]) -> int:
    """The address of one kernel."""
    return kernel_addresses([kernel.__name__], lambda: [kernel])[kernel.__name__]
