"""Words for names in messages."""

import pytest

from acausal.ir.names import with_article


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("integer parameter", "an integer parameter"),
        ("external", "an external"),
        ("input", "an input"),
        ("unknown", "an unknown"),
        ("unit", "a unit"),
        ("boolean parameter", "a boolean parameter"),
        ("2 by 8 matrix", "a 2 by 8 matrix"),
        ("8 by 2 matrix", "an 8 by 2 matrix"),
        ("18 by 18 matrix", "an 18 by 18 matrix"),
        ("11 by 1 matrix", "an 11 by 1 matrix"),
        ("1 by 1 matrix", "a 1 by 1 matrix"),
        ("110 by 2 matrix", "a 110 by 2 matrix"),
        ("181 by 2 matrix", "a 181 by 2 matrix"),
    ],
)
def test_articles(words: str, text: str) -> None:
    assert with_article(words) == text
