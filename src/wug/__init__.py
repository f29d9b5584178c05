"""wug: what sequence models do beyond their training data, in five published evaluation systems."""

__version__ = "0.1.0"
