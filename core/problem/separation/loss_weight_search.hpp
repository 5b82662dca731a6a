// loss_weight_search.hpp - which loss_weights to ask argmax with, and what the answers prove.
//
// Pure mathematics: called by SeparationSolver, which asks the oracle. For formulations whose
// largest violation is no argmax of score + loss_weight * loss, and oracles that can do nothing
// else. With
//
//   h(y)  = 1 - <w, dpsi(y)> = 1 + lead(y)      lead(y): score of y less that of the truth
//   F(l)  = max over y of h(y) + l Delta(y)     convex, piecewise linear; one call of the oracle
//
// every output satisfies h <= F(l) - l Delta, for each l that was asked, and therefore
//
//   slack  rescaling, norm 1   max Delta h               <= F^2 / (4 l)
//   slack  rescaling, norm 2   max sqrt(Delta) h         <= 2 F^1.5 / (3 sqrt(3 l))
//   margin rescaling, norm 2   max sqrt(Delta) + h - 1   <= F - 1 + 1 / (4 l)
//   slack  rescaling, hard     max h of the Delta > 0    <= F(0)
//
// with the slack bounds 0 where F <= 0. Each is convex in l; the first three are smallest where
// h = l Delta, h = 2 l Delta and l = 1 / (2 sqrt(Delta)) of the output found, so an answer says on
// which side of l the minimum lies. The search keeps one answer on each side, asks where the
// bound of the larger of their two lines is smallest, and ends when the answer there lies on the
// line: the bound then is the best there is.
//
// The search is not exact. It meets outputs on the upper hull of the points (Delta, h) alone, and
// between two neighbours on the hull the bound stays above both. Under hard margin with slack
// rescaling the hull next to the truth is searched for the largest h, and F(0), at least 1 when the
// truth is an output, is all that is certified: nothing is known of how small a loss can be. A
// frontier (frontier_scan.hpp) knows the losses and is exact.
//
// Source: AM-GM on the hull; Sarawagi & Gupta, ICML 2008, and Choi, Meshi & Srebro, AISTATS 2016,
// search over l likewise.
#pragma once

#include <optional>
#include <vector>

#include "objective/formulation.hpp"

namespace sculpt::core {

// lead(y) <= high - loss_weight * Delta(y) for every output y, for each entry.
class ScoreDifferenceBound {
 public:
  // Rounding may move `high` by `rounding`.
  void add(double loss_weight, double high, double rounding) {
    lines_.push_back({loss_weight, high, rounding});
  }
  void clear() { lines_.clear(); }
  // The most that the lead of an output with this loss can be; infinite when nothing is known.
  double at(double loss) const;
  // By how much rounding may move that.
  double rounding_at(double loss) const;

 private:
  struct Line {
    double loss_weight, high, rounding;
    double at(double loss) const { return high - loss_weight * loss; }
  };
  std::vector<Line> lines_;
};

// What one call of argmax gave.
struct Probe {
  double lead = 0;      // of the output found
  double loss = 0;      // Delta of it
  double high = 0;      // lead + loss_weight * Delta of no output is larger; infinite: no promise
  double rounding = 0;  // by how much rounding may move any of these
};

class LossWeightSearch {
 public:
  // Requires a formulation that is not plain. `most_calls` >= 1.
  LossWeightSearch(const Formulation& formulation, int most_calls);

  // The loss_weight to ask with, or nothing: there is no more to learn, or too many calls.
  std::optional<double> next() const;

  // The answer at next(). `truth_outside`: the truth is no output, so its violation of 0 does not
  // count. True when the output violates more than those before.
  bool add(const Probe& probe, bool truth_outside);

  // The largest violation of an output seen, the truth included where it is one; minus infinity
  // before the first.
  double best() const { return best_; }
  // No output violates more than this; infinite when the oracle promises nothing.
  double bound() const { return bound_; }
  // By how much rounding may move the bound.
  double rounding() const { return rounding_; }
  // Best and bound agree: an output seen is the answer, or none violates its margin.
  bool closed() const { return closed_; }
  const ScoreDifferenceBound& ceiling() const { return ceiling_; }

 private:
  // The line that an output is under F, and where it was found.
  struct Line {
    double loss_weight, height, loss;  // height: h
    double at(double l) const { return height + l * loss; }
  };

  double bound_at(double loss_weight, double most) const;
  bool minimum_is_above(const Line& line) const;
  double minimum_on(const Line& line) const;
  double minimum_between(const Line& left, const Line& right) const;
  void update_bracket(const Line& found, double noise);
  double widened() const;

  enum class Curve { product, sum, height };  // Delta^power h; sqrt(Delta) + h - 1; h

  Formulation formulation_;
  Curve curve_;
  double power_;
  int calls_left_;
  double loss_weight_;  // to be asked next
  bool done_ = false;
  bool closed_ = false;
  double best_;
  double seen_;  // the largest violation without that of the truth
  double bound_;
  double rounding_ = 0;
  ScoreDifferenceBound ceiling_;
  std::optional<Line> left_;   // the minimum lies above its loss_weight
  std::optional<Line> right_;  // below
  double widening_ = 16;
};

}  // namespace sculpt::core
