"""Reference of libraries and language as immutable data, generated from their own text.

`libraries` reads the standard library once; `class_page` works out one class; `find` leads from a name to pages, which
`layout` turns into lines. What a library says stands in its comments and description strings, and nowhere else.
"""
