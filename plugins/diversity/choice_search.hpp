// choice_search.hpp - the best choice of k documents under Cover's F: by greedy addition, and by
// branch and bound.
//
// Used by the dataset, for the truths, and by both oracles.
#pragma once

#include <sculpt/sculpt.hpp>

#include "cover.hpp"

namespace diversity {

struct Choice {
  std::vector<std::int32_t> documents;  // [k] ascending
  double value = 0;                     // F of them
  double bound = 0;                     // no choice has a larger F; may be infinite
  bool exact = false;                   // none has one larger than `value` but for rounding
};

// For one thread. Asks the host now and then whether to stop.
class ChoiceSearch {
 public:
  explicit ChoiceSearch(sculpt::Host host) : host_(host) {}

  // Adds the document that gains most, k times; of several the first, up to rounding. Then, at most
  // so many times, tries each one's exchange for the document that gains most in its place, until
  // none is worth it. O(elements of all documents), and as much for each exchange tried.
  Choice greedy(const DocumentSets& sets, std::span<const double> value, std::int64_t size,
                std::int64_t exchange_rounds);

  // Greedy, then depth first: the documents by their bounds, the best one first; what cannot be
  // better than the best so far is left out. After `max_steps` the answer is the best so far, with
  // a bound. A step looks at a document that may come next, or changes what one would gain beside
  // the choice, so that the time has a limit however many documents and elements there are. Memory:
  // 32 bytes for each document, k times.
  Choice best(const DocumentSets& sets, std::span<const double> value, std::int64_t size,
              std::int64_t max_steps);

 private:
  struct Candidate {
    std::int32_t document = 0;
    double gain = 0;  // a bound on what it adds
  };

  Candidate most_gaining(const DocumentSets& sets);
  bool exchange(const DocumentSets& sets, std::span<const double> value, Choice& choice,
                std::size_t place);
  void explore(std::size_t depth);
  void complete(const Candidate& last);
  double bound_from(const std::vector<Candidate>& candidates, std::size_t first) const;
  // Steps that were taken; throws when the host asks to stop.
  void count(std::int64_t steps);

  sculpt::Host host_;
  Cover cover_;
  Choice best_;
  double open_ = 0;  // the bound of what was left out when the steps ran out
  std::int64_t steps_left_ = 0;
  std::vector<std::vector<Candidate>> levels_;  // [k] what may be chosen next at each depth
  std::vector<bool> taken_;                     // [documents]
  std::int64_t unpolled_ = 0;
};

}  // namespace diversity
