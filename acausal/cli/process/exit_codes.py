"""Exit codes of the command besides those of exceptions."""

INTERRUPTED = 130
"""The user ended the command (128 + SIGINT)."""
