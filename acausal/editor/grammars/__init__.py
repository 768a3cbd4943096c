"""Grammars and extensions for editors: TextMate, tree-sitter, VS Code; made from the grammar of the language."""
