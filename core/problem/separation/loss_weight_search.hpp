// loss_weight_search.hpp - chooses the loss_weights to call argmax with, and computes what the
// answers prove.
//
// For formulations in which the largest violation is no argmax of score + loss_weight * loss, with
// an oracle that has only argmax. Pure mathematics: called by SeparationSolver, which calls the
// oracle. With
//
//   d(y)  = -<w, dpsi(y)>                       score of y minus that of the truth
//   h(y)  = 1 + d(y)
//   F(l)  = max over y of h(y) + l Delta(y)     convex, piecewise linear; one call of the oracle
//
// every output satisfies h <= F(l) - l Delta for each l that was asked. Therefore
//
//   slack  rescaling, norm 1   max Delta h               <= F^2 / (4 l)
//   slack  rescaling, norm 2   max sqrt(Delta) h         <= 2 F^1.5 / (3 sqrt(3 l))
//   margin rescaling, norm 2   max sqrt(Delta) + h - 1   <= F - 1 + 1 / (4 l)
//   slack  rescaling, hard     max h of the Delta > 0    <= F(0)
//
// The slack bounds are 0 if F <= 0. Each bound is convex in l. For the output found, the first
// three bounds are smallest at h = l Delta, h = 2 l Delta and l = 1 / (2 sqrt(Delta)). So an answer
// shows on which side of l the minimum lies. The search keeps one answer on each side. It asks next
// where the bound is smallest for the larger of their two lines. It ends if the answer lies on that
// line: then no better bound exists.
//
// The search is not exact. It finds only outputs on the upper hull of the points (Delta, h).
// Between two neighbours on the hull the bound stays above both. An oracle that lists the k best
// outputs at one l makes it exact. Let F_k be the value of the last one listed. Then all others
// satisfy h + l Delta <= F_k, and the bounds above hold for them with F_k. The list ends once this
// bound is at most the best violation found.
//
// Without a list, hard margin with slack rescaling: the hull next to the truth is searched for the
// largest h. Only F(0) is certified, which is at least 1 if the truth is an output, because no
// lower limit of the losses is known. A frontier (frontier_scan.hpp) knows the losses and is exact.
//
// Source: AM-GM on the hull. Sarawagi & Gupta, ICML 2008, and Choi, Meshi & Srebro, AISTATS 2016,
// search over l in a similar way.
#pragma once

#include <optional>
#include <vector>

#include "objective/formulation.hpp"

namespace sculpt::core {

// Each line proves d(y) <= high - loss_weight * Delta(y) for every output y.
class ScoreDifferenceBound {
 public:
  // `rounding`: bound of the rounding error of `high`.
  void add(double loss_weight, double high, double rounding) {
    lines_.push_back({loss_weight, high, rounding});
  }
  void clear() { lines_.clear(); }
  // Returns the largest possible d(y) of an output with this loss. Infinite if nothing is known.
  double at(double loss) const;
  // Returns the bound of the rounding error of at(loss).
  double rounding_at(double loss) const;

 private:
  struct Line {
    double loss_weight, high, rounding;
    double at(double loss) const { return high - loss_weight * loss; }
  };
  std::vector<Line> lines_;
};

// The result of one call of argmax.
struct ArgmaxResult {
  double score_difference = 0;  // d(y) of the output found
  double loss = 0;              // Delta of the output found
  double high = 0;      // bound of d(y) + loss_weight * Delta over all outputs; infinite: none
  double rounding = 0;  // bound of the rounding error of each of these
};

class LossWeightSearch {
 public:
  // Requires a formulation for which one argmax is not enough. `max_calls` >= 1.
  LossWeightSearch(const Formulation& formulation, int max_calls);

  // Returns the loss_weight of the next call. Nothing if no call can help or `max_calls` is
  // reached.
  std::optional<double> next_loss_weight() const;

  // Adds the answer at next_loss_weight(). `truth_outside`: the truth is no output, so its
  // violation of 0 does not count. Returns true if the output violates more than all before.
  bool add_result(const ArgmaxResult& result, bool truth_outside);

  // Returns the loss_weight of the best bound, at which the k best outputs should be listed.
  // Nothing if there is no bound, or if it is proved that no output is better.
  std::optional<double> list_loss_weight() const;
  // Adds the next of the k best outputs at list_loss_weight(), the best first. `high` bounds this
  // output and those that follow. Returns true if the output violates more than all before.
  bool add_listed(const ArgmaxResult& result, bool truth_outside);
  // All outputs are listed.
  void end_list();

  // The largest violation of an output found, of the truth too if it is an output. Minus infinity
  // before the first answer.
  double best() const { return best_; }
  // No output violates more than this. Infinite if the oracle gives no bound.
  double bound() const { return bound_; }
  // Bound of the rounding error of bound().
  double rounding() const { return rounding_; }
  // True if bound() is at most 0 or agrees with best(). Then the best output found is the answer,
  // or no output violates its margin.
  bool has_proved_best() const { return has_proved_best_; }
  const ScoreDifferenceBound& score_bound() const { return score_bound_; }

 private:
  // The line of an output, which is nowhere above F, and the loss_weight that found it.
  struct Line {
    double loss_weight, height, loss;  // height: h of the output
    double at(double l) const { return height + l * loss; }
  };

  bool add_output(const ArgmaxResult& result, bool truth_outside);
  void update_proof();
  double bound_at(double loss_weight, double max_value) const;
  bool minimum_is_above(const Line& line) const;
  double minimum_on(const Line& line) const;
  double minimum_between(const Line& left, const Line& right) const;
  void update_bracket(const Line& line, double rounding_of_line);
  double widened_loss_weight() const;

  enum class Curve { product, sum, height };  // Delta^power h; sqrt(Delta) + h - 1; h

  Formulation formulation_;
  Curve curve_;
  double power_;
  int calls_left_;
  double loss_weight_;  // of the next call
  bool is_finished_ = false;
  bool has_proved_best_ = false;
  double best_;
  double best_output_;  // the largest violation of the outputs found, without the truth
  double bound_;
  double bound_loss_weight_ = 0;  // at which bound_ was found
  double rounding_ = 0;
  ScoreDifferenceBound score_bound_;
  std::optional<Line> left_;   // the minimum is above its loss_weight
  std::optional<Line> right_;  // the minimum is below its loss_weight
  double widening_ = 16;
};

}  // namespace sculpt::core
