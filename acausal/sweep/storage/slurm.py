"""The script of a job array for Slurm: a task of the array does a shard of a sweep."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from acausal.base.files.atomic_write import write_text
from acausal.sweep.storage.folder import SCRIPT

# As in the manual of sbatch: --requeue has a task repeated whose node is lost, %a is the number of the task. A task
# that is repeated goes on with its shard, as the same command does.
_SCRIPT = """\
#!/bin/sh
#SBATCH --job-name={name}
#SBATCH --array=1-{count}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --chdir={here}
#SBATCH --output={folder}/slurm-%a.log

# Submit: sbatch {script}    How far it is: {python} -m acausal sweep --status {folder}
# Time, memory and partition: add options of sbatch above or to the command.
exec {python} -m acausal sweep {command} --shard "$SLURM_ARRAY_TASK_ID/{count}" \\
  --jobs "${{SLURM_CPUS_PER_TASK:-1}}" --quiet
"""


def write_script(name: str, arguments: Sequence[str], folder: Path, count: int) -> Path:
    """Write the script into the folder, for a command with these arguments; its path."""
    script = folder / SCRIPT
    write_text(script, array_script(name, without_slurm(arguments), folder, script, count))
    return script


def without_slurm(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command without those that ask for the script."""
    found: list[str] = []
    left = iter(arguments)
    for argument in left:
        if argument == "--slurm":
            next(left, None)
        elif not argument.startswith("--slurm="):
            found.append(argument)
    return found


def array_script(name: str, arguments: Sequence[str], folder: Path, script: Path, count: int) -> str:
    """The script; `arguments` are those of the command `acausal` without a shard, which find files from here."""
    quoted = {"script": script, "folder": folder.resolve(), "here": Path.cwd(), "python": sys.executable}
    places = {key: shlex.quote(str(value)) for key, value in quoted.items()}
    job = "".join(sign if sign.isalnum() else "-" for sign in name)
    return _SCRIPT.format(name=job, count=count, command=shlex.join(arguments), **places)
