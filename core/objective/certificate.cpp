#include "objective/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// An answer's upper bound may come from a sum in single precision. Rounding explains a difference
// of at most this fraction of the numbers compared.
constexpr double bound_tolerance = 1e-6;

// P and D are sums of some thousand products in double precision, so rounding changes them by 1e-12
// at most, and by the rounding of the terms. Bounds that are wrong within bound_tolerance may add
// twice that tolerance.
constexpr double gap_tolerance = 2e-6;

// The two sums compared: P_high, and the D of planes that cost at most P_high.
constexpr double sums_compared = 2;

constexpr int digits = 9;  // in messages: numbers may differ by bound_tolerance

}  // namespace

bool contradicts_bound(double slack, double high, double b_magnitude, double rounding) {
  return slack - std::max(0.0, high) >
         bound_tolerance * (std::abs(b_magnitude) + slack + std::abs(high)) + rounding;
}

SlackBounds bound_slack(const KnownSlack& known, const ExampleSource& source, std::int64_t example,
                        const RecomputeSlack& recompute_slack) {
  double slack = std::max({0.0, known.plane_slack, known.low});
  const double high = known.high;
  bool refuted = contradicts_bound(slack, high, known.b_magnitude, known.rounding);
  if (refuted && recompute_slack) {
    const RecomputedSlack recomputed = recompute_slack();
    slack = std::max({0.0, recomputed.slack, known.low});
    refuted = contradicts_bound(std::max({0.0, recomputed.lower_bound, known.low}), high,
                                known.b_magnitude, known.rounding);
  }
  if (refuted) {
    const std::string mean = example < 0 ? "on the mean over the examples, " : "";
    source.report_contradiction(
        example, mean + "it claimed that no output violates its margin by more than " +
                     number_text(high, digits) + ", but one of its outputs violates it by " +
                     number_text(slack, digits) +
                     " at the same weights; it must not set EXACT or BOUND");
  }
  return {slack, std::max(slack, high)};
}

PrimalBounds bound_primal(const Formulation& formulation, double squared_norm,
                          const MeanSlack& mean) {
  return {0.5 * squared_norm + formulation.slack_penalty(mean.low),
          0.5 * squared_norm + formulation.slack_penalty(mean.high), mean.slack,
          formulation.is_hard_margin() ? 0 : formulation.slack_penalty(mean.rounding)};
}

Certificate::Certificate(const ExampleSource& source)
    : source_(source),
      w_(static_cast<std::size_t>(source.dimension())),
      low_(infinity),
      high_(infinity) {}

bool Certificate::certified() const {
  return has_primal_ && std::isfinite(high_);
}

void Certificate::update(WeightView w, const PrimalBounds& primal, double dual,
                         double dual_magnitude, bool oracles_skipped,
                         std::span<const std::int32_t> columns) {
  dual_ = std::max(dual_, dual);
  if (improves(primal, oracles_skipped)) {
    if (columns.empty()) {
      w_.store(w.dense());
    } else {
      w_.store(w.dense(), columns);
    }
    low_ = primal.low;
    high_ = primal.high;
    rounding_ = primal.rounding;
    has_primal_ = true;
    oracles_skipped_ = oracles_skipped;
  }
  raise_dual(dual, dual_magnitude);
}

void Certificate::reset() {
  has_primal_ = oracles_skipped_ = false;
  low_ = high_ = infinity;
  rounding_ = dual_ = 0;
}

void Certificate::raise_dual(double dual, double dual_magnitude) {
  dual_ = std::max(dual_, dual);
  const double allowed =
      gap_tolerance * (dual_magnitude + std::abs(high_)) + sums_compared * rounding_;
  if (certified() && dual_ - high_ > allowed) {
    source_.report_contradiction(-1, "it sets EXACT or BOUND wrongly: the dual " +
                                         number_text(dual_, digits) + " exceeds the primal " +
                                         number_text(high_, digits) +
                                         " that its answers prove; it must not set EXACT or BOUND");
  }
}

// True if this w is better than the stored one. A P_low below the dual is wrong: more planes are
// violated at its w than the oracle found. If every w violates hard margins, the latest is kept. A
// w at which all oracles were asked replaces one at which some were skipped.
bool Certificate::improves(const PrimalBounds& primal, bool oracles_skipped) const {
  if (!has_primal_) return true;
  if (std::isfinite(primal.high)) return primal.high < high_;
  if (oracles_skipped || oracles_skipped_) return !certified() && oracles_skipped_;
  return !certified() && (primal.low < low_ || low_ < dual_ || !std::isfinite(low_));
}

void Certificate::save_bounds(StateWriter& out) const {
  out.put(has_primal_);
  out.put(oracles_skipped_);
  for (const double bound : {low_, high_, rounding_, dual_}) out.put(bound);
}

void Certificate::load_bounds(StateReader& in) {
  has_primal_ = in.get_flag();
  oracles_skipped_ = in.get_flag();
  for (double* bound : {&low_, &high_, &rounding_, &dual_}) {
    *bound = in.get<double>();
    in.require(!std::isnan(*bound), "a bound that is no number");
  }
  in.require(std::isfinite(rounding_) && rounding_ >= 0, "a rounding that is negative or infinite");
  in.require(std::isfinite(dual_) && dual_ >= 0, "a dual that is negative or not finite");
}

double Certificate::gap() const {
  return std::max(0.0, primal() - dual_);
}

double Certificate::relative_gap() const {
  const double gap = this->gap();
  if (gap == 0 || gap == infinity) return gap;
  return gap / std::abs(primal());
}

}  // namespace sculpt::core
