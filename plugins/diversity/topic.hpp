// topic.hpp - a topic: candidate documents with their words and subtopics, and the best choice.
//
// Made by topic_reader.cpp and topics.cpp. Used by the features, the loss and the oracles.
#pragma once

#include <sculpt/sculpt.hpp>

#include "document_sets.hpp"

namespace diversity {

// The number of times that a document has a word. Words are numbered within a topic, in order of
// appearance.
struct WordCount {
  std::int32_t word = 0;
  std::int64_t count = 0;
};

struct Topic {
  std::string name;
  std::int64_t line = 0;                      // Its first line.
  std::vector<std::string> documents;         // Their names.
  std::vector<std::vector<WordCount>> words;  // Words ascending, [documents].
  std::int32_t word_count = 0;
  bool is_labelled = false;
  DocumentSets subtopics;
  std::int64_t choice_size = 0;     // The number k of documents of an output.
  std::vector<double> weight;       // Whole numbers, so that sums are exact, [subtopics].
  double total_weight = 0;          // Sum of weight.
  std::vector<std::int32_t> truth;  // [k] ascending, or empty.
  double max_covered = 0;           // Largest weight that a choice covers.

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
        throw sculpt::Error(SCULPT_E_INVALID,
                            "the documents of an output must be ascending numbers from 0 to " +
                                std::to_string(document_count() - 1));
      }
      previous = document;
    }
  }

  // Returns the weight of the subtopics of the documents.
  double covered(std::span<const std::int32_t> choice) const {
    return covered_value(subtopics, weight, choice);
  }
  // Returns Delta(truth, guess): the weight of the subtopics that the guess covers less than the
  // truth, as a share of all weights. 0 if the guess covers more, which is possible if the truth is
  // not the best choice.
  double loss(std::span<const std::int32_t> true_choice,
              std::span<const std::int32_t> guess) const {
    if (total_weight == 0) return 0;
    return std::max(0.0, covered(true_choice) - covered(guess)) / total_weight;
  }
};

}  // namespace diversity
