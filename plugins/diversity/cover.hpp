// cover.hpp - the gain of each document for a choice S, and bounds on F of all choices.
//
//   F(S) = sum of value_e over the elements e that a document of S has       value_e of any sign
//
// F splits into its positive part P and its negative part N. P is submodular: an additional
// document gains at most its present gain. In N, an element of df documents is lost only once, even
// if several of the r further documents have it. So each of these documents is charged 1 / min(r,
// df) of its value. An element of a single document is charged to it in full.
//
//   T: S and r more documents         F(T) <= F(S) + sum over the r largest gain_bound(d)
//   T: any k documents                F(T) <= P(S) + sum over the k largest of
//                                             [ gain of d in P at S - its shares of N ]
//
// If no value is negative, the second bound at the choices of greedy addition is at most F / (1 -
// 1/e). It implies the guarantee of Nemhauser, Wolsey and Fisher, 1978, and is usually much tighter
// (Minoux's bound, 1978). Used by choice_search.cpp.
#pragma once

#include <limits>

#include "document_sets.hpp"

namespace diversity {

// For one thread. Reuses its memory.
class Cover {
 public:
  // Starts with an empty choice of `size` documents in the end. `sets` and value[elements] must
  // outlive the search. Requires 1 <= size <= documents.
  void begin(const DocumentSets& sets, std::span<const double> value, std::int64_t size);

  // Adds a document. Requires remaining() > 0 and a document that is not chosen. Returns the number
  // of steps: numbers of documents stored or changed, and elements visited.
  std::int64_t choose(std::int32_t document);
  // Undoes the last choose() exactly.
  void undo();

  std::int64_t remaining() const { return size_ - static_cast<std::int64_t>(chosen_.size()); }
  const std::vector<std::int32_t>& chosen() const { return chosen_; }  // in the order of choose()
  // F of the current choice, and the gain of a document.
  double value() const { return state_.value; }
  double gain(std::int32_t document) const {
    const auto d = static_cast<std::size_t>(document);
    return state_.positive[d] + unshared_[d] + state_.shared[d];
  }
  // Returns an upper bound of the gain of a document, for all further choices. It is exact if
  // remaining() is 1. Requires remaining() > 0.
  double gain_bound(std::int32_t document) const {
    const auto d = static_cast<std::size_t>(document);
    return state_.positive[d] + unshared_[d] + state_.shared[d] / static_cast<double>(remaining());
  }
  // Returns the sum of the positive values that are not covered.
  double uncovered() const { return state_.uncovered; }
  // Returns an upper bound of F of all choices of `size` documents, computed at the present choice.
  // Infinite if sums of values are.
  double bound();
  // True if all sums of values are finite. Otherwise gains may be NaN.
  bool is_finite() const { return rounding_ < std::numeric_limits<double>::infinity(); }
  // Returns how much the order of terms may change a sum.
  double rounding() const { return rounding_; }

 private:
  struct State {
    std::vector<double> positive;  // [documents] positive values of uncovered elements
    std::vector<double> shared;    // [documents] negative values of elements in several documents
    double value = 0;
    double uncovered = 0;                    // positive values of all uncovered elements
    std::size_t previous_covered_count = 0;  // number of covered elements before the choice
  };
  // Covers an element. Returns the number of documents that have it, if their gains changed.
  std::int64_t cover(std::int32_t element);

  const DocumentSets* sets_ = nullptr;
  std::span<const double> value_;
  std::int64_t size_ = 0;
  std::vector<double> unshared_;  // [documents] negative values of elements in no other document
  std::vector<double> negative_shares_;  // [documents] shares of the other negative values
  double all_positive_ = 0;
  double rounding_ = 0;
  State state_;
  std::vector<State> previous_states_;  // [size] states for undo()
  std::vector<std::int32_t> chosen_;
  std::vector<bool> is_covered_;       // [elements]
  std::vector<std::int32_t> covered_;  // covered elements, in order
  std::vector<double> sorted_;
};

}  // namespace diversity
