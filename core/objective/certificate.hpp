// certificate.hpp - what is proved of w: bounds of P, the dual, their gap.
//
// Called by the solvers after every pass in which all examples were asked at one frozen w. With
//
//   xi_low  = max(0, planes of the working set at this w, the answer's low)     for each example
//   xi_high = max(0, xi_low, the answer's high)          infinite when the oracle promises nothing
//   P_low   = 1/2 ||w||^2 + C/n sum cost(xi_low),       P_high likewise
//
// with cost(xi) = xi under norm 1 and 1/2 xi^2 under norm 2. Under hard margin P is 1/2 ||w||^2
// when no xi is positive, beyond rounding, and infinite otherwise.
//
// P_low <= P(w) <= P_high, and D <= min P <= P(w) for every w. The certified gap is P_high - D.
//
// An oracle is refuted by two values that contradict each other by more than what a sum in single
// precision may be off, as a part of both, and by more than the rounding of the terms that both
// were summed from (linalg/rounding.hpp), which may be far larger than what is left of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "base/file/state_stream.hpp"
#include "linalg/compressed_vector.hpp"
#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "objective/example_source.hpp"
#include "objective/formulation.hpp"

namespace sculpt::core {

struct SlackBounds {
  double low = 0;
  double high = 0;
};

// What is known of the slack of one example, or of their mean in one_slack, at one w.
struct SlackEvidence {
  double seen = 0;      // the largest b - <w, a> of the planes in the working set
  double low = 0;       // the answer's
  double high = 0;      // likewise
  double loss = 0;      // the size of the b among them
  double rounding = 0;  // of the answer's low and high together
};

// Whether `slack` >= 0, which an output has, is more than an answer's upper bound `high` allows: by
// more than bounds are wrong that come from single precision, and by more than `rounding`.
// `loss`: the size of b.
bool contradicts_bound(double slack, double high, double loss, double rounding);

// Of planes that are kept, computed from their entries once more. What a QP says of them may come
// from products of planes, whose rounding is that of far larger terms.
struct RecomputedSlack {
  double slack = 0;  // the largest b - <w, a>
  double sure = 0;   // the same less what rounding of its own terms may add to it
};
using RecomputeSlack = std::function<RecomputedSlack()>;

// The bounds of one example, or of the mean: example < 0. Refuted by the source when a plane
// seen before beats `high`: the oracle claimed that nothing exceeds it. `recompute_slack` is called
// where `seen` says so, never else.
SlackBounds bound_slack(const SlackEvidence& one, const ExampleSource& source, std::int64_t example,
                        const RecomputeSlack& recompute_slack = {});

// Means over the examples at one w.
struct MeanSlack {
  double low = 0;       // cost of xi_low
  double high = 0;      // cost of xi_high
  double slack = 0;     // xi_low
  double rounding = 0;  // by how much rounding may move the cost of xi_high

  MeanSlack over(double count) const {
    return {low / count, high / count, slack / count, rounding / count};
  }
};

// What rounding of a slack makes of its cost, where that is finite.
inline double rounding_of_cost(const Formulation& formulation, double slack, double rounding) {
  if (std::isinf(slack)) return 0;
  return formulation.squares_slacks() ? rounding * (slack + 0.5 * rounding) : rounding;
}

// Under hard margin: what P of a w is off where rounding may hide violations of so much in all. A w
// that is longer by their part of the largest b satisfies them.
inline double rounding_of_hard_margin(double squared_norm, double rounding, double largest_b) {
  return largest_b > 0 ? std::min(1.0, rounding / largest_b) * squared_norm : 0;
}

// The bounds of P at one w.
struct PrimalBounds {
  double low = 0;
  double high = 0;
  double mean_slack = 0;  // of xi_low
  double rounding = 0;    // by how much rounding may move `high`; none where slacks are forbidden
};

PrimalBounds bound_primal(const Formulation& formulation, double squared_norm,
                          const MeanSlack& mean);

// The best P and the best D seen, and the w of the former.
class Certificate {
 public:
  // The source says whose fault it is when its answers contradict each other; it outlives this.
  explicit Certificate(const ExampleSource& source);

  // `dual` belongs to the working set, `scale` is the size of what it was summed from. Refuted by
  // the source when the dual exceeds an upper bound of P by more than rounding. `oracles_skipped`:
  // not every oracle was asked all that it could, so P_low is less than others can be compared
  // with. `columns`: w is 0 in all others; empty: not known.
  void update(WeightView w, const PrimalBounds& primal, double dual, double scale,
              bool oracles_skipped = false, std::span<const std::int32_t> columns = {});

  // The same without a new w: the dual of a working set that was optimized since.
  void raise_dual(double dual, double scale);

  Vector w() const { return w_.restored(); }
  void restore_w(Vector& room) const { w_.restore(room); }  // the same; requires room[dimension]
  // P_high when certified(), else P_low; infinite before the first update, and while w violates
  // hard margins.
  double primal() const { return certified() ? high_ : low_; }
  double primal_low() const { return known_ ? low_ : 0; }
  double primal_high() const { return high_; }
  double rounding() const { return rounding_; }  // by how much it may move primal_high
  bool certified() const;
  double dual() const { return dual_; }
  double gap() const;           // >= 0
  double relative_gap() const;  // gap / |primal|, with 0/0 = 0

  // Its state in two parts: the bounds, and the w they belong to, which update() alone changes.
  void save_bounds(StateWriter& out) const;
  void load_bounds(StateReader& in);
  void save_w(StateWriter& out) const { w_.save(out); }
  void load_w(StateReader& in) { w_.load(in); }

 private:
  bool improves(const PrimalBounds& primal, bool oracles_skipped) const;

  const ExampleSource& source_;
  CompressedVector w_;  // [dimension]
  bool known_ = false;
  bool oracles_skipped_ = false;  // of the w that is kept
  double low_;
  double high_;
  double rounding_ = 0;  // of high_
  double dual_ = 0;      // alpha = 0 is feasible
};

}  // namespace sculpt::core
