"""The LALR automaton: tables and lexer."""
