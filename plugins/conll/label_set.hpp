// label_set.hpp - the labels of the training data, and the labels that only other data have.
//
// Used by conll.cpp. Labels of the training data are the states [0, size()), by first
// appearance. Unseen labels have numbers from size() on, which only the dataset itself uses. Its
// truths contain -1 for them. Only its metrics know that such a token has a label, which no guess
// gets right.
#pragma once

#include "chunk_counter.hpp"
#include "dictionary.hpp"

#include <sculpt/cpp/state.hpp>

#include <string>
#include <vector>

class LabelSet {
 public:
  std::int32_t size() const { return static_cast<std::int32_t>(known_.size()); }
  void learn(std::string_view label);
  std::int32_t find(std::string_view label) const { return known_.find(label); }  // -1 if missing
  // Throws E_INVALID unless the number is in [0, size()).
  std::string_view text(std::int64_t state) const;
  // Returns at most ten labels: "(B-NP, I-NP, O)".
  std::string list() const { return list_of(known_); }

  // Returns a number for a label that is not among the states. Equal labels get equal numbers.
  std::int32_t add_unseen(std::string_view label);
  // Returns at most ten unseen labels: "(B-XP, I-XP)".
  std::string unseen_list() const { return list_of(unseen_); }

  // Returns the chunk tag of a state or an unseen label. Meaningful only if all_are_chunk_labels().
  // Throws E_INVALID for other numbers.
  const ChunkTag& tag(std::int32_t number) const;
  bool all_are_chunk_labels() const { return all_are_chunk_labels_; }

  // What is not in the state, for a cache (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    std::vector<std::string> unseen;
    for (std::int64_t k = 0; k < unseen_.size(); ++k) unseen.emplace_back(unseen_.text(k));
    cache(unseen);
    if constexpr (Cache::reads) {
      for (const std::string& label : unseen) add_unseen(label);
    }
  }

  void save(sculpt::StateWriter& writer) const { known_.save(writer); }
  void restore(sculpt::StateReader& reader);

 private:
  static std::string list_of(const Dictionary& labels);
  void add_tag(std::string_view label);

  Dictionary known_;
  Dictionary unseen_;
  std::vector<ChunkTag> tags_;  // for known_, then for unseen_
  bool all_are_chunk_labels_ = true;
};
