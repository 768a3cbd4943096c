"""Codes of stage: cuts."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
