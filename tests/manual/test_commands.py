"""Commands and Python blocks of the manual run, page by page, and print what the manual prints."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from acausal.cli import main
from tests.collection import ROOT
from tests.manual.listings import BLOCKS, Block, files_of

RUN = {"sh", "python"}
WITH_COMMANDS = sorted({block.page for block in BLOCKS if block.kind in RUN})


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_page(page: str, tmp_path: Path) -> None:
    for name, text in files_of(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ours = [block for block in BLOCKS if block.page == page]
    for number, block in enumerate(ours):
        if block.kind not in RUN:
            continue
        following = ours[number + 1] if number + 1 < len(ours) else None
        shown = following.text if following and following.kind == "text" and following.file is None else None
        for command in commands(block):
            done = run(command, tmp_path)
            if shown is None:
                assert done.code == 0, done.text
            else:
                assert clean(done.text) == clean(shown)


@dataclass(frozen=True)
class Done:
    """Exit code, standard output and then standard error."""

    code: int
    text: str


def commands(block: Block) -> list[list[str]]:
    """The commands of a block; those of `sh` are of acausal alone."""
    if block.kind == "python":
        return [["python", "-W", "error", "-c", block.text]]
    lines = [shlex.split(line) for line in block.text.splitlines()]
    assert all(line[0] == "acausal" for line in lines)
    return lines


def run(command: list[str], folder: Path) -> Done:
    """Python in a process of its own, acausal in this one, as a process costs more than most commands."""
    name, *arguments = command
    if name == "python":
        environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
        made = subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        return Done(made.returncode, made.stdout + made.stderr)
    out, error = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        code = main(arguments)
    return Done(code, out.getvalue() + error.getvalue())


def clean(text: str) -> str:
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).strip()
