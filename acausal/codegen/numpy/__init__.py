"""Programs as NumPy text, the readable form and the reference."""
