#!/bin/sh
# generate.sh [SEED] - writes train.txt, test.txt and new.txt, which has no pieces. Words are made of
# a few syllables. Equal seeds give equal files.
set -e
LC_ALL=C
export LC_ALL

# words SEED COUNT IS_LABELLED
words() {
  awk -v seed="$1" -v count="$2" -v labelled="$3" '
    function random() {
      seed = (seed * 16807) % 2147483647
      return seed / 2147483647
    }
    BEGIN {
      seed = seed * 1000 + 1
      for (i = 0; i < 10; ++i) random()
      size = split("un re pre walk do see talk ing er s ness able or in", syllables, " ")
      for (i = 0; i < count; ++i) {
        pieces = 1 + int(random() * 4)
        line = ""
        for (k = 0; k < pieces; ++k) {
          line = line (labelled && k > 0 ? "|" : "") syllables[1 + int(random() * size)]
        }
        print line (labelled ? "" : "?")
      }
    }'
}

seed=${1:-1}
words "$seed" 200 1 > train.txt
words $((seed + 1)) 100 1 > test.txt
words $((seed + 2)) 20 0 > new.txt
