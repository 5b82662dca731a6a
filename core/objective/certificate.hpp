// certificate.hpp - what is proved of w: bounds of P, the dual, their gap.
//
// For each example let
//
//   xi_low  = max(0, planes of the working set at this w, the answer's low)
//   xi_high = max(0, xi_low, the answer's high)         infinite if the oracle gives no upper bound
//   P_low   = 1/2 ||w||^2 + C/n sum cost(xi_low),       P_high likewise
//
// with cost(xi) = xi under norm 1 and 1/2 xi^2 under norm 2. Under hard margin P is 1/2 ||w||^2 if
// no xi is positive beyond rounding, and infinite otherwise.
//
// P_low <= P(w) <= P_high, and D <= min P <= P(w) for every w. The certified gap is P_high - D.
//
// An oracle is refused if two of its values contradict each other by more than rounding. The limit
// is what a sum in single precision may be wrong, relative to both values. The rounding of their
// terms is added (linalg/rounding.hpp), because terms may be far larger than their sum.
//
// Called by the solvers after every pass in which all examples were asked at one fixed w.
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

// What is known of the slack of one example at one w. In one_slack: of the mean slack.
struct KnownSlack {
  double plane_slack = 0;  // The largest b - <w, a> of the planes in the working set.
  double low = 0;          // Lower bound of the answer.
  double high = 0;         // Upper bound of the answer.
  double b_magnitude = 0;  // The largest |b| of these planes and the answer.
  double rounding = 0;     // Of low and high of the answer together.
};

// True if an output has a `slack` >= 0 that contradicts the upper bound `high` of an answer. The
// excess must be larger than the errors of single precision and `rounding` explain.
// `b_magnitude`: the largest |b|.
bool contradicts_bound(double slack, double high, double b_magnitude, double rounding);

// The slack of stored planes, computed again from their entries. The QP may compute it from
// products of planes, with the rounding of far larger terms.
struct RecomputedSlack {
  double slack = 0;        // the largest b - <w, a>
  double lower_bound = 0;  // the same minus the rounding of its own terms
};
using RecomputeSlack = std::function<RecomputedSlack()>;

// Returns the bounds of one example, or of the mean if example < 0. Throws through the source if a
// known plane exceeds `high`, because the oracle claimed that none does. Calls `recompute_slack`
// only if `plane_slack` exceeds `high`.
SlackBounds bound_slack(const KnownSlack& known, const ExampleSource& source, std::int64_t example,
                        const RecomputeSlack& recompute_slack = {});

// Means over the examples at one w.
struct MeanSlack {
  double low = 0;       // of cost(xi_low)
  double high = 0;      // of cost(xi_high)
  double slack = 0;     // of xi_low
  double rounding = 0;  // by how much rounding may change `high`

  MeanSlack divided_by(double count) const {
    return {low / count, high / count, slack / count, rounding / count};
  }
};

// By how much rounding of a slack may change its cost, if the cost is finite.
inline double rounding_of_cost(const Formulation& formulation, double slack, double rounding) {
  if (std::isinf(slack)) return 0;
  return formulation.squares_slacks() ? rounding * (slack + 0.5 * rounding) : rounding;
}

// Hard margin: by how much rounding may change P. `rounding` is the total violation that rounding
// may hide. A w that is longer by rounding / largest_b satisfies all margins.
inline double rounding_of_hard_margin(double squared_norm, double rounding, double largest_b) {
  return largest_b > 0 ? std::min(1.0, rounding / largest_b) * squared_norm : 0;
}

// The bounds of P at one w.
struct PrimalBounds {
  double low = 0;
  double high = 0;
  double mean_slack = 0;  // mean of xi_low
  double rounding = 0;    // by how much rounding may change `high`; 0 if slacks are forbidden
};

PrimalBounds bound_primal(const Formulation& formulation, double squared_norm,
                          const MeanSlack& mean);

// The best P and its w, and the best D seen.
class Certificate {
 public:
  // The source reports answers that contradict each other. It must outlive this.
  explicit Certificate(const ExampleSource& source);

  // Stores the bounds of P at w if they are better. `dual` belongs to the working set,
  // `dual_magnitude` is the sum of its absolute terms. Throws through the source if the dual
  // exceeds an upper bound of P by more than rounding. `oracles_skipped`: not every oracle was
  // asked, so P_low is too small to be compared with others. `columns`: w is 0 in all other
  // columns; empty: not known.
  void update(WeightView w, const PrimalBounds& primal, double dual, double dual_magnitude,
              bool oracles_skipped = false, std::span<const std::int32_t> columns = {});

  // Updates only the dual, after the working set was optimized.
  void raise_dual(double dual, double dual_magnitude);

  // Forgets all that was proved.
  void reset();

  Vector w() const { return w_.restored(); }
  void restore_w(Vector& out) const { w_.restore(out); }  // the same; requires out[dimension]
  // P_high if certified(), else P_low. Infinite before the first update, and if w violates hard
  // margins.
  double primal() const { return certified() ? high_ : low_; }
  double primal_low() const { return has_primal_ ? low_ : 0; }
  double primal_high() const { return high_; }
  double rounding() const { return rounding_; }  // by how much rounding may change primal_high
  bool certified() const;
  double dual() const { return dual_; }
  double gap() const;           // >= 0
  double relative_gap() const;  // gap / |primal|, with 0/0 = 0

  // The state in two parts: the bounds, and their w, which only update() changes.
  void save_bounds(StateWriter& out) const;
  void load_bounds(StateReader& in);
  void save_w(StateWriter& out) const { w_.save(out); }
  void load_w(StateReader& in) { w_.load(in); }

 private:
  bool improves(const PrimalBounds& primal, bool oracles_skipped) const;

  const ExampleSource& source_;
  CompressedVector w_;  // [dimension]
  bool has_primal_ = false;
  bool oracles_skipped_ = false;  // for the stored w
  double low_;
  double high_;
  double rounding_ = 0;  // of high_
  double dual_ = 0;      // alpha = 0 is feasible
};

}  // namespace sculpt::core
