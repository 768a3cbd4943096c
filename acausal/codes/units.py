"""Codes of stage: units."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
