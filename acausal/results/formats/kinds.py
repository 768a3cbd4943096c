"""Formats of result files by their extensions."""

from collections.abc import Callable
from pathlib import Path

from acausal.results.formats.csv_format import read_csv
from acausal.results.formats.heading import Heading, Loaded, Writer
from acausal.results.formats.mat_format import MatWriter, read_mat
from acausal.results.formats.npz_format import NpzWriter, read_npz
from acausal.results.formats.parquet_format import ParquetWriter, read_parquet

WRITERS: dict[str, Callable[[Path, Heading], Writer]] = {
    ".npz": NpzWriter,
    ".mat": MatWriter,
    ".parquet": ParquetWriter,
}
"""Writers by rows; that of CSV (`CsvWriter`) takes units as an option."""
READERS: dict[str, Callable[[Path], Loaded]] = {
    ".csv": read_csv,
    ".npz": read_npz,
    ".mat": read_mat,
    ".parquet": read_parquet,
}
KINDS = f"known formats: {', '.join(READERS)}"
