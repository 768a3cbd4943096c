"""Incidence, sorting into blocks and tearing of them."""
