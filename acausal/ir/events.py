"""Events: as written (`When`), and as the run needs them (`Events`).

    when h < 0 and v < 0 then          frozen $1: h < 0     frozen $2: v < 0
      init(v) = -e*v            ->     frozen $3: ($1 and $2), before
    endwhen                            restart v = -e*v where $1 and $2 and not $3

A frozen value is a leaf that the equations see as known: it changes at events only.
"""

from collections.abc import Callable
from dataclasses import replace

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.ir.kinds import ActionKind, ConditionKind, FrozenKind, NoRelation, RelationOp, ValueType
from acausal.ir.origin import Origin


@record(frozen=True, slots=True)
class Action:
    """Action of a branch: `init`, `new`, `assert` or `terminate` (kind).

    init and new: `target` gets `value`; assert and terminate: `value` is the condition, `text` its text.
    """

    kind: ActionKind
    target: Expr | None
    value: Expr
    origin: Origin
    text: str = ""


@record(frozen=True, slots=True)
class Branch:
    """`when condition then actions`; without condition: at every event."""

    condition: Expr | None
    actions: tuple[Action, ...]
    origin: Origin


@record(frozen=True, slots=True)
class When:
    """A `when` with its `elsewhen`s: at one moment the first branch whose condition becomes true acts."""

    branches: tuple[Branch, ...]


@record(frozen=True, slots=True)
class Frozen:
    """A value that changes at events only.

    | kind | `now`, computed at an event | value |
    | --- | --- | --- |
    | relation | left side - right side | whether it is `relation` 0 |
    | step | argument x | floor(x) |
    | discrete | the value after the event | that value |
    | before | a condition | that condition, at the end of the event before |
    | sample | first time, interval | true in the instants of its times |
    | initial | nothing | true in the first instant |

    `clock` are (rate, rest) where now = rate*time + rest changes with time alone: the next event is
    then known in advance. `start` is a discrete variable's first value. `written` is for messages; what is
    `internal` the model does not name.
    `continuous`: a relation that nothing reads, as the switches that it decides are continuous and evaluated directly.
    """

    symbol: Expr
    kind: FrozenKind
    type: ValueType
    now: tuple[Expr, ...]
    origin: Origin
    relation: RelationOp | NoRelation = ""
    clock: tuple[Expr, Expr] | None = None
    start: Expr | None = None
    written: Expr | None = None
    internal: bool = False
    continuous: bool = False


@record(frozen=True, slots=True)
class Restart:
    """Reinitialization: if `fired`, `target` starts again from `value`. `written` is the target for messages."""

    target: Expr
    value: Expr
    fired: Expr
    origin: Origin
    written: Expr | None = None


@record(frozen=True, slots=True)
class Announcement:
    """`assert` or `terminate` (kind) inside a `when`: examined where `fired`."""

    kind: ConditionKind
    fired: Expr
    condition: Expr
    text: str
    origin: Origin


@record(frozen=True, slots=True)
class Events:
    """All that events need."""

    frozen: tuple[Frozen, ...] = ()
    restarts: tuple[Restart, ...] = ()
    announcements: tuple[Announcement, ...] = ()


NO_EVENTS = Events()


def map_events(events: Events, change: Callable[[Expr], Expr]) -> Events:
    """The same with every expression changed; frozen symbols stay."""

    def frozen(h: Frozen) -> Frozen:
        clock = None if h.clock is None else (change(h.clock[0]), change(h.clock[1]))
        start = None if h.start is None else change(h.start)
        return replace(h, now=tuple([change(e) for e in h.now]), clock=clock, start=start)

    return Events(
        tuple([frozen(h) for h in events.frozen]),
        tuple(
            [replace(r, target=change(r.target), value=change(r.value), fired=change(r.fired)) for r in events.restarts]
        ),
        tuple([replace(a, fired=change(a.fired), condition=change(a.condition)) for a in events.announcements]),
    )


def map_when(when: When, change: Callable[[Expr], Expr]) -> When:
    """The same with every expression changed."""

    def action(a: Action) -> Action:
        return replace(a, target=None if a.target is None else change(a.target), value=change(a.value))

    def branch(b: Branch) -> Branch:
        condition = None if b.condition is None else change(b.condition)
        return replace(b, condition=condition, actions=tuple([action(a) for a in b.actions]))

    return When(tuple([branch(b) for b in when.branches]))
