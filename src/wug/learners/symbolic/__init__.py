"""Learners of regular languages without gradients: string extension, state merging, n-grams, shortcuts, extraction.

Each is one class with its options as constructor parameters; ``wug.learners.registry`` knows them by name.
"""
