"""The dialogue: `interpreter` is text in, text out; `terminal` reads lines and shows what comes back."""

from acausal.repl.terminal import run

__all__ = ["run"]
