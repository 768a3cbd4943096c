"""Tests of the HTML target."""
