"""Abstract syntax tree: the text as written, without interpretation.

Every node carries its `span`, which does not count in equality, so that
`parse(unparse(tree)) == tree` can be tested. Sums and products are n-ary, so the
depth of a tree is the depth of nesting in the text, which is limited.

The names stand here together, as many of later stages are the same: `ast.Equation`, `flat.Equation`.
"""

from acausal.ir.ast.connections import (
    Branch,
    Close,
    Connect,
    ConnectExpression,
    Connection,
    Cut,
    CutDeclaration,
    CutReference,
    ExportedCut,
    GroupCut,
    Join,
    LadderPlace,
    Loop,
    NothingPlace,
    Parallel,
    PathDeclaration,
    PathItem,
    Place,
    PlacesCut,
    Reversed,
    Series,
    VariablePlace,
)
from acausal.ir.ast.declarations import (
    Argument,
    ClassReference,
    Declarator,
    DefaultDeclaration,
    ExperimentDeclaration,
    NodeDeclaration,
    SubmodelDeclaration,
    SubmodelItem,
    ValueDeclaration,
)
from acausal.ir.ast.expressions import (
    ArrayLiteral,
    Boolean,
    Call,
    Compare,
    Comprehension,
    Expression,
    IfExpression,
    Indexed,
    Logic,
    Node,
    Number,
    Part,
    Power,
    Product,
    Quantity,
    Reference,
    Slice,
    String,
    Sum,
    Unary,
)
from acausal.ir.ast.statements import (
    Class,
    ClassParameter,
    Condition,
    Equation,
    File,
    For,
    Function,
    If,
    Include,
    InitialEquation,
    Item,
    Super,
    When,
)

# fmt: off
__all__ = [
    "Argument", "ArrayLiteral", "Boolean", "Branch", "Call", "Class", "ClassParameter", "ClassReference", "Close",
    "Compare", "Comprehension", "Condition", "Connect", "ConnectExpression", "Connection", "Cut", "CutDeclaration",
    "CutReference", "Declarator", "DefaultDeclaration", "Equation", "ExperimentDeclaration", "ExportedCut",
    "Expression", "File", "For", "Function", "GroupCut", "If", "IfExpression", "Include", "Indexed",
    "InitialEquation", "Item", "Join", "LadderPlace", "Logic", "Loop", "Node", "NodeDeclaration", "NothingPlace",
    "Number", "Parallel", "Part", "PathDeclaration", "PathItem", "Place", "PlacesCut", "Power", "Product",
    "Quantity", "Reference", "Reversed", "Series", "Slice", "String", "SubmodelDeclaration", "SubmodelItem", "Sum",
    "Super", "Unary", "ValueDeclaration", "VariablePlace", "When",
]
# fmt: on
