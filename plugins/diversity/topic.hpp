// topic.hpp - a topic: candidate documents with their words and subtopics, and the best choice.
#pragma once

#include <sculpt/sculpt.hpp>

#include "document_sets.hpp"

namespace diversity {

// How often a document has a word. Words are numbered within a topic, in order of appearance.
struct WordCount {
  std::int32_t word = 0;
  std::int64_t count = 0;
};

struct Topic {
  std::string name;
  std::int64_t line = 0;                      // where it begins
  std::vector<std::string> documents;         // their names
  std::vector<std::vector<WordCount>> words;  // [documents], words ascending
  std::int32_t word_count = 0;
  bool labelled = false;
  DocumentSets subtopics;
  std::int64_t choice_size = 0;     // k: of outputs
  std::vector<double> weight;       // [subtopics], whole numbers, so that sums are exact
  double all_weights = 0;           // their sum
  std::vector<std::int32_t> truth;  // [k] ascending; empty where there is none
  double most_covered = 0;          // no choice covers a larger weight

  std::int32_t document_count() const { return static_cast<std::int32_t>(documents.size()); }

  // Throws unless y is an output: k numbers of documents, ascending.
  void check(sculpt::Labels y) const {
    if (y.count() != choice_size) {
      throw sculpt::Error(SCULPT_E_INVALID, "an output of this topic has " +
                                                std::to_string(choice_size) + " documents, not " +
                                                std::to_string(y.count()));
    }
    std::int32_t previous = -1;
    for (const std::int32_t document : y) {
      if (document <= previous || document >= document_count()) {
        throw sculpt::Error(SCULPT_E_INVALID, "an output has numbers of documents below " +
                                                  std::to_string(document_count()) +
                                                  ", in ascending order");
      }
      previous = document;
    }
  }

  // The weight of the subtopics that one of the documents has.
  double covered(std::span<const std::int32_t> choice) const {
    return covered_value(subtopics, weight, choice);
  }
  // Delta(truth, guess): the weight of the subtopics that the guess covers less than the truth, as
  // a share of all. No output is above a truth that is the best choice; where it is not, those
  // above have 0.
  double loss(std::span<const std::int32_t> of_truth, std::span<const std::int32_t> guess) const {
    if (all_weights == 0) return 0;
    return std::max(0.0, covered(of_truth) - covered(guess)) / all_weights;
  }
};

}  // namespace diversity
