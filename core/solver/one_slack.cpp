#include "solver/one_slack.hpp"

#include <algorithm>
#include <cmath>

#include "cancelled.hpp"
#include "linalg/products.hpp"
#include "qp/sweeps.hpp"
#include "qp/working_set.hpp"
#include "solver/progress.hpp"

namespace sculpt::core {
namespace {

// A violation below this part of |b| + |<w, a>| is rounding.
constexpr double rounding = 1e-12;

// Work bound of one QP, in scorings of the working set.
constexpr double sweeps_per_pass = 1e4;

class Run {
 public:
  Run(const OneSlackOptions& options, Separator& separator, Listener& listener,
      const StopRequest& stop)
      : options_(options),
        separator_(separator),
        listener_(listener),
        working_set_(1, separator.dimension(), options.C),
        sweeps_(working_set_),
        progress_(options.stop, stop, separator.dimension()) {}

  bool ask();
  void certify();
  std::optional<StoppedBy> target() const;
  void add_plane();
  bool exhausted() const { return !new_plane_ && qp_is_exact_; }
  std::optional<StoppedBy> limit() const;
  bool solve_qp();

  Result interrupted() const {
    return finish(progress_.stopping.interrupted().value_or(StoppedBy::signal));
  }
  Result finish(StoppedBy rule) const { return progress_.result(rule, working_set_); }

 private:
  double slack() const { return sweeps_.slack().front(); }  // xi of the working set at w

  const OneSlackOptions& options_;
  Separator& separator_;
  Listener& listener_;
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  JointSeparation answer_;

  bool new_plane_ = false;
  bool qp_is_exact_ = true;  // to rounding, over the working set before the last pass
  double pass_gap_ = 0;      // P - D of the last pass
  double excess_ = 0;        // 1/n sum H_i - xi
};

bool Run::ask() {
  if (progress_.stopping.interrupted()) return false;
  const Timed timed(progress_.oracle_seconds);
  ++progress_.passes;
  try {
    separator_.separate_jointly(working_set_.w(), static_cast<std::uint64_t>(progress_.passes),
                                answer_);
  } catch (const Cancelled&) {
    return false;
  }
  progress_.oracle_calls += separator_.example_count();
  progress_.no_output = answer_.no_output;
  progress_.truth_outside = answer_.truth_outside;
  return true;
}

void Run::certify() {
  double low = 0;
  double high = 0;
  for (std::size_t k = 0; k < answer_.low.size(); ++k) {
    low += std::max(0.0, answer_.low[k]);
    high += std::max({0.0, answer_.low[k], answer_.high[k]});
  }
  const auto n = static_cast<double>(separator_.example_count());
  const std::vector<double>& b = working_set_.block(0).b;
  const SlackBounds mean = bound_slack(slack(), low / n, high / n,
                                       std::max(answer_.b, *std::max_element(b.begin(), b.end())),
                                       "mean over the examples");
  excess_ = mean.high - slack();
  const PrimalBounds primal =
      bound_primal(working_set_.squared_norm(), options_.C, mean.low, mean.high);
  pass_gap_ = (std::isfinite(primal.high) ? primal.high : primal.low) - working_set_.dual();
  progress_.certificate.update(working_set_.w(), primal, working_set_.dual(), working_set_.scale());
  progress_.report(listener_, working_set_, primal);
}

std::optional<StoppedBy> Run::target() const {
  if (progress_.stopping.gap_reached(progress_.certificate)) return StoppedBy::relative_gap;
  const auto& epsilon = progress_.stopping.epsilon();
  // P - D <= C epsilon follows when the QP is solved; until then it must be seen.
  if (epsilon && excess_ <= *epsilon && (qp_is_exact_ || pass_gap_ <= options_.C * *epsilon)) {
    return StoppedBy::epsilon;
  }
  return std::nullopt;
}

// Algorithm 3: S grows by the joint plane when it is violated by more than xi + epsilon.
void Run::add_plane() {
  const Timed timed(progress_.qp_seconds);
  const double product = dot(answer_.a, working_set_.w());
  const double noise = rounding * (std::abs(answer_.b) + std::abs(product));
  const double allowed = std::max(noise, progress_.stopping.epsilon().value_or(0));
  new_plane_ = answer_.b - product > slack() + allowed;
  if (!new_plane_) return;
  // Violated beyond every plane of the working set, so new: the pass may serve as its name.
  working_set_.add(0, PlaneVector(std::move(answer_.a)), answer_.b,
                   static_cast<std::uint64_t>(progress_.passes));
}

std::optional<StoppedBy> Run::limit() const {
  return progress_.stopping.limit(progress_.passes, progress_.oracle_calls);
}

bool Run::solve_qp() {
  QpEnd end;
  {
    const Timed timed(progress_.qp_seconds);
    QpRequest request;
    request.tolerance = new_plane_ ? options_.qp_fraction * pass_gap_ : 0;
    request.max_sweeps = sweeps_per_pass;
    request.stop = [this] { return progress_.stopping.interrupted().has_value(); };
    end = sweeps_.solve(request);
    qp_is_exact_ = !new_plane_ && (end == QpEnd::tolerance || end == QpEnd::rounding);
    if (options_.drop_after > 0) {
      working_set_.drop_idle(static_cast<std::int32_t>(
          std::min<std::int64_t>(options_.drop_after, std::int64_t{1} << 30)));
    }
  }
  progress_.certificate.raise_dual(working_set_.dual(), working_set_.scale());
  return end != QpEnd::interrupted;
}

}  // namespace

Result OneSlack::solve(Separator& separator, Listener& listener, const StopRequest& stop) {
  Run run(options_, separator, listener, stop);
  for (;;) {
    if (!run.ask()) return run.interrupted();
    run.certify();
    if (const auto rule = run.target()) return run.finish(*rule);
    run.add_plane();
    if (run.exhausted()) return run.finish(StoppedBy::oracle_exhausted);
    if (const auto rule = run.limit()) return run.finish(*rule);
    if (!run.solve_qp()) return run.interrupted();
  }
}

}  // namespace sculpt::core
