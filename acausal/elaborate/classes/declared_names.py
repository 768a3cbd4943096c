"""Names that an item of a class declares, and whether it has connections."""

from acausal.ir import ast


def declared_names(item: ast.Item) -> list[str]:
    """The names of values and things that an item declares."""
    match item:
        case ast.ValueDeclaration() | ast.NodeDeclaration():
            return [declarator.name for declarator in item.declarators]
        case ast.SubmodelDeclaration():
            return [one.name for one in item.items]
        case ast.CutDeclaration():
            places = [p for c in item.cuts if isinstance(c, ast.PlacesCut) for p in (*c.across, *c.through)]
            named = [p.name for p in places if not isinstance(p, ast.NothingPlace) and p.name is not None]
            return [*(cut.name for cut in item.cuts), *named]
        case ast.PathDeclaration():
            return [path.name for path in item.paths if path.name is not None]
        case _:
            return []


def has_connections(item: ast.Item) -> bool:
    """True if there is a connect statement in a loop or an `if`, or in one inside it."""
    inside = [item]
    for statement in inside:
        if isinstance(statement, ast.Connect | ast.Close):
            return True
        if isinstance(statement, ast.For):
            inside += statement.items
        elif isinstance(statement, ast.If):
            inside += [i for _, items in statement.branches for i in items]
            inside += statement.otherwise or ()
    return False
