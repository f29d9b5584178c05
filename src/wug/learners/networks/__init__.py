"""Torch encoders and the heads that put any encoder into any setting."""
