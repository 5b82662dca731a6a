// chunk_counter.hpp - chunks true, guessed and found, counted as the script conlleval does.
//
// A label is a tag, or a tag, a hyphen and the type of the chunk: O, B-NP, I-NP. Chunks begin and
// end between two neighbours, whatever the scheme (IOB1, IOB2, IOE1, IOE2, IOBES, BILOU), and every
// sequence of tags has a reading, such as an I behind an O, which begins a chunk.
// Source: conlleval, Tjong Kim Sang and Buchholz, CoNLL-2000, with S and with E always the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct ChunkTag {
  char tag = 'O';    // B, I, O, E or S; L of BILOU is E, U is S
  std::string type;  // empty for O, and where labels name no type
};

// Nothing for what is no label of a chunk ("NNP").
std::optional<ChunkTag> chunk_tag(std::string_view label);

class ChunkCounter {
 public:
  // The next position of a sentence.
  void next(const ChunkTag& truth, const ChunkTag& guess);
  void end_sentence() { next(ChunkTag(), ChunkTag()); }

  std::int64_t in_truth() const { return in_truth_; }
  std::int64_t guessed() const { return guessed_; }
  std::int64_t correct() const { return correct_; }  // same begin, same end, same type

 private:
  ChunkTag truth_;  // of the position before
  ChunkTag guess_;
  bool agreeing_ = false;  // both are inside a chunk that began at the same place with one type
  std::int64_t in_truth_ = 0;
  std::int64_t guessed_ = 0;
  std::int64_t correct_ = 0;
};
