// choice_search.hpp - finds the best choice of k documents under Cover's F: by greedy addition, or
// by branch and bound.
//
// Nemhauser, Wolsey and Fisher, 1978; Land and Doig, 1960. Used by the dataset for the truths, and
// by both oracles.
#pragma once

#include <sculpt/sculpt.hpp>

#include "cover.hpp"

namespace diversity {

struct Choice {
  std::vector<std::int32_t> documents;  // [k] ascending
  double value = 0;                     // F of the documents
  double bound = 0;                     // an upper bound of F of all choices; may be infinite
  bool is_exact = false;                // no choice has a larger F, up to rounding
};

// For one thread. Asks the host regularly whether to stop.
class ChoiceSearch {
 public:
  explicit ChoiceSearch(sculpt::Host host) : host_(host) {}

  // Adds the document with the largest gain, k times. Ties up to rounding: the first one. Then at
  // most exchange_rounds times tries to exchange each document for the best replacement, until no
  // exchange gains. O(elements of all documents), and as much for each exchange tried.
  Choice greedy(const DocumentSets& sets, std::span<const double> value, std::int64_t size,
                std::int64_t exchange_rounds);

  // Starts with greedy(), then searches depth first, documents with the largest bound first. Skips
  // branches that cannot beat the best choice. After `max_steps` it returns the best so far, with a
  // bound. A step looks at a possible next document, or changes the gain of one, so the time has a
  // limit. Memory: 32 bytes for each document, k times.
  Choice best(const DocumentSets& sets, std::span<const double> value, std::int64_t size,
              std::int64_t max_steps);

 private:
  struct Candidate {
    std::int32_t document = 0;
    double gain = 0;  // the gain, or an upper bound of it
  };

  Candidate candidate_of_max_gain(const DocumentSets& sets);
  // Exchanges one document of a choice for the best replacement, if that gains. Returns true if so.
  bool exchange(const DocumentSets& sets, std::span<const double> value, Choice& choice,
                std::size_t index);
  // Searches all choices that extend the current one by documents of levels_[depth].
  void explore(std::size_t depth);
  void complete_choice(const Candidate& last);
  double bound_from(const std::vector<Candidate>& candidates, std::size_t first) const;
  // Counts steps. Throws if the host asks to stop.
  void count_steps(std::int64_t steps);

  sculpt::Host host_;
  Cover cover_;
  Choice best_;
  double unexplored_bound_ = 0;  // upper bound of the branches skipped after the steps ran out
  std::int64_t steps_left_ = 0;
  std::vector<std::vector<Candidate>> levels_;  // [k] possible next documents at each depth
  std::vector<bool> is_chosen_;                 // [documents]
  std::int64_t steps_since_poll_ = 0;
};

}  // namespace diversity
