"""The ball as an FMU for FMI 2 and FMI 3, compiled once."""

from pathlib import Path

import pytest

from tests.fmu.archives import archive, binary, binary_place, description


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ball2.fmu and ball3.fmu."""
    place = tmp_path_factory.mktemp("fmu folder ü")
    for version in (2, 3):
        entries = {
            "modelDescription.xml": description(version),
            "binaries/": "",
            binary_place(version): binary(version, place),
        }
        (place / f"ball{version}.fmu").write_bytes(archive(entries))
    return place
