"""acausal: an object-oriented, acausal modeling language and its translator."""
