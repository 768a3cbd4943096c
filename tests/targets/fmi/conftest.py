"""The library of the ball, compiled once, and instances of it."""

from collections.abc import Iterator

import pytest

from tests.targets.fmi.importer import Fmu, Instance


@pytest.fixture(scope="session")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Fmu:
    return Fmu(tmp_path_factory.mktemp("fmu"), ("-O0",))


@pytest.fixture
def instance(fmu: Fmu) -> Iterator[Instance]:
    fmu.messages.clear()
    made = fmu.model_exchange()
    yield made
    made.free()


@pytest.fixture
def slave(fmu: Fmu) -> Iterator[Instance]:
    fmu.messages.clear()
    made = fmu.co_simulation()
    yield made
    made.free()
