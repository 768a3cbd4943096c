"""Codes of imported files, targets and FMUs."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "F013": CodeEntry(
        title="a SPICE model card cannot be read",
        meaning="A card is a line .model NAME TYPE(PARAMETER=VALUE ...); continuation lines begin with +.",
        example=".model X1 TRIODE(MU=100)",
        fix=(
            "Correct the position shown in the message; the types are D NPN PNP NJF PJF NMOS PMOS, and only level 1 is "
            "supported."
        ),
        command="",
    ),
    "F030": CodeEntry(
        title="a robot description cannot be imported",
        meaning=(
            "A robot description (URDF) is an XML file <robot> with links and joints, in which every link but one, the "
            "root, is the child of one joint. Macros of xacro are expanded before; document type declarations are not "
            "allowed."
        ),
        example=(
            "model M\n  local x\n  der(x) = 1\nend\n--- arm.urdf\n"
            '<robot name="arm">\n  <link name="base"/>\n  <joint name="shoulder" type="revolute">\n'
            '    <parent link="base"/>\n    <child link="upper"/>\n  </joint>\n</robot>\n'
        ),
        fix='Correct the element shown in the message: here, add <link name="upper">.',
        command="acausal import arm.urdf -o arm.lib",
    ),
    "F031": CodeEntry(
        title="a netlist cannot be imported",
        meaning=(
            "A line of a SPICE netlist is malformed, names something that does not exist (a model, a subcircuit, a "
            "parameter, a node), or requires a device that the libraries do not have, such as a transistor of a level "
            "other than 1. Included files must be in the folder of the netlist or below, or in a folder of --path."
        ),
        example=(
            "model M\n  local x\n  der(x) = 1\nend\n--- amp.cir\n"
            "Rectifier\nV1 in 0 SIN(0 5 50)\nD1 in out D4007\nR1 out 0 1k\n.tran 1m 0.1\n.end\n"
        ),
        fix="Correct the word shown in the message: here, add the line .model D4007 D(IS=7n RS=34m N=1.8).",
        command="acausal import amp.cir -o amp.mdl",
    ),
    "F050": CodeEntry(
        title="an FMU cannot be imported",
        meaning=(
            'The class fmu "FILE.fmu" is made of a functional mock-up unit for FMI 2.0 or 3.0: a ZIP archive of plain '
            "files with a model description in UTF-8, without document type declaration, and a binary for this "
            "computer. "
            "The archive is read when the model is translated; its binary runs only in a simulation."
        ),
        example='model M\n  submodel (fmu "pump.fmu") pump\nend',
        fix="Correct the name, or export the FMU again as the message says.",
    ),
    "F032": CodeEntry(
        title="a part of an imported file is not translated",
        meaning=(
            "The part has no counterpart in the libraries, or is irrelevant to a simulation. A warning means that the "
            "behavior would be different with it; otherwise it is a note."
        ),
        example=(
            "model M\n  local x\n  der(x) = 1\nend\n--- arm.urdf\n"
            '<robot name="arm">\n  <link name="base"/>\n  <gazebo/>\n</robot>\n'
        ),
        fix="Add what is missing to the model by hand, if the simulation needs it.",
        command="acausal import arm.urdf -o arm.lib",
    ),
    "F040": CodeEntry(
        title="a target cannot express a part of the model",
        meaning=(
            "`acausal translate --target` writes the model in another language or format. The message names the part "
            "of the model that this target has no counterpart for, and its line."
        ),
        example=(
            "model M\n  local x (start=1), y, v, a\n  der(x) = -x\n  y = delay(x, 1)\n  v = der(y)\n  a = der(v)\nend"
        ),
        fix="Remove that part from the model, choose another target, or run the model with `acausal simulate`.",
        command="acausal translate example.mdl --target python -o example.py",
    ),
    "F046": CodeEntry(
        title="a C compiler fails",
        meaning=(
            "`acausal translate --target fmi3` compiles the C code of the model into the FMU, and `--target html` "
            "compiles it to WebAssembly. The compiler of this machine (`CC`, gcc, clang or cc), or that of the "
            "package ziglang for other platforms, reported an error."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -x\nend",
        fix="Use another compiler (`CC=clang`), or write the sources alone with `--source-only`.",
        command="acausal translate example.mdl --target fmi3 -o example.fmu    # CC=false, which compiles nothing",
    ),
    "R040": CodeEntry(
        title="an FMU failed",
        meaning=(
            "The FMU reported an error, crashed or did not answer in time. The separate process in which it runs was "
            "ended."
        ),
        example='model M\n  submodel (fmu "ball.fmu") ball\n  ball.f = 0\nend',
        fix="Run the FMU alone in another tool. ACAUSAL_FMU_TIMEOUT=SECONDS gives it more time for one call.",
        command="acausal simulate example.mdl    # the library in ball.fmu is damaged",
    ),
    "R041": CodeEntry(
        title="an analysis cannot run an FMU",
        meaning="FMUs run in simulations and sweeps, but not in linearization and in derivatives as functions.",
        example='model M\n  submodel (fmu "ball.fmu") ball\n  ball.f = 0\nend',
        fix="Simulate the model, or analyze a model without the FMU.",
        command="acausal linearize example.mdl",
    ),
}
