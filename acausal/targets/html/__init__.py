"""The HTML target: a model as WebAssembly in one offline page with sliders, plots and animation.

`driver` is the C code between the core of the C target and the page's worker, `compile_wasm` compiles both,
`page_model` holds what the page knows about the model (parameters, variables, experiment), `html_files` puts the page
together. Its plots are those of `results/view`, its animation is that of `results/animation`.
"""
