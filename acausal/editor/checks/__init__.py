"""Checks and translations of documents, in a process of its own: `worker` runs in it, `checker` starts and ends it."""
