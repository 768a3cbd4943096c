"""Machine code of kernels that are called by their addresses, compiled once for all programs."""

from collections.abc import Callable, Sequence

from acausal.codegen.llvm.to_llvm import published


def kernel_addresses(kernels: Sequence[Callable[..., object]], level: int = 2) -> dict[str, int]:
    """The addresses of these kernels, compiled together, by their names; the first one stands for all."""
    names = [kernel.__name__ for kernel in kernels]

    def text() -> str:
        from acausal.runtime.kernel.check import check_kernels
        from acausal.runtime.kernel.llvm_printer import print_llvm

        return print_llvm(check_kernels(kernels), names)

    engine = published(names[0], text, level)
    return {name: int(engine.get_function_address(name)) for name in names}


def kernel_address(kernel: Callable[..., object]) -> int:
    """The address of one kernel."""
    return kernel_addresses([kernel])[kernel.__name__]
