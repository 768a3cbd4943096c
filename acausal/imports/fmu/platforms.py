"""Binaries of an FMU for computers."""

from acausal.imports.fmu.archive import Archive, FmuError
from acausal.imports.fmu.layout import Layout

_SYSTEMS = {
    "linux": ("linux", "linux", ".so"),
    "darwin": ("darwin", "darwin", ".dylib"),
    "win32": ("windows", "win", ".dll"),
}
"""Names of systems in FMI 3 and FMI 2, and the ends of names of binaries."""
_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}


def binary_name(layout: Layout, system: str, machine: str) -> str | None:
    """Name of the binary for a computer in the archive; None for a computer that FMI does not know."""
    known, processor = _SYSTEMS.get(system), _MACHINES.get(machine.lower())
    if known is None or processor is None:
        return None
    if layout.description.version == 3:
        folder = f"{processor}-{known[0]}"
    elif processor == "x86_64":
        folder = f"{known[1]}64"
    else:
        folder = f"{processor}-{known[0]}"  # not in FMI 2.0, but common
    return f"binaries/{folder}/{layout.interface.identifier}{known[2]}"


def need_binary(archive: Archive, layout: Layout, system: str, machine: str) -> None:
    """FmuError where the FMU has no binary for a computer."""
    name = binary_name(layout, system, machine)
    if name is None or name not in archive.files:
        found = ", ".join(layout.description.platforms) or "none"
        wanted = name or f"{system} on {machine}"
        raise FmuError(
            f"it contains no binary for this computer ({wanted})", f"export it for this platform; it has: {found}"
        )
