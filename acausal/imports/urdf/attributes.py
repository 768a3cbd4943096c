"""Attributes of elements as numbers and names, F030 for what is missing or malformed."""

import re

from acausal.imports.text.elements import Element
from acausal.imports.urdf.robot import ZERO, Origin, Vector

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_LARGEST = 1e300


def text_of(element: Element, name: str) -> str:
    """An attribute that must be there and not be empty."""
    value = element.attributes.get(name, "").strip()
    if not value:
        raise element.fault(f"<{element.tag}> has no attribute {name}")
    return value


def number_of(element: Element, name: str, default: float | None = None) -> float:
    """A number; without default the attribute must be there."""
    if default is not None and name not in element.attributes:
        return default
    return _number(element, name, text_of(element, name))


def optional_number(element: Element, name: str) -> float | None:
    """A number, None where the attribute is absent."""
    return number_of(element, name) if name in element.attributes else None


def numbers_of(element: Element, name: str, count: int) -> tuple[float, ...]:
    """So many numbers with blanks between them."""
    words = text_of(element, name).split()
    if len(words) != count:
        raise element.fault(f'{name}="{element.attributes[name]}" has {len(words)} numbers, not {count}')
    return tuple([_number(element, name, word) for word in words])


def vector_of(element: Element, name: str, default: Vector | None = None) -> Vector:
    """Three numbers."""
    if default is not None and name not in element.attributes:
        return default
    x, y, z = numbers_of(element, name, 3)
    return x, y, z


def child_of(element: Element, tag: str) -> Element | None:
    """The only child of a tag, None if there is none."""
    found = list(element.all(tag))
    if len(found) > 1:
        raise found[1].fault(f"a second <{tag}> in <{element.tag}>", None, found[0])
    return found[0] if found else None


def origin_of(element: Element) -> Origin:
    """The <origin> of an element; without one that of its parent."""
    found = child_of(element, "origin")
    return Origin() if found is None else Origin(vector_of(found, "xyz", ZERO), vector_of(found, "rpy", ZERO))


def _number(element: Element, name: str, word: str) -> float:
    if "${" in word:
        raise element.fault(f'{name}="{word}" is a property of xacro', "run xacro first: xacro arm.xacro > arm.urdf")
    if not _NUMBER.fullmatch(word) or abs(float(word)) > _LARGEST:
        raise element.fault(f'{name}="{element.attributes[name]}": {word} is not a finite number')
    return float(word)
