"""Instance tree and flat model of one class."""
