// label_set.hpp - the labels of the training data, and those that only other data has.
//
// Part of the dataset conll. The first are the states [0, size()), by first appearance. The others
// have numbers from size() on that never leave the dataset: its truths say -1 there, and only its
// own metrics know that such a token has a label, which no guess gets right.
#pragma once

#include "chunk_counter.hpp"
#include "dictionary.hpp"

#include <sculpt/cpp/state.hpp>

class LabelSet {
 public:
  std::int32_t size() const { return static_cast<std::int32_t>(known_.size()); }
  void learn(std::string_view label);
  std::int32_t find(std::string_view label) const { return known_.find(label); }  // -1: not there
  // Throws Error for a number outside [0, size()).
  std::string_view text(std::int64_t state) const;
  // "(B-NP, I-NP, O)"; the first ten.
  std::string list() const { return list_of(known_); }

  // A number for a label that is not among the states.
  std::int32_t unseen(std::string_view label);
  // Those so far, "(B-XP, I-XP)", or the first of them.
  std::string unseen_list() const { return list_of(unseen_); }

  // Of a state or an unseen label; means something while of_chunks(). Throws Error for others.
  const ChunkTag& tag(std::int32_t number) const;
  bool of_chunks() const { return of_chunks_; }

  void save(sculpt::StateWriter& writer) const { known_.save(writer); }
  void restore(sculpt::StateReader& reader);

 private:
  static std::string list_of(const Dictionary& labels);
  void add_tag(std::string_view label);

  Dictionary known_;
  Dictionary unseen_;
  std::vector<ChunkTag> tags_;  // of known_, then of unseen_
  bool of_chunks_ = true;       // no label but those of chunks
};
