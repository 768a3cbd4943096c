"""Codes of stage: initial."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
