"""Elements of SVG as text; whatever comes from a model is escaped."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

FONT = "DejaVu Sans, Verdana, Helvetica, sans-serif"
CHARACTER = 0.62
"""Width of a character as a share of the font size."""
LONGEST_TITLE = 400


def element(tag: str, inner: str = "", **attributes: object) -> str:
    """An element; `_` in the names of attributes stands for `-`, and one at the end for nothing."""
    texts = [f" {key.rstrip('_').replace('_', '-')}={quoteattr(_shown(value))}" for key, value in attributes.items()]
    return f"<{tag}{''.join(texts)}>{inner}</{tag}>" if inner else f"<{tag}{''.join(texts)}/>"


def text(x: float, y: float, content: str, size: float = 11, **attributes: object) -> str:
    """Text at a point."""
    return element("text", escape(content), x=x, y=y, font_size=size, **attributes)


def title(content: str) -> str:
    """A tooltip."""
    shown = content if len(content) <= LONGEST_TITLE else content[: LONGEST_TITLE - 4] + " ..."
    return f"<title>{escape(shown)}</title>"


def linked(target: str | None, inner: str) -> str:
    """Elements that lead to a place."""
    return inner if target is None else element("a", inner, href=target)


def group(inner: Sequence[str], x: float = 0.0, y: float = 0.0) -> str:
    """Elements moved to a place."""
    return element("g", "\n".join(inner), transform=f"translate({_shown(x)} {_shown(y)})")


def document(parts: Sequence[str], width: float, height: float, name: str) -> str:
    """A file."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_shown(width)}" height="{_shown(height)}"'
        f' viewBox="0 0 {_shown(width)} {_shown(height)}" font-family="{FONT}" role="img" aria-label={quoteattr(name)}>'
    )
    ground = element("rect", width=width, height=height, fill="#ffffff")
    return "\n".join([head, ground, *parts, "</svg>"]) + "\n"


def _shown(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
