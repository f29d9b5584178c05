"""Things that can be fitted."""
