"""Made-up texts of 58 topics with a fixed seed. Words follow Zipf's law, and each topic prefers
some words. Rows are tf-idf of length 1, with about 74 of 12 000 words."""

import bisect
import itertools
import math
import random

from svmlight import Points

WORDS, TOPICS, TEXTS = 12000, 58, 6600
PREFERRED = 150  # words that a topic prefers, not among the 40 most frequent
FROM_TOPIC = 0.55  # share of words from the topic of the text; the others: from any topic


def sums_of_topic(draw):
    """Cumulative sums of the word weights of a topic: 1 / (k + 1) for word k, 10 to 60 times this
    for preferred words."""
    weights = [1 / (word + 1) for word in range(WORDS)]
    for word in draw.sample(range(40, WORDS), PREFERRED):
        weights[word] *= draw.uniform(10, 60)
    return list(itertools.accumulate(weights))


def counted_texts(draw):
    """Yields the topic and the counts by word of each text. Half of the texts are of few topics."""
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
