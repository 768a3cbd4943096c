"""Answers of a language server: a function each from a document, its names and an offset to plain data."""
