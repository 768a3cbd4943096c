"""Forms to draw: <visual> and <collision>, and the colors of materials."""

from acausal.imports.text.elements import Element
from acausal.imports.text.remarks import Remarks
from acausal.imports.urdf.attributes import child_of, number_of, numbers_of, origin_of, text_of, vector_of
from acausal.imports.urdf.robot import Geometry, Origin, Vector

_UNIT: Vector = (1.0, 1.0, 1.0)


def materials(root: Element) -> dict[str, Vector]:
    """The colors of named materials, wherever they are first given."""
    found: dict[str, Vector] = {}
    own = [child for link in root.all("link") for visual in link.all("visual") for child in visual.all("material")]
    for material in [*root.all("material"), *own]:
        color = child_of(material, "color")
        name = material.attributes.get("name", "")
        if color is not None and name and name not in found:
            found[name] = _color(color)
    return found


def visuals(link: Element, tag: str, known: dict[str, Vector], remarks: Remarks | None) -> tuple[Geometry, ...]:
    """The forms of a link."""
    found = []
    for element in link.all(tag):
        geometry = child_of(element, "geometry")
        if geometry is None:
            raise element.fault(f"<{tag}> has no <geometry>")
        for form in geometry.children[:1]:
            made = _form(form, origin_of(element), _material(element, known, remarks))
            if made is not None:
                found.append(made)
            elif remarks is not None:
                remarks.note(f"<{form.tag}> is not drawn", form.span)
    return tuple(found)


def _form(form: Element, origin: Origin, color: Vector | None) -> Geometry | None:
    """A form, None for a kind that is not known."""
    if form.tag == "box":
        size = vector_of(form, "size")
    elif form.tag == "cylinder":
        size = (2 * number_of(form, "radius"), number_of(form, "length"), 0.0)
    elif form.tag == "sphere":
        size = (2 * number_of(form, "radius"), 0.0, 0.0)
    elif form.tag == "mesh":
        return Geometry(form.span, "mesh", vector_of(form, "scale", _UNIT), origin, text_of(form, "filename"), color)
    else:
        return None
    return Geometry(form.span, form.tag, size, origin, color=color)


def _material(visual: Element, known: dict[str, Vector], remarks: Remarks | None) -> Vector | None:
    material = child_of(visual, "material")
    if material is None:
        return None
    texture, color = child_of(material, "texture"), child_of(material, "color")
    if texture is not None and remarks is not None:
        remarks.note("<texture> is not drawn", texture.span)
    return known.get(material.attributes.get("name", "")) if color is None else _color(color)


def _color(element: Element) -> Vector:
    red, green, blue, _ = numbers_of(element, "rgba", 4)
    return red, green, blue
