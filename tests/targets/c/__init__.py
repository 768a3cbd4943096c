"""Tests of the C target."""
