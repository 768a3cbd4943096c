"""Kernels that OpenBLAS has chosen for this processor, by their name: `python -m tests.blas_core`.

A name is printed if NumPy and SciPy agree on it, as `OPENBLAS_CORETYPE` takes it; else nothing.
"""

import ctypes
from pathlib import Path

import numpy as np
import scipy.linalg

ASK = ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename", "openblas_get_corename")


def core_names() -> set[str]:
    """The names of all copies of OpenBLAS in this process; empty where there are none or the system does not tell."""
    assert np and scipy.linalg  # they load them
    maps = Path("/proc/self/maps")
    lines = maps.read_text(encoding="utf-8").splitlines() if maps.exists() else []
    found = set()
    for path in {line.split()[-1] for line in lines if "openblas" in line}:
        library = ctypes.CDLL(path)
        for name in ASK:
            if hasattr(library, name):
                ask = getattr(library, name)
                ask.restype = ctypes.c_char_p
                found.add(ask().decode())
    return found


if __name__ == "__main__":
    names = core_names()
    print(names.pop() if len(names) == 1 else "")
