// chunk_counter.hpp - counts true, guessed and correct chunks like the script conlleval.
//
// A label is a tag, or a tag, a hyphen and the type of the chunk: O, B-NP, I-NP. Chunks begin and
// end between two positions, in all schemes (IOB1, IOB2, IOE1, IOE2, IOBES, BILOU). Every sequence
// of tags is valid: an I after an O begins a chunk. Source: conlleval, Tjong Kim Sang and Buchholz,
// CoNLL-2000, with the tag S added, and with E always as the end. Used by conll.cpp and
// label_set.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct ChunkTag {
  char tag = 'O';    // B, I, O, E or S; L of BILOU is E, U is S
  std::string type;  // empty for O, and if labels have no type
};

// Returns nullopt if the label is no chunk label ("NNP").
std::optional<ChunkTag> chunk_tag(std::string_view label);

class ChunkCounter {
 public:
  // Adds the next position of a sentence.
  void add(const ChunkTag& truth, const ChunkTag& guess);
  void end_sentence() { add(ChunkTag(), ChunkTag()); }

  std::int64_t truth_count() const { return truth_count_; }
  std::int64_t guess_count() const { return guess_count_; }
  std::int64_t correct_count() const { return correct_count_; }  // same begin, same end, same type

 private:
  ChunkTag truth_;  // of the previous position
  ChunkTag guess_;
  bool chunks_agree_ = false;  // both are in a chunk with the same begin and type
  std::int64_t truth_count_ = 0;
  std::int64_t guess_count_ = 0;
  std::int64_t correct_count_ = 0;
};
