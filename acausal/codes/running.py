"""Codes of stage: running."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
