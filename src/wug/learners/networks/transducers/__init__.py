"""Sequence-to-sequence networks (Kharitonov and Chaabouni 2021, ICLR; arXiv:2006.14953), trained alone or as replicas.

The architectures are those of fairseq 0.9.0, with its initial distributions. Tensors have a leading axis of replicas,
each with its own parameters, pairs and dropout; training alone is a group of one.
"""
