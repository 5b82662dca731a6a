#!/bin/sh
# generate.sh [SEED] - writes train.txt, test.txt and new.txt, which has no labels. Labels walk by at
# most 1, and the inputs are noisy copies of them. Equal seeds give equal files.
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
        size = int(random() * 12)
        line = size == 0 ? "-" : ""
        y = int(random() * 3)
        for (t = 0; t < size; ++t) {
          y += int(random() * 3) - 1
          if (y < 0) y = 0
          if (y > 2) y = 2
          x = sprintf("1,%.3f,%.3f", y + 2 * random() - 1, (y - 1) ^ 2 + 2 * random() - 1)
          line = line (t > 0 ? " " : "") (labelled ? y : "?") ":" x
        }
        print line
      }
    }'
}

seed=${1:-1}
sequences "$seed" 200 1 > train.txt
sequences $((seed + 1)) 100 1 > test.txt
sequences $((seed + 2)) 20 0 > new.txt
