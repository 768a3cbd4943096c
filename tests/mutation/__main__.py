"""The whole corpus of mutants: the score by kind, and every miss.

python -m tests.mutation [--each N]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.mutation.corpus import misses, score, table


def main() -> int:
    """Judge all, print misses and the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="the mutation corpus")
    parser.add_argument("--each", type=int, default=2, help="mutants of each model by each rule")
    with tempfile.TemporaryDirectory() as folder:
        judged = score(parser.parse_args().each, Path(folder))
    print("\n".join(misses(judged)))
    print(table(judged))
    return 0


if __name__ == "__main__":
    sys.exit(main())
