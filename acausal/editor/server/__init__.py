"""The language server: the only folder that knows pygls. It turns offsets into positions."""
