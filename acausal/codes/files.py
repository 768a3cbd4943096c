"""Codes of stage: files."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {}
