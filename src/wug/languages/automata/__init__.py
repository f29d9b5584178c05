"""Dense complete DFAs: building, operations, canonical form, syntactic monoid, class decisions, file formats."""
