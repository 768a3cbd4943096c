"""Commands and Python blocks of the manual run, page by page, and print what the manual prints."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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
                assert done.returncode == 0, done.stderr
            else:
                assert clean(done.stdout + done.stderr) == clean(shown)


def commands(block: Block) -> list[list[str]]:
    """The processes that a block starts; those of `sh` are of acausal alone."""
    if block.kind == "python":
        return [["-W", "error", "-c", block.text]]
    lines = [shlex.split(line) for line in block.text.splitlines()]
    assert all(line[0] == "acausal" for line in lines)
    return [["-m", *line] for line in lines]


def run(arguments: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def clean(text: str) -> str:
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).strip()
