"""The version of acausal."""

__version__ = "0.1.0"
