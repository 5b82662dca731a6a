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
#pragma once

#include <cstdint>

#include "linalg/kept_vector.hpp"
#include "linalg/vector.hpp"
#include "solver/formulation.hpp"
#include "solver/separator.hpp"
#include "state_stream.hpp"

namespace sculpt::core {

struct SlackBounds {
  double low = 0;
  double high = 0;
};

// Whether `slack` >= 0, which an output has, is more than an answer's upper bound `high` allows: by
// more than bounds are wrong that come from an LP or from single precision. `loss`: the size of b.
bool refutes_bound(double slack, double high, double loss);

// The bounds of one example, or of the mean in one_slack. `seen` is the largest score of the planes
// in the working set, `low` and `high` are the answer's, `loss` is the size of the b among them.
// Refuted by the separator when a plane seen before beats `high`: the oracle claimed that nothing
// exceeds it. example < 0: the mean.
SlackBounds bound_slack(double seen, double low, double high, double loss,
                        const Separator& separator, std::int64_t example);

// Means over the examples at one w.
struct MeanSlack {
  double low = 0;    // cost of xi_low
  double high = 0;   // cost of xi_high
  double slack = 0;  // xi_low
};

// The bounds of P at one w.
struct PrimalBounds {
  double low = 0;
  double high = 0;
  double mean_slack = 0;  // of xi_low
};

PrimalBounds bound_primal(const Formulation& formulation, double squared_norm,
                          const MeanSlack& mean);

// The best P and the best D seen, and the w of the former.
class Certificate {
 public:
  // The separator says whose fault it is when its answers contradict each other; it outlives this.
  explicit Certificate(const Separator& separator);

  // `dual` belongs to the working set, `scale` is the size of the terms it was summed from. Refuted
  // by the separator when the dual exceeds an upper bound of P by more than rounding. `spared`: not
  // every oracle was asked all that it could, so P_low is less than others can be compared with.
  void update(const Vector& w, const PrimalBounds& primal, double dual, double scale,
              bool spared = false);

  // The same without a new w: the dual of a working set that was optimized since.
  void raise_dual(double dual, double scale);

  Vector w() const { return w_.restored(); }
  void restore_w(Vector& room) const { w_.restore(room); }  // the same; requires room[dimension]
  // P_high when certified(), else P_low; infinite before the first update, and while w violates
  // hard margins.
  double primal() const { return certified() ? high_ : low_; }
  double primal_low() const { return known_ ? low_ : 0; }
  double primal_high() const { return high_; }
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
  bool improves(const PrimalBounds& primal, bool spared) const;

  const Separator& separator_;
  KeptVector w_;  // [dimension]
  bool known_ = false;
  bool spared_ = false;  // of the w that is kept
  double low_;
  double high_;
  double dual_ = 0;  // alpha = 0 is feasible
};

}  // namespace sculpt::core
