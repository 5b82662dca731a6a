#!/bin/sh
# generate.sh [SEED] - writes train.txt, test.txt and new.txt, which has no tags. The sentences come
# from a small grammar, in which some words have two tags. Equal seeds give equal files.
set -e
LC_ALL=C
export LC_ALL

# sentences SEED COUNT IS_TAGGED
sentences() {
  awk -v seed="$1" -v count="$2" -v tagged="$3" '
    function random() {
      seed = (seed * 16807) % 2147483647
      return seed / 2147483647
    }
    function put(tag, list,  words, size) {
      size = split(list, words, " ")
      line = line (line == "" ? "" : " ") words[1 + int(random() * size)] (tagged ? "/" tag : "")
    }
    function noun_phrase() {
      put("D", "the a this every")
      if (random() < 0.4) put("A", "old quick small loud light")
      put("N", "dog cat walk talk light plant garden houses walks plants")
    }
    BEGIN {
      seed = seed * 1000 + 1
      for (i = 0; i < 10; ++i) random()
      for (i = 0; i < count; ++i) {
        line = ""
        noun_phrase()
        put("V", "walks sees plants talks lights barks")
        if (random() < 0.6) noun_phrase()
        if (random() < 0.3) put("B", "often quickly loudly here")
        print line
      }
    }'
}

seed=${1:-1}
sentences "$seed" 150 1 > train.txt
sentences $((seed + 1)) 100 1 > test.txt
sentences $((seed + 2)) 20 0 > new.txt
