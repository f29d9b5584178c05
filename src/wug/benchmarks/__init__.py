"""One folder each: tasks, measures, published figures, the paper's studies and tables."""
