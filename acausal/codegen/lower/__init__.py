"""Plan of solution steps to a straight-line program."""
