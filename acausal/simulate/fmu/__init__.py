"""Functional mock-up units while a model runs: each in a process of its own (`child`), asked through `unit`."""
