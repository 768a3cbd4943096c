"""FMI: a translation as a Functional Mock-up Unit of FMI 2.0 or 3.0, for Model Exchange and Co-Simulation.

    Program, FlatModel ─ elements ─▶ Element  scalars with causality, variability, start, and where C finds them
                       ─ grouping ─▶ Variable arrays (FMI 3), aliases, value references
                       ─ structure ─▶ Unknown dependencies
                       ─ description2, description3, terminals ─▶ XML
                       ─ tables, sources ─▶ C: the core of `targets/c`, tables, and the wrapper in `c/`
                       ─ compilers ─▶ binaries
                       ─ archive ─▶ the FMU, the same bytes for the same model

(FMI 2.0.5, FMI 3.0.2; the headers in `headers/` are those of the standard, BSD-2-Clause.)
"""
