"""Types between the stages of the translation, their printers and checkers."""
