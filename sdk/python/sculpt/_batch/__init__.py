"""Calls of libsculpt's batch layer: losses, best outputs and marginals of whole batches.

../batch.py and ../torch.py have the names for users.
"""
