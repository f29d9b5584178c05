"""Ragged integer sequences, vocabularies and prefix trees."""
