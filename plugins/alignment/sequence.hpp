// sequence.hpp - a sequence of letters with its tracks and profile; pairs of sequences.
//
// Made by pairs_fasta.cpp. Used by all other files of this plugin.
#pragma once

#include <cstdint>
#include <sculpt/cpp/ascii.hpp>
#include <string>
#include <vector>

namespace alignment {

struct Sequence {
  std::string name;  // as in the file
  std::string text;  // as in the file, without gaps
  // The numbers of the letters, then of the symbols of each track: [1 + tracks][length()].
  // `wildcard` if unknown.
  std::vector<std::vector<std::int32_t>> symbols;
  std::vector<double> profile;  // [length()][columns], or empty if there is none

  std::int64_t length() const { return static_cast<std::int64_t>(text.size()); }
  char at(std::int64_t i) const { return text[static_cast<std::size_t>(i)]; }
  // False for letters in lower case: they are aligned, but the alignment is not reliable.
  bool is_scored(std::int64_t i) const { return !sculpt::is_lower(at(i)); }
};

struct SequencePair {
  Sequence a;
  Sequence b;
};

// The meaning of the numbers in one of Sequence::symbols.
struct Track {
  std::string name;
  std::string symbols;  // indexed by number
};

}  // namespace alignment
