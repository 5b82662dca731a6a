// sequence.hpp - a sequence of letters and what is known of each of them; pairs of sequences.
//
// Made by pairs_fasta.cpp, read by everything else.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ascii.hpp>
#include <string>
#include <vector>

namespace alignment {

struct Sequence {
  std::string text;  // as in the file, without gaps
  // [1 + further tracks][length()]: the numbers of the letters, then of the symbols beside them;
  // `wildcard` where nothing is known
  std::vector<std::vector<std::int32_t>> symbols;
  std::vector<double> profile;  // [length()][columns], or empty: it has none

  std::int64_t length() const { return static_cast<std::int64_t>(text.size()); }
  char at(std::int64_t i) const { return text[static_cast<std::size_t>(i)]; }
  // Letters in lower case are aligned, but nobody knows whether rightly.
  bool scored(std::int64_t i) const { return !sculpt::is_lower(at(i)); }
};

struct SequencePair {
  Sequence a;
  Sequence b;
};

// What the symbols of one of Sequence::symbols are.
struct Track {
  std::string name;
  std::string symbols;  // by their numbers
};

}  // namespace alignment
