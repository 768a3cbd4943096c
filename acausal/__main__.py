"""`python -m acausal` is the same as the command `acausal`."""

from acausal.cli import command

command()
