"""Functions of the language, of users and of functional mock-up units, as expressions."""
