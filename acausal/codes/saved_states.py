"""Codes of saved states and checkpoints."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "A010": CodeEntry(
        title="the state cannot be saved",
        meaning="FMUs in the model have internal states that are not part of a saved state.",
        example='r = t.simulate(stop=1); r.state()        { of a model with a submodel (fmu "pump.fmu") }',
        fix="Simulate from the start.",
        command="",
    ),
    "A011": CodeEntry(
        title="a state belongs to another model",
        meaning=(
            "A run can be continued only from a state of the same model: states, relations, discrete variables and "
            "delays must have the same names. Parameters and equations may have changed."
        ),
        example="acausal simulate motor.mdl --from pump.npz",
        fix="Name a state file of this model, or give initial values by name: --init x=1.",
        command="",
    ),
    "A012": CodeEntry(
        title="a run has no state at this time",
        meaning=(
            "The time is outside the run, or the file does not describe how the run was made. Files that `simulate "
            "-o` writes as .npz contain the state at the end; for earlier times the run is repeated up to that time, "
            "as long as the model and the files of its inputs are those of that run."
        ),
        example="acausal simulate motor.mdl --stop 1 -o a.npz && acausal simulate motor.mdl --from a.npz@2",
        fix="Choose a time within the run, or continue from its end: --from RESULT.npz.",
        command="",
    ),
    "A013": CodeEntry(
        title="a checkpoint belongs to another run",
        meaning=(
            "`--checkpoint FILE` continues the run that wrote the file. The model, parameters, inputs, options or the "
            "version of acausal differ from that run, or the file with its rows is missing or damaged."
        ),
        example="acausal simulate example.mdl --checkpoint run.npz      { after the model was changed }",
        fix="Repeat the original command, name another file, or remove this one to simulate from the start.",
        command="",
    ),
}
