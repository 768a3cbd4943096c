"""Verifiers of the types between the stages: `check_stage` after every pass in all tests, never in production."""
