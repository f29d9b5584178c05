"""Formal languages with exact answers; NumPy and Numba only."""
