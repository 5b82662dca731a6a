"""Texts of 58 topics: words by Zipf's law, some of which each topic prefers; the same ones every
time. Rows are tf-idf of length 1, with about 74 words of 12 000."""

import bisect
import itertools
import math
import random

from svmlight import Points

WORDS, TOPICS, TEXTS = 12000, 58, 6600
PREFERRED = 150  # words of a topic, none of the 40 that are the most frequent
FROM_TOPIC = 0.55  # of the words of a text; the others come from all topics


def sums_of_topic(draw):
    """Word k has the chance 1 / (k + 1), those that are preferred 10 to 60 times that."""
    chances = [1 / (word + 1) for word in range(WORDS)]
    for word in draw.sample(range(40, WORDS), PREFERRED):
        chances[word] *= draw.uniform(10, 60)
    return list(itertools.accumulate(chances))


def counted_texts(draw):
    """Topic and counts by word; half of the texts are of few topics."""
    topics = [sums_of_topic(draw) for _ in range(TOPICS)]
    for _ in range(TEXTS):
        is_common = draw.random() < 0.5
        topic = min(TOPICS - 1, int(draw.paretovariate(0.8)) - 1) if is_common \
            else draw.randrange(TOPICS)
        counts = {}
        for _ in range(int(draw.lognormvariate(4.4, 0.5)) + 5):
            sums = topics[topic if draw.random() < FROM_TOPIC else draw.randrange(TOPICS)]
            word = bisect.bisect(sums, draw.random() * sums[-1])
            counts[word] = counts.get(word, 0) + 1
        yield topic, counts


def weigh(counts, texts_with):
    weights = {word: (1 + math.log(count)) * math.log(TEXTS / texts_with[word])
               for word, count in counts.items()}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return [(word + 1, weights[word] / length) for word in sorted(weights) if weights[word] > 0]


def points(seed=5):
    texts = list(counted_texts(random.Random(seed)))
    texts_with = [0] * WORDS
    for _, counts in texts:
        for word in counts:
            texts_with[word] += 1
    return Points([str(topic + 1) for topic, _ in texts],
                  [weigh(counts, texts_with) for _, counts in texts])
