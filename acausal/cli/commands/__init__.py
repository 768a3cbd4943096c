"""The commands, one function each; `command_table` says which module has which command."""
