"""Loops in closed form and spheres that roll: their constraints count like those of cut joints."""

from pathlib import Path

import pytest

from acausal.reference.examples import class_examples
from tests.multibody.models import made

EXAMPLES = {example.name: example.text for example in class_examples()}


@pytest.mark.parametrize(
    ("name", "rank", "kinds"),
    [
        ("Wiper", 1, ["planar"]),
        ("SpatialRocker", 1, ["rod"]),
        ("Coupling", 1, ["parallel"]),
        ("BallOnTurntable", 4, ["rolling sphere"]),  # one is that of the table, whose motion is given
    ],
)
def test_degrees_of_freedom(tmp_path: Path, name: str, rank: int, kinds: list[str]) -> None:
    mechanism = made(tmp_path, EXAMPLES[name]).mechanism()
    assert [closure.kind for closure in mechanism.model.closures] == kinds
    assert mechanism.degrees_of_freedom().rank == rank
    assert mechanism.degrees_of_freedom().redundancy == 0
