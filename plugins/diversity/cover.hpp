// cover.hpp - what documents add to a choice S, and bounds on what any choice is worth.
//
//   F(S) = sum of value_e over the elements e that a document of S has       value_e of any sign
//
// F splits into its positive part P and its negative part N. Each document more gains at most what
// it would gain now in P (submodular); in N an element of df documents is lost once at least where
// one of r documents that are still to be chosen has it, so that each of them may be charged a
// share of min(r, df). What a single document has is charged to it in full.
//
//   T with S and r documents more     F(T) <= F(S) + sum over the r largest gain_bound(d)
//   T of k documents, whatever S is   F(T) <= P(S) + sum over the k largest of
//                                             [ gain of d in P at S - its shares of N ]
//
// The second one, at the choices that greedy addition passes, is at most F / (1 - 1/e) where no
// value is negative: it implies the guarantee of Nemhauser, Wolsey and Fisher, 1978, and is mostly
// far better (Minoux's bound, 1978).
#pragma once

#include <limits>

#include "document_sets.hpp"

namespace diversity {

// For one thread. Keeps its memory from one question to the next.
class Cover {
 public:
  // Nothing is chosen yet, of `size` documents in the end. Both live as long; value[elements].
  // Requires 1 <= size <= documents.
  void begin(const DocumentSets& sets, std::span<const double> value, std::int64_t size);

  // Requires left() > 0, and a document that is not chosen. Returns how many steps it took: numbers
  // of documents that were kept or changed, and elements looked at.
  std::int64_t choose(std::int32_t document);
  // Takes back the last choose(), exactly.
  void undo();

  std::int64_t left() const { return size_ - static_cast<std::int64_t>(chosen_.size()); }
  const std::vector<std::int32_t>& chosen() const { return chosen_; }  // in the order of choose()
  // F of what is chosen, and what a document adds to it.
  double value() const { return now_.value; }
  double gain(std::int32_t document) const {
    const auto d = static_cast<std::size_t>(document);
    return now_.positive[d] + own_[d] + now_.shared[d];
  }
  // At most so much does the document add, whatever else is chosen beside it; exact where one is
  // left. Requires left() > 0.
  double gain_bound(std::int32_t document) const {
    const auto d = static_cast<std::size_t>(document);
    return now_.positive[d] + own_[d] + now_.shared[d] / static_cast<double>(left());
  }
  // What is left to be gained at all.
  double uncovered() const { return now_.uncovered; }
  // No choice of `size` documents has a larger F; found at what is chosen now. Infinite where sums
  // of values are.
  double bound();
  // Whether all sums of values are finite. Where they are not gains may be no numbers.
  bool finite() const { return rounding_ < std::numeric_limits<double>::infinity(); }
  // What sums may differ by in the order of their terms.
  double rounding() const { return rounding_; }

 private:
  struct State {
    std::vector<double> positive;  // [documents] values above 0 of elements not covered
    std::vector<double> shared;    // [documents] those below 0 that other documents have too
    double value = 0;
    double uncovered = 0;            // values above 0 of all elements not covered
    std::size_t covered_before = 0;  // how many elements were covered
  };
  // Returns how many documents have the element, where their gains changed.
  std::int64_t cover(std::int32_t element);

  const DocumentSets* sets_ = nullptr;
  std::span<const double> value_;
  std::int64_t size_ = 0;
  std::vector<double> own_;     // [documents] values below 0 that no other document has
  std::vector<double> charge_;  // [documents] shares of the other ones below 0
  double all_positive_ = 0;
  double rounding_ = 0;
  State now_;
  std::vector<State> before_;  // [size] the states that undo() goes back to
  std::vector<std::int32_t> chosen_;
  std::vector<bool> is_covered_;       // [elements]
  std::vector<std::int32_t> covered_;  // the same ones, in their order
  std::vector<double> sorted_;
};

}  // namespace diversity
