// counted_texts.hpp - texts with their frequencies, before rare ones are dropped.
//
// Used by attributes.hpp and crfsuite.cpp while they learn attributes.
#pragma once

#include "dictionary.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

class CountedTexts {
 public:
  // Counts the text. Returns its number, by first appearance.
  std::int32_t add(std::string_view text);
  std::int64_t size() const { return texts_.size(); }

  // Adds the texts that occur at least `cutoff` times to `kept`, which is empty. Returns the number
  // of each text in `kept`, or -1, [size()].
  std::vector<std::int32_t> keep(std::int64_t cutoff, Dictionary& kept) const;

 private:
  Dictionary texts_;
  std::vector<std::int64_t> frequencies_;  // [size()]
};
