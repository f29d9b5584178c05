"""bliss: the generalization index B (Lan, Chemla, Katzir 2023)."""
