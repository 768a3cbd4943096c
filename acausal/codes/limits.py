"""Codes of stage: limits."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
