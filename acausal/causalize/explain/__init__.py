"""Explanations of singular or over-determined systems in the user's words."""
