"""Formats of result files by their extensions."""

from collections.abc import Callable
from pathlib import Path

from acausal.base.lazy import lazy
from acausal.results.formats.csv_format import read_csv
from acausal.results.formats.heading import Heading, Loaded, Writer

WRITERS: dict[str, Callable[[Path, Heading], Writer]] = {
    ".npz": lazy("results.formats.npz_format", "NpzWriter"),
    ".mat": lazy("results.formats.mat_format", "MatWriter"),
    ".parquet": lazy("results.formats.parquet_format", "ParquetWriter"),
}
"""Writers by rows; that of CSV (`CsvWriter`) takes units as an option."""
READERS: dict[str, Callable[[Path], Loaded]] = {
    ".csv": read_csv,
    ".npz": lazy("results.formats.npz_format", "read_npz"),
    ".mat": lazy("results.formats.mat_format", "read_mat"),
    ".parquet": lazy("results.formats.parquet_format", "read_parquet"),
}
KINDS = f"known formats: {', '.join(READERS)}"
