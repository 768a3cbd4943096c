"""Archives of FMUs: the model description of `ball.c`, and archives with any entries."""

import io
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.runtime.machine import compilers

HERE = Path(__file__).parent
_UNITS = """<UnitDefinitions>
<Unit name="m"><BaseUnit m="1"/></Unit><Unit name="km/h"><BaseUnit m="1" s="-1" factor="0.277777777777777778"/></Unit>
</UnitDefinitions>"""
_ABILITIES = {
    2: 'modelIdentifier="ball" canGetAndSetFMUstate="true"',
    3: 'modelIdentifier="ball" canGetAndSetFMUState="true" needsCompletedIntegratorStep="false"',
}
ROWS = (
    ("h", 1, "Real", "output", "continuous", 'start="1" unit="m"', 'initial="exact"'),
    ("der(h)", 2, "Real", "local", "continuous", 'derivative="{h}"', ""),
    ("v", 3, "Real", "local", "continuous", 'start="0"', 'initial="exact"'),
    ("der(v)", 4, "Real", "local", "continuous", 'derivative="{v}"', ""),
    ("g", 5, "Real", "parameter", "fixed", 'start="-9.81"', ""),
    ("e", 6, "Real", "parameter", "tunable", 'start="0.7"', ""),
    ("f", 7, "Real", "input", "continuous", 'start="0"', ""),
    ("bounces", 8, "Integer", "output", "discrete", "", ""),
    ("energy", 9, "Real", "output", "continuous", "", ""),
    ("fault", 10, "Integer", "parameter", "fixed", 'start="0"', ""),
    ("kick", 11, "Real", "parameter", "fixed", 'start="1"', ""),
    ("was kicked", 12, "Boolean", "output", "discrete", "", ""),
)
"""Name, value reference, type, causality, variability, attributes of the type and of the variable."""


def description(version: int, rows: tuple[tuple[object, ...], ...] = ROWS) -> str:
    """The model description of the ball."""
    interfaces = f"<ModelExchange {_ABILITIES[version]}/><CoSimulation {_ABILITIES[version]}/>"
    places = {"h": 1, "v": 3}
    lines = []
    for name, reference, kind, causality, variability, of_type, others in rows:
        common = (
            f'name="{name}" valueReference="{reference}" causality="{causality}" variability="{variability}" {others}'
        )
        given = str(of_type).format(**places)
        if version == 2:
            lines.append(f"<ScalarVariable {common}><{kind} {given}/></ScalarVariable>")
        else:
            tag = {"Real": "Float64", "Integer": "Int64"}.get(str(kind), kind)
            lines.append(f"<{tag} {common} {given}/>")
    variables = "\n".join(lines)
    if version == 2:
        head = 'fmiVersion="2.0" guid="{ball}" numberOfEventIndicators="1"'
        structure = """<Outputs><Unknown index="1" dependencies="1"/><Unknown index="8" dependencies=""/>
<Unknown index="9"/><Unknown index="12" dependencies=""/></Outputs>
<Derivatives><Unknown index="2" dependencies="3"/><Unknown index="4" dependencies="7"/></Derivatives>"""
    else:
        head = 'fmiVersion="3.0" instantiationToken="{ball}"'
        structure = """<Output valueReference="1" dependencies="1"/><Output valueReference="8" dependencies=""/>
<Output valueReference="9"/><Output valueReference="12" dependencies=""/>
<ContinuousStateDerivative valueReference="2" dependencies="3"/>
<ContinuousStateDerivative valueReference="4" dependencies="7"/><EventIndicator valueReference="1"/>"""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription {head} modelName="Ball" generationTool="acausal's tests">
{interfaces}{_UNITS}<DefaultExperiment stepSize="0.01"/>
<ModelVariables>
{variables}
</ModelVariables><ModelStructure>{structure}</ModelStructure>
</fmiModelDescription>"""


def binary_place(version: int) -> str:
    """Where an archive has the binary for this computer."""
    system = {"linux": "linux", "darwin": "darwin"}[sys.platform]
    folder = f"{system}64" if version == 2 else f"{platform.machine()}-{system}"
    return f"binaries/{folder}/ball.{'so' if system == 'linux' else 'dylib'}"


def binary(version: int, folder: Path) -> bytes:
    """The library of the ball."""
    target = folder / f"ball{version}.so"
    compiler = next(iter(compilers().values()))
    flags = ("-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", *["-DFMI3"] * (version == 3))
    subprocess.run([*compiler, *flags, str(HERE / "ball.c"), "-o", str(target), "-lm"], check=True)
    return target.read_bytes()


def archive(entries: "dict[str, bytes | str]") -> bytes:
    """A ZIP archive with these entries."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in entries.items():
            opened.writestr(name, content)
    return target.getvalue()
