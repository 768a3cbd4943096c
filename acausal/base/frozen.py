"""Immutable records that cost no more than mutable ones: that they stay as they are is proved by mypy, not at run time.

`dataclass(frozen=True)` sets each field by a call of `object.__setattr__`: four times as long as it takes to store
them. A translation makes some ten records a variable, so what stands between its stages is a `record`; what users
hold in their hands is a frozen dataclass.
"""

from reprlib import recursive_repr
from typing import TYPE_CHECKING

__all__ = ["no_reference", "record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass, fields

    def record(  # noqa: ANN201  (mypy sees the branch above)
        *, frozen: bool, slots: bool, eq: bool = True, weakref_slot: bool = False
    ):
        """`dataclass` with the same equality and hash, whose fields are stored as they are."""
        make = dataclass(slots=slots, eq=eq, unsafe_hash=frozen and eq, weakref_slot=weakref_slot, repr=False)

        def decorate(cls):  # noqa: ANN001, ANN202
            made = make(cls)
            if made.__repr__ is object.__repr__:
                made.__repr__ = _text
            return made

        return decorate

    @recursive_repr()
    def _text(self):  # noqa: ANN001, ANN202
        """The text of any record, as a dataclass has it: made once, as a function for each takes time to compile."""
        values = ", ".join([f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr])
        return f"{type(self).__qualname__}({values})"


def no_reference() -> None:
    """A weak reference to nothing."""
