"""Codes of stage: structure."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
