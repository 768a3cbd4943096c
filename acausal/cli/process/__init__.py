"""The process of a command: its session, streams, exit codes, and end."""
