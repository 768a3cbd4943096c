"""The object code of kernels for a wheel: what nearly every run on another computer of this platform needs."""

from functools import partial
from pathlib import Path

from acausal.base import caches
from acausal.codegen.llvm.kernel_code import module_of, publish_all
from acausal.codegen.llvm.object_code import plain_machine
from acausal.codegen.llvm.shipped_code import Request, baseline, file_of, requests
from acausal.codegen.native import native_events
from acausal.codegen.native.kernel_addresses import kernel_address
from acausal.codegen.native.native_inputs import input_addresses


def ship_kernels(folder: Path) -> int:
    """Compile kernels into a folder for the baseline of this platform's processors; how many modules there are."""
    caches.clear()  # what this process has compiled counts, too
    with requests() as found:
        _ask()
    for request in found:
        file_of(folder, request.name).write_bytes(_code(request))
    return len(found)


def _ask() -> None:
    """Ask for the kernels of runs, events and sweeps; not for those that call LAPACK."""
    from acausal.runtime.cvode.jacobian import exact_jacobian
    from acausal.runtime.state_selection import judge_selections
    from acausal.runtime.sweep.sweep import acausal_runs

    publish_all()
    input_addresses()
    native_events.events_addresses()
    native_events.tolerances_address()
    native_events.step_address()
    native_events.parts_address()
    native_events.slope_address()
    native_events.search_addresses()
    native_events.time_addresses()
    native_events.follow_addresses()
    for kernel in (exact_jacobian, judge_selections, acausal_runs):
        kernel_address(kernel)


def _code(request: Request) -> bytes:
    target = partial(plain_machine, baseline())
    module = module_of(request.text(), request.level, target)
    return bytes(target(request.level).emit_object(module))
