"""From the ast to the flat model."""
