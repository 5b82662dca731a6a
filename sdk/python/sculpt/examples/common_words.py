"""A kernel in Python: how many different words two texts have in common, as a share.

k(a, b) = |A and B| / |A or B|,  A and B the sets of words (Jaccard 1901; Tanimoto for fingerprints)

For the dataset texts with "symbols": "words".
"""

import numpy as np


class CommonWords:
    """the share of common words"""
    degree: int = 1
    positive = True  # the share is positive semidefinite, and so are its powers

    def kernel_rows(self, rows, others):
        sets = [frozenset(row.value.tolist()) for row in others]
        return np.array([[self.share(frozenset(row.value.tolist()), other) for other in sets]
                         for row in rows])

    def share(self, one, other):
        either = len(one | other)
        return (len(one & other) / either if either else 1.0) ** self.degree
