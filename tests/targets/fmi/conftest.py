"""The library of the ball, compiled once."""

import pytest

from tests.targets.fmi.importer import Fmu


@pytest.fixture(scope="session")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Fmu:
    return Fmu(tmp_path_factory.mktemp("fmu"), ("-O0",))
