"""Immutable records that cost no more than mutable ones: that they stay as they are is proved by mypy, not at run time.

`dataclass(frozen=True)` sets each field by a call of `object.__setattr__`: four times as long as it takes to store
them. A translation makes some ten records a variable, so what stands between its stages is a `record`; what users
hold in their hands is a frozen dataclass.
"""

from typing import TYPE_CHECKING

__all__ = ["no_reference", "record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(  # noqa: ANN201  (mypy sees the branch above)
        *, frozen: bool, slots: bool, eq: bool = True, weakref_slot: bool = False
    ):
        """`dataclass` with the same equality and hash, whose fields are stored as they are."""
        return dataclass(slots=slots, eq=eq, unsafe_hash=frozen and eq, weakref_slot=weakref_slot)


def no_reference() -> None:
    """A weak reference to nothing."""
