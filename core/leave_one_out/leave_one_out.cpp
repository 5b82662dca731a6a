#include "leave_one_out/leave_one_out.hpp"

#include <algorithm>
#include <utility>

#include "base/cancelled.hpp"
#include "base/stopwatch.hpp"
#include "leave_one_out/xi_alpha_bound.hpp"
#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {
const char* name_of(LeftOutBy method) {
  switch (method) {
    case LeftOutBy::unused:
      return "unused";
    case LeftOutBy::ball:
      return "ball";
    case LeftOutBy::retrained:
      return "retrained";
  }
  return "";
}

std::int64_t LeaveOneOutResult::count_by(LeftOutBy method) const {
  return std::count_if(examples.begin(), examples.end(),
                       [&](const LeftOutExample& out) { return out.by == method; });
}

std::int64_t LeaveOneOutResult::certain_count() const {
  return std::count_if(examples.begin(), examples.end(),
                       [](const LeftOutExample& out) { return out.is_certain; });
}

std::int64_t LeaveOneOutResult::missed_count() const {
  return std::count_if(examples.begin(), examples.end(),
                       [](const LeftOutExample& out) { return !out.has_reached; });
}

LeaveOneOut::LeaveOneOut(Problem& problem, PlaneSource& source, const RunSolvers& solvers,
                         WorkingSet& planes, StopRequest stop)
    : problem_(problem),
      source_(source),
      planes_(planes),
      sum_(source.dimension()),
      stop_(std::move(stop)),
      seed_(solvers.seed),
      retraining_(problem, source, solvers, planes),
      exact_(exact_gaps(problem, source, planes, stop_)) {}

ExampleProduct LeaveOneOut::product_of(std::int64_t example) {
  ProblemKernel* const kernel = problem_.kernel();
  std::optional<ExampleKernel> values;
  if (kernel != nullptr) {
    values.emplace(kernel->layout(), kernel->atoms_of_training(example),
                   kernel->values_of_training(example));
  }
  return {std::move(values), planes_.scratch(), sum_};
}

std::optional<OutputMargins> LeaveOneOut::margins_of(std::int64_t example) {
  return OutputMargins::of(problem_, example, product_of(example));
}

// Sets the output without retraining. False if that is not possible.
bool LeaveOneOut::decide(LeftOutExample& out) {
  const bool is_unused = planes_.block(out.example).alpha_sum() == 0;
  const std::optional<OutputMargins> margins = margins_of(out.example);
  out.by = is_unused ? LeftOutBy::unused : LeftOutBy::ball;
  if (!margins) {
    if (is_unused) {
      out.prediction = predict_one(problem_, planes_.model_vector(), out.example, seed_);
    }
    return is_unused;
  }
  if (!is_unused && planes_.has_bounds()) return false;
  const LeftOutBall ball = ball_without(out.example, planes_, exact_.gaps, product_of(out.example));
  const OutputMargins::Best best =
      margins->best_at(planes_.complete_w(), ball.shift.index.empty() ? nullptr : &ball.shift);
  out.is_certain = best.radius > ball.radius;
  if (out.is_certain) out.prediction = margins->prediction(best.output);
  return out.is_certain;
}

LeaveOneOutResult LeaveOneOut::run(const std::vector<std::int64_t>& examples,
                                   const Progress& progress) {
  LeaveOneOutResult result;
  std::vector<std::size_t> open;
  for (const std::int64_t example : examples) {
    if (stop_()) throw Cancelled();
    LeftOutExample& out = result.examples.emplace_back();
    out.example = example;
    if (!decide(out)) open.push_back(result.examples.size() - 1);
  }
  const Stopwatch watch;
  for (std::size_t k = 0; k < open.size(); ++k) {
    progress(static_cast<std::int64_t>(k), std::ssize(open));
    retrain(result.examples[open[k]], result);
  }
  result.retraining_seconds = watch.seconds();
  result.xi_alpha_error = xi_alpha_error();
  return result;
}

void LeaveOneOut::retrain(LeftOutExample& out, LeaveOneOutResult& result) {
  const std::optional<OutputMargins> margins = margins_of(out.example);
  Retrained retrained = retraining_.run(out.example, margins ? &*margins : nullptr, stop_);
  out.by = LeftOutBy::retrained;
  out.prediction = std::move(retrained.prediction);
  out.is_certain = retrained.is_certain;
  out.has_reached = retrained.has_reached;
  result.passes += retrained.passes;
  result.oracle_calls += retrained.oracle_calls;
}

// Only under the formulation of the source: linear slacks, no weights, two outputs of loss 1.
std::optional<double> LeaveOneOut::xi_alpha_error() {
  if (!planes_.slack_term().is_linear() || !source_.example_weights().empty()) return std::nullopt;
  XiAlphaBound bound;
  for (std::int64_t i = 0; i < source_.example_count(); ++i) {
    const std::optional<OutputMargins> margins = margins_of(i);
    if (!margins || margins->count() != 2) return std::nullopt;
    const Block& block = planes_.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.b[p] != 1) return std::nullopt;
    }
    const double length = product_of(i).norm(margins->difference(0, 1));
    bound.add(block.alpha_sum(), exact_.slack[static_cast<std::size_t>(i)], length * length);
  }
  return bound.error();
}

}  // namespace sculpt::core
