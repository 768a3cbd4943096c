"""Random hybrid models whose events and values are known by formulas, under a covering array of settings."""
