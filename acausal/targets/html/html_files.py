"""The page of a model, complete in one file: works offline, from a disk."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from acausal.base.options import SimulateOptions
from acausal.results.animation.build import scene_of
from acausal.results.animation.instances import find_instances
from acausal.results.animation.page import page_of
from acausal.results.result import Result
from acausal.results.view.page import composed, embedded, names_data
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.targets.html.compile_wasm import compile_wasm, wasm_compiler
from acausal.targets.html.driver import EXPORTED, PREFIX, driver_source
from acausal.targets.html.page_model import inputs_of_user, page_model

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_options import TargetOptions

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:"
)
"""Nothing is loaded from anywhere."""


def html_files(model: "CompiledModel", name: str, options: "TargetOptions") -> Mapping[str, str | bytes]:
    """The page; UsageError F007 where no compiler is installed."""
    del name
    wasm_compiler()  # an error now, before anything is made
    code = compile_wasm(driver_source(model, options), [PREFIX + name for name in EXPORTED])
    return {".html": html_page(model, options, code)}


def html_page(model: "CompiledModel", options: "TargetOptions", code: bytes) -> str:
    """The text of the page with the compiled model."""
    program = model.program
    p = parameter_values(model.executable, {})
    assert not isinstance(p, Folded)
    names = Result.before(program, p)
    data = {"runs": [], **names_data({program.name: names}), "note": ""}
    known = embedded(page_model(program, model.folded, names, options))
    animation = _animation(model, names, p)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    further = {
        "head": f"{policy}\n<style>\n{_read('page.css')}</style>\n",
        "controls": _read("controls.html"),
        "beside": animation and f'<iframe id="animation" title="animation" srcdoc="{escape(animation)}"></iframe>\n',
        "scripts": "\n".join(
            [
                f'<script type="application/json" id="model">{known}</script>',
                f'<script type="text/plain" id="code">{b64encode(code).decode("ascii")}</script>',
                f'<script type="text/plain" id="worker">\n{_read("worker.js")}</script>',
                f"<script>\n{_read('page.js')}</script>\n",
            ]
        ),
    }
    return composed(program.name, data, further)


def _animation(model: "CompiledModel", names: Result, p: "Array") -> str:
    """The page of the animation of a run with default values; empty without a mechanism."""
    if all(instance.kind.name == "inertial" for instance in find_instances(names)):
        return ""
    from acausal.runs import run

    inputs = {name: 0.0 for _, name in inputs_of_user(model.program)}
    result = run(model.executable, p, SimulateOptions(), inputs, None, model.variants({}), model.equations)
    return page_of(scene_of({model.name: result}), live=True)


def _read(name: str) -> str:
    return (files("acausal.targets.html") / "web" / name).read_text(encoding="utf-8")
