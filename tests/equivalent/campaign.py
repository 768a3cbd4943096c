"""One pair of equivalent models."""

from random import Random

from tests.equivalent.circuits import a_circuit
from tests.equivalent.drives import a_drive
from tests.equivalent.equations import a_system
from tests.equivalent.mechanisms import a_mechanism
from tests.equivalent.pair import compare

KINDS = (a_circuit, a_circuit, a_circuit, a_circuit, a_system, a_system, a_system, a_drive, a_drive, a_mechanism)


def equivalent(rng: Random) -> None:
    """A pair of some kind."""
    compare(rng.choice(KINDS)(rng))
