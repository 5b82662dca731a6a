"""Rows of whole numbers, like the UCI letters: a class, and features from 1 to 15.

A class has four prototypes, its fonts, which differ a little. A row is a prototype with triangular
noise on each feature. One row in twenty has a class by chance, so no model is without error."""

import numpy as np

from draws import CONTENT, MODEL, SIZES, Stream, triangle
from fields import constant, decimals, fields, packed, taken

FONTS = 4
LARGEST = 15
BY_CHANCE = 20  # one row of so many
BLOCK_ENTRIES = 2**19


class Rows:
    """Makes blocks of rows."""

    end = b"\n"
    unit = "entries"

    def __init__(self, options):
        self._seed, self._classes, self._features = options.seed, options.classes, options.features
        self._entries = max(1, round(options.density * options.features))
        self.block = max(1, BLOCK_ENTRIES // self._entries)
        # Entry j of a row is one of the features from strata[j] to strata[j + 1] - 1.
        self._strata = np.arange(self._entries + 1) * self._features // self._entries
        stream = Stream(MODEL, options.model)
        centre = 5 + stream.integers(self._classes * self._features, "u1") % 7
        self._means = np.repeat(centre.reshape(self._classes, self._features), FONTS, axis=0)
        for font in self._means:  # one by one, to save memory
            font += stream.integers(self._features, "u1") % 5 - 2
        self._values = self._noisy_values()
        self._indices = np.concatenate([
            constant(" ", self._features),
            decimals(np.arange(1, self._features + 1), self._features),
            constant(":", self._features)], axis=1)
        self._numbers = decimals(np.arange(LARGEST + 1), LARGEST)
        self._labels = decimals(np.arange(1, self._classes + 1), self._classes)

    def make(self, block, count):
        """(the bytes of the first `count` rows of a block, their entries)"""
        labels = Stream(SIZES, self._seed, block)
        prototypes = labels.below(self.block, self._classes * FONTS)
        classes = np.where(labels.below(self.block, BY_CHANCE) == 0,
                           labels.below(self.block, self._classes), prototypes // FONTS)
        return self._lines(block, prototypes[:count], classes[:count]), count * self._entries

    def _lines(self, block, prototypes, classes):
        draws = Stream(CONTENT, self._seed, block).words(len(prototypes) * self._entries)
        draws = draws.reshape(len(prototypes), self._entries)
        index = self._strata[:-1] + (
            ((draws >> np.uint64(32)) * np.diff(self._strata).astype(np.uint64))
            >> np.uint64(32)).astype(np.int64)
        mean = self._means.ravel().take(prototypes[:, None] * self._features + index)
        noise = (draws & np.uint64(255)).astype(np.int64)
        value = self._values.take(mean.astype(np.int64) * 256 + noise)
        entries = np.concatenate([taken(self._indices, index), taken(self._numbers, value)], axis=2)
        return packed(self._labels[classes], entries.reshape(len(entries), -1),
                      constant("\n", len(entries)))

    @staticmethod
    def _noisy_values():
        """uint8 [(LARGEST + 1) * 256]: the value for a mean and a byte of noise."""
        noise = triangle() // 3
        return np.clip(np.arange(LARGEST + 1)[:, None] + noise, 1, LARGEST).astype(np.uint8).ravel()
