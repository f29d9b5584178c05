"""The four classifiers of MLRegTest (van der Poel et al. 2024, JMLR 25:283, section 5), trained as replicas.

Networks of one shape train together: tensors have a leading axis of replicas, each with its own data, seed and loss.
Training alone is a group of one.
"""
