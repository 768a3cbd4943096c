"""The state of a run at an instant: what it consists of, its files, and how a system takes it over."""
