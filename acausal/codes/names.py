"""Codes of stage: names."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
