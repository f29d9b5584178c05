"""The published results: recomputed from the authors' files, and held against what the paper prints."""
