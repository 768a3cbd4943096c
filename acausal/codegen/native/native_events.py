"""Machine code of `runtime/events`, compiled once for all programs."""

from acausal.base.caches import once
from acausal.codegen.native.kernel_addresses import Kernels, kernel_addresses

_EVENTS = "acausal_run_events", "acausal_advance"
_SINGLE = "acausal_single_event", "acausal_find_violated", "acausal_event_outcome"
_SEARCH = "search_step", "watch_within"
_FOLLOW = "begin_followed", "follow_time"
_TIME = (
    *("solve_time", "begin_time", "stop_time", "crossed_roots", "ignore_time", "count_nothing", "no_states"),
    *("step_in_time", "watch_in_time", "watch_begin", "extend_in_time"),
)


def events_addresses() -> tuple[int, int]:
    """The addresses of the run over events, and the way to one time."""
    run, advance = [_addresses()[name] for name in _EVENTS]
    return run, advance


def step_address() -> int:
    """The address of the way to one time with delays."""
    return kernel_addresses(["step_to"], _steps)["step_to"]


def slope_address() -> int:
    """The address of what moves slopes at events."""
    return kernel_addresses(["slope_task"], _slopes)["slope_task"]


def parts_address() -> int:
    """The address of the run over output times without events."""
    return kernel_addresses(["acausal_run_parts"], _parts)["acausal_run_parts"]


def single_event_addresses() -> tuple[int, int, int]:
    """The addresses of `single_event`: a task of an event, the search for violated relations, outcomes of events."""
    event, violated, outcome = [_addresses()[name] for name in _SINGLE]
    return event, violated, outcome


def tolerances_address() -> int:
    """The address of `mode_tolerances`."""
    return kernel_addresses(["acausal_find_tolerances"], _tolerances)["acausal_find_tolerances"]


@once
def search_addresses() -> dict[str, int]:
    """The addresses of the search for two crossings within a step, and of what evaluates one of CVODE."""
    return kernel_addresses(_SEARCH, _search)


@once
def _addresses() -> dict[str, int]:
    return kernel_addresses((*_EVENTS, *_SINGLE), _events)


def _events() -> Kernels:
    from acausal.runtime.events import event_loop, single_event

    run = event_loop.acausal_run_events, event_loop.acausal_advance
    single = single_event.acausal_single_event, single_event.acausal_find_violated, single_event.acausal_event_outcome
    return *run, *single


def _tolerances() -> Kernels:
    from acausal.runtime.events.mode_tolerances import acausal_find_tolerances

    return (acausal_find_tolerances,)


def _steps() -> Kernels:
    from acausal.runtime.events.single_steps import step_to

    return (step_to,)


def _slopes() -> Kernels:
    from acausal.runtime.events.slope_event import slope_task

    return (slope_task,)


def _parts() -> Kernels:
    from acausal.runtime.events.run_parts import acausal_run_parts

    return (acausal_run_parts,)


@once
def time_addresses() -> dict[str, int]:
    """The addresses of what stands in place of CVODE where there are no states."""
    return kernel_addresses(_TIME, _time)


def _time() -> Kernels:
    from acausal.runtime.steps.time_as_solver import KERNELS

    return KERNELS


@once
def follow_addresses() -> dict[str, int]:
    """The addresses of functions that follow nonlinear blocks through time."""
    return kernel_addresses(_FOLLOW, _follow)


def _follow() -> Kernels:
    from acausal.runtime.steps.followed_time import KERNELS

    return KERNELS


def _search() -> Kernels:
    from acausal.runtime.crossings.hidden_steps import search_step, watch_within

    return search_step, watch_within
