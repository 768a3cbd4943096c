"""Codes of stage: values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
