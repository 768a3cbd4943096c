"""Codes of stage: parsing."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
