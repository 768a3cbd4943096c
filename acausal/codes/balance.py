"""Codes of stage: balance."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
