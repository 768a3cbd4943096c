"""Names of instances, their parameters and bindings.

From its third instance on an equation of a class is no longer worked out: the calls of the pool that it came to before
are repeated with other leaves (`expression_templates`). This is right as long as everything that the walker asks is
the same; it asks through `Scope`, so whoever lets a rule depend on more must make it known
`elaborate/functions/template_recorder`.
"""
