"""Libraries, namespaces and declarations of classes."""
