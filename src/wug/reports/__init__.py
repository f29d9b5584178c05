"""Comparison with the papers, figures and the web page."""
