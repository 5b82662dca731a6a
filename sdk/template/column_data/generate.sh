#!/bin/sh
# generate.sh [SEED] - writes train.txt, test.txt and new.txt, which has no labels, for the dataset
# conll: a symbol and its label in each line, and a blank line behind each sequence. Equal seeds give
# equal files.
set -e
LC_ALL=C
export LC_ALL

# sequences SEED COUNT IS_LABELLED
sequences() {
  awk -v seed="$1" -v count="$2" -v labelled="$3" '
    function random() {
      seed = (seed * 16807) % 2147483647
      return seed / 2147483647
    }
    BEGIN {
      seed = seed * 1000 + 1
      for (i = 0; i < 10; ++i) random()
      for (i = 0; i < count; ++i) {
        size = 1 + int(random() * 5)
        y = int(random() * 3)
        for (t = 0; t < size; ++t) {
          if (random() < 0.5) y = (y + 1) % 3
          symbol = (2 * y + int(random() * 3)) % 6
          print "x" symbol (labelled ? " " substr("abc", y + 1, 1) : "")
        }
        print ""
      }
    }'
}

seed=${1:-1}
sequences "$seed" 100 1 > train.txt
sequences $((seed + 1)) 50 1 > test.txt
sequences $((seed + 2)) 20 0 > new.txt
