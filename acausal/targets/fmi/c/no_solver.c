/* Model Exchange alone needs no solver. */

static void solver_free(fmu *f) { (void)f; }
static void solver_changed(fmu *f) { (void)f; }
