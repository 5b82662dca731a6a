// downhill.cpp - a solver that the host does not know, added by this file alone: gradient descent
// on the log-loss (log_loss.cpp), with the certificate
//
//   P(w) - D = 1/2 ||grad P(w)||^2,   grad P(w) = w + C/n sum_i (E_i[psi] - psi(x_i, y_i))
//
// It asks for expectations and for the sum of the truths. One that ends for a limit or a signal
// leaves a checkpoint behind its last step, and goes on from there.
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
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
        truths_(static_cast<std::size_t>(source_.dimension()), 0.0) {
    ports.counts->sum_truths(truths_);
    for (double& one : truths_) one /= static_cast<double>(source_.example_count());
  }

  // Throws Cancelled where it is stopped before there is any P.
  Result solve() {
    Place now = begin();
    for (;;) {
      if (now.primal - best_dual_ <= relative_gap_ * std::abs(now.primal)) {
        return finish(now, StoppedBy::relative_gap);
      }
      if (const auto rule = limit()) return finish(now, *rule);
      if (checkpoints_.due()) leave(now);
      double step = 2 * step_;
      const std::int64_t calls = oracle_calls();
      try {
        now = descend(now, step);
      } catch (const Cancelled&) {
        take_back(oracle_calls() - calls);
        return finish(now, stopping().interrupted().value_or(StoppedBy::signal));
      }
      step_ = step;
      count(now);
    }
  }

 private:
  struct Place {
    Vector w;
    Vector gradient;
    double primal;
  };

  // Where an earlier run was left, or w = 0.
  Place begin() {
    StateReader* const in = checkpoints_.earlier();
    if (in == nullptr) {
      Place place = at(Vector(truths_.size(), 0.0));
      count(place);
      return place;
    }
    Place place;
    load_counts(*in);
    for (double* one : {&place.primal, &best_dual_, &step_}) *one = in->get<double>();
    for (Vector* one : {&place.w, &place.gradient}) {
      in->get_array(*one);
      in->require(one->size() == truths_.size(), "a vector of another dimension");
    }
    load_times(*in);
    in->require(in->left() == 0, "more than the state of this solver");
    return place;
  }

  void leave(const Place& now) {
    checkpoints_.write(reported(), [&](StateWriter& out) {
      save_counts(out);
      for (const double one : {now.primal, best_dual_, step_}) out.put(one);
      for (const Vector* one : {&now.w, &now.gradient}) out.put_array(*one);
      save_times(out);
    });
  }

  Place at(Vector w) {
    const Pass pass = next_pass();
    const bool whole =
        ask(source_.example_count(), [&] { source_.expect_jointly(w, pass, expected_); });
    if (!whole) throw Cancelled();
    Place place{std::move(w), {}, 0};
    double log_z = 0;
    for (const double one : expected_.log_z) log_z += one;
    place.primal =
        0.5 * squared_norm(place.w) +
        C_ * (log_z / static_cast<double>(source_.example_count()) - dot(truths_, place.w));
    place.gradient = place.w;
    axpy(C_, std::span<const double>(expected_.mean), place.gradient);
    axpy(-C_, std::span<const double>(truths_), place.gradient);
    return place;
  }

  // Armijo's rule: half as far until P falls by half of what its slope promises.
  Place descend(const Place& from, double& step) {
    for (;; step /= 2) {
      Vector w = from.w;
      axpy(-step, std::span<const double>(from.gradient), w);
      Place to = at(std::move(w));
      const bool falls =
          to.primal <= from.primal - 0.5 * step * squared_norm(from.gradient) || step < 1e-12;
      if (falls) return to;
    }
  }

  void count(const Place& now) {
    best_dual_ = std::max(best_dual_, now.primal - 0.5 * squared_norm(now.gradient));
    count_pass();
    note_report();
    PassReport report;
    fill(report);
    report.primal_low = report.primal_high = report.best_primal = now.primal;
    report.dual = best_dual_;
    report.gap = now.primal - best_dual_;
    report.relative_gap = report.gap / std::abs(now.primal);
    report.certified = true;
    listener_.pass_done(report);
  }

  Result finish(const Place& now, StoppedBy rule) {
    leave(now);
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
    result.reached = has_reached(rule, true);
    return result;
  }

  double C_;
  double relative_gap_;
  ExpectationSource& source_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  Vector truths_;  // their mean psi
  MeanExpectation expected_;
  double step_ = 1;
  double best_dual_ = -std::numeric_limits<double>::infinity();
};

class DescentSolver : public Solver {
 public:
  explicit DescentSolver(const DescentOptions& options) : options_(options) {}
  std::unique_ptr<Objective> objective(const Domain&) const override {
    return objective_in({{"kind", "log_loss"}, {"C", options_.C}});
  }
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override {
    return Descent(options_, ports, listener, stop, checkpoints).solve();
  }
  SolverTraits traits() const override {
    return {.needs = {Port::expectations, Port::truths}, .takes_bounds = false};
  }
  double expected_bytes(const ProblemShape& shape) const override {
    return 6 * shape.vector_bytes();
  }
  double min_bytes(const ProblemShape& shape) const override { return expected_bytes(shape); }

 private:
  DescentOptions options_;
};

std::span<const sculpt_parameter> descent_parameters() {
  static const ParameterTable table =
      ParameterTable{real_parameter("C", "1", 1e-9, 1e9, nullptr, "Price of the mean log-loss.")} +
      ParameterTable{gap_parameter()} + limit_parameters("1000");
  return table;
}

const SolverDescriptor descent{"downhill", "Gradient descent on the log-loss.",
                               descent_parameters(),
                               [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
                                 const ParameterValues named(descent_parameters(), values);
                                 DescentOptions options;
                                 options.C = named.at("C").real;
                                 fill_gap(named, options.stop);
                                 fill_limits(named, options.stop);
                                 return std::make_unique<DescentSolver>(options);
                               }};
const bool added = (add_solver(descent), true);

}  // namespace
}  // namespace sculpt::core
