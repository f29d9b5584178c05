"""Factors on string, precedence and tier models, and the 1,800 languages of MLRegTest."""
