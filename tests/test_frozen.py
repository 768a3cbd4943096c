"""Records beside dataclasses: they are the same to their users."""

from dataclasses import dataclass, field

from acausal.base.frozen import record


@dataclass(unsafe_hash=True, slots=True)
class Plain:
    """A dataclass."""

    number: float
    names: tuple[object, ...] = ()
    hidden: str = field(default="x", repr=False)


@record(frozen=True, slots=True)
class Fast:
    """A record with the same fields."""

    number: float
    names: tuple[object, ...] = ()
    hidden: str = field(default="x", repr=False)


@record(frozen=True, slots=True)
class Own:
    """A record with a text of its own."""

    number: int

    def __repr__(self) -> str:
        return "own"


def test_texts_are_those_of_dataclasses() -> None:
    inner = Plain(1.5, ("a", 2)), Fast(1.5, ("a", 2))
    texts = [repr(type(x)(2.0, (x,))) for x in inner]
    assert texts[0].replace("Plain", "Fast") == texts[1]
    assert repr(Own(1)) == "own"


def test_a_text_that_holds_itself_ends() -> None:
    names: list[object] = []
    a = Fast(1.0, (names,))
    names.append(a)
    assert repr(a) == "Fast(number=1.0, names=([...],))"


def test_equality_and_hash_are_those_of_the_values() -> None:
    assert Fast(1.0) == Fast(1.0)
    assert hash(Fast(1.0)) == hash(Fast(1.0)) == hash(Plain(1.0))
    assert Fast(1.0) != Fast(2.0)
    assert Fast(1.0) != Plain(1.0)
