"""Pictures of curves: as matplotlib figures, web pages and text."""
