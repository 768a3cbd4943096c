"""Machine code of `runtime/events/event_loop`, compiled once for all programs."""

from acausal.base.caches import once


@once
def events_addresses() -> tuple[int, int, int]:
    """The addresses of three of its functions: the first instant, the beginning, and the run."""
    start, begin, run, _ = _addresses()
    return start, begin, run


def advance_address() -> int:
    """The address of the function that goes to one time."""
    return _addresses()[3]


@once
def _addresses() -> tuple[int, int, int, int]:
    from acausal.codegen.llvm.to_llvm import published

    names = ("acausal_start_events", "acausal_begin_events", "acausal_run_events", "acausal_advance")
    engine = published(names[2], _text, 2)
    start, begin, run, advance = [int(engine.get_function_address(name)) for name in names]
    return start, begin, run, advance


def _text() -> str:
    from acausal.runtime.events import event_loop
    from acausal.runtime.kernel.check import check_kernels
    from acausal.runtime.kernel.llvm_printer import print_llvm

    run = event_loop.acausal_run_events, event_loop.acausal_advance
    exported = event_loop.acausal_start_events, event_loop.acausal_begin_events, *run
    return print_llvm(check_kernels(exported), [function.__name__ for function in exported])
