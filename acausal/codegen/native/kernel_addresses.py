"""Machine code of kernels that are called by their addresses, compiled once for all programs."""

from collections.abc import Callable, Sequence

from acausal.codegen.llvm.kernel_code import kernels_text, published


def kernel_addresses(kernels: Sequence[Callable[..., object]], level: int = 2) -> dict[str, int]:
    """The addresses of these kernels, compiled together, by their names; the first one stands for all."""
    names = [kernel.__name__ for kernel in kernels]
    engine = published(names[0], lambda: kernels_text(kernels), level)
    return {name: int(engine.get_function_address(name)) for name in names}


def kernel_address(kernel: Callable[..., object]) -> int:
    """The address of one kernel."""
    return kernel_addresses([kernel])[kernel.__name__]
