// descent_solver.cpp - the solver `downhill`, which only this file adds to the host. It is gradient
// descent on the log-loss (log_loss.cpp), with the certificate
//
//   P(w) - D = 1/2 ||grad P(w)||^2,   grad P(w) = w + C/n sum_i (E_i[psi] - psi(x_i, y_i))
//
// It asks for expectations and for the sum of the truths. A run that a limit or a signal ends
// writes a checkpoint after its last step, and can be resumed from it.
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sculpt/cpp/parameters.hpp>
#include <span>

#include "base/cancelled.hpp"
#include "linalg/products.hpp"
#include "solver/catalogue/solver_list.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/run_counters.hpp"

namespace sculpt::core {
namespace {

struct DescentOptions {
  double C = 1;
  StopOptions stop;
};

class Descent : private RunCounters {
 public:
  Descent(const DescentOptions& options, const Ports& ports, Listener& listener,
          const StopRequest& stop, Checkpoints& checkpoints)
      : RunCounters(options.stop, *ports.expectations, stop),
        C_(options.C),
        relative_gap_(options.stop.relative_gap),
        source_(*ports.expectations),
        listener_(listener),
        checkpoints_(checkpoints),
        mean_truth_(static_cast<std::size_t>(source_.dimension()), 0.0) {
    ports.counts->sum_all_truths(mean_truth_);
    for (double& one : mean_truth_) one /= static_cast<double>(source_.example_count());
  }

  // Throws Cancelled if it is stopped before the first P.
  Result solve() {
    Point now = first_point();
    for (;;) {
      if (now.primal - best_dual_ <= relative_gap_ * std::abs(now.primal)) {
        return finish(now, StoppedBy::relative_gap);
      }
      if (const auto rule = reached_limit()) return finish(now, *rule);
      if (checkpoints_.is_due()) write_checkpoint(now);
      double step = 2 * step_;
      const std::int64_t calls = oracle_calls();
      try {
        now = descend(now, step);
      } catch (const Cancelled&) {
        subtract_calls(oracle_calls() - calls);
        return finish(now, stop_rules().interruption().value_or(StoppedBy::signal));
      }
      step_ = step;
      report_pass(now);
    }
  }

 private:
  struct Point {
    Vector w;
    Vector gradient;
    double primal;
  };

  // The last point of an earlier run, or w = 0.
  Point first_point() {
    StateReader* const in = checkpoints_.saved_state();
    if (in == nullptr) {
      Point point = point_at(Vector(mean_truth_.size(), 0.0));
      report_pass(point);
      return point;
    }
    Point point;
    load_counts(*in);
    for (double* one : {&point.primal, &best_dual_, &step_}) *one = in->get<double>();
    for (Vector* one : {&point.w, &point.gradient}) {
      in->get_array(*one);
      in->require(one->size() == mean_truth_.size(), "a vector of another dimension");
    }
    load_times(*in);
    in->require(in->bytes_left() == 0, "more than the state of this solver");
    return point;
  }

  void write_checkpoint(const Point& now) {
    checkpoints_.write(reported_passes(), [&](StateWriter& out) {
      save_counts(out);
      for (const double one : {now.primal, best_dual_, step_}) out.put(one);
      for (const Vector* one : {&now.w, &now.gradient}) out.put_array(*one);
      save_times(out);
    });
  }

  // Asks for the expectations at w. Throws Cancelled if it is stopped.
  Point point_at(Vector w) {
    const Pass pass = next_pass();
    const bool complete =
        ask(source_.example_count(), [&] { source_.compute_mean_expectation(w, pass, expected_); });
    if (!complete) throw Cancelled();
    Point point{std::move(w), {}, 0};
    double log_z = 0;
    for (const double one : expected_.log_z) log_z += one;
    point.primal =
        0.5 * squared_norm(point.w) +
        C_ * (log_z / static_cast<double>(source_.example_count()) - dot(mean_truth_, point.w));
    point.gradient = point.w;
    axpy(C_, std::span<const double>(expected_.mean), point.gradient);
    axpy(-C_, std::span<const double>(mean_truth_), point.gradient);
    return point;
  }

  // Armijo's rule: halves the step until P falls by at least half of step * ||gradient||^2.
  Point descend(const Point& from, double& step) {
    for (;; step /= 2) {
      Vector w = from.w;
      axpy(-step, std::span<const double>(from.gradient), w);
      Point to = point_at(std::move(w));
      const bool falls =
          to.primal <= from.primal - 0.5 * step * squared_norm(from.gradient) || step < 1e-12;
      if (falls) return to;
    }
  }

  void report_pass(const Point& now) {
    best_dual_ = std::max(best_dual_, now.primal - 0.5 * squared_norm(now.gradient));
    count_pass();
    record_report();
    PassReport report;
    fill(report);
    report.primal_low = report.primal_high = report.best_primal = now.primal;
    report.dual = best_dual_;
    report.gap = now.primal - best_dual_;
    report.relative_gap = report.gap / std::abs(now.primal);
    report.certified = true;
    listener_.pass_done(report);
  }

  Result finish(const Point& now, StoppedBy rule) {
    write_checkpoint(now);
    Result result;
    fill(result);
    result.w = now.w;
    result.primal = result.primal_low = now.primal;
    result.primal_high = now.primal;
    result.dual = best_dual_;
    result.gap = now.primal - best_dual_;
    result.relative_gap = result.gap / std::abs(now.primal);
    result.certified = true;
    result.uncertified_reason = UncertifiedReason::none;
    result.stopped_by = rule;
    result.reached = has_reached_target(rule, true);
    return result;
  }

  double C_;
  double relative_gap_;
  ExpectationSource& source_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  Vector mean_truth_;  // the mean of psi(x_i, y_i)
  MeanExpectation expected_;
  double step_ = 1;
  double best_dual_ = -std::numeric_limits<double>::infinity();
};

class DescentSolver : public Solver {
 public:
  explicit DescentSolver(const DescentOptions& options) : options_(options) {}
  std::unique_ptr<Objective> objective(const Domain&) const override {
    return objective_in({{"kind", "plain_log_loss"}, {"C", options_.C}});
  }
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override {
    return Descent(options_, ports, listener, stop, checkpoints).solve();
  }
  SolverTraits traits() const override {
    return {.needs = {Port::expectations, Port::truths}, .supports_bounds = false};
  }
  double expected_bytes(const ProblemStatistics& statistics) const override {
    return 6 * statistics.vector_bytes();
  }
  double min_bytes(const ProblemStatistics& statistics) const override {
    return expected_bytes(statistics);
  }

 private:
  DescentOptions options_;
};

std::span<const sculpt_parameter> descent_parameters() {
  static const ParameterTable table =
      ParameterTable{real_parameter("C", "1", 1e-9, 1e9, nullptr, "Price of the mean log-loss.")} +
      ParameterTable{sculpt::deprecated(
          sculpt::integer("most_steps", "0", 0, 1e9, "Set max_passes instead."))} +
      ParameterTable{relative_gap_parameter()} + limit_parameters("1000");
  return table;
}

const SolverDescriptor descent{"downhill", "Gradient descent on the log-loss.",
                               descent_parameters(),
                               [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
                                 const ParameterValues named(descent_parameters(), values);
                                 DescentOptions options;
                                 options.C = named.at("C").real;
                                 fill_relative_gap(named, options.stop);
                                 fill_limits(named, options.stop);
                                 return std::make_unique<DescentSolver>(options);
                               }};
const bool added = (add_solver(descent), true);

}  // namespace
}  // namespace sculpt::core
