#include "solver/generative/generative.hpp"

#include <cmath>

#include "base/failure.hpp"
#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "solver/mean_slack.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"
#include "solver/run_counters.hpp"

namespace sculpt::core {
namespace {

class GenerativeRun : private RunCounters {
 public:
  GenerativeRun(const GenerativeOptions& options, PlaneSource& source, CountSource& truths,
                Listener& listener, const StopRequest& stop, Checkpoints& checkpoints)
      : RunCounters(StopOptions(), source, stop),
        options_(options),
        source_(source),
        truths_(truths),
        listener_(listener),
        checkpoints_(checkpoints) {}

  Result solve() {
    resume();
    const Vector w = weights_by_counting();
    MeanSlack mean;
    std::vector<Separation> answers;
    const Pass pass = next_pass();
    const bool is_complete = sum_mean_slack(
        options_.formulation, source_, answers, mean,
        [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
          return ask(static_cast<std::int64_t>(examples.size()),
                     [&] { source_.separate(w, examples, pass, out); });
        },
        [&](const Separation& answer) { counts_.add(answer); });
    if (!is_complete) return finish(w, {infinity, infinity, 0}, StoppedBy::signal);
    const PrimalBounds primal = bound_primal(options_.formulation, squared_norm(w), mean);
    report(primal);
    return finish(w, primal, StoppedBy::counted);
  }

 private:
  // A resumed run repeats its only pass. The checkpoint stores only the time that was used.
  void resume() {
    StateReader* const state = checkpoints_.saved_state();
    if (state == nullptr) return;
    load_times(*state);
    state->require(state->bytes_left() == 0, "more than the state of this solver");
  }

  void write_checkpoint() {
    checkpoints_.write(0, [this](StateWriter& out) { save_times(out); });
  }

  Vector weights_by_counting() {
    const std::vector<std::int32_t> groups = truths_.groups();
    Vector counts(static_cast<std::size_t>(source_.dimension()), 0.0);
    truths_.sum_all_truths(counts);
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (groups[j] < 0 || counts[j] >= 0) continue;
      throw Failure(Exit::config, "generative counts events, but feature " + std::to_string(j) +
                                      " adds up to " + std::to_string(counts[j]) +
                                      " over the truths; use inputs that are not negative");
    }
    return log_relative_frequencies(counts, groups, options_.smoothing);
  }

  void report(const PrimalBounds& primal) {
    count_pass();
    record_report();
    PassReport report;
    report.primal_low = primal.low;
    report.primal_high = primal.high;
    report.best_primal = std::isfinite(primal.high) ? primal.high : primal.low;
    report.primal_kind = bound_kind_of(primal.low, primal.high);
    report.mean_slack = primal.mean_slack;
    fill_answer_counts(source_, counts_, report);
    fill(report);
    listener_.pass_done(report);
  }

  Result finish(const Vector& w, const PrimalBounds& primal, StoppedBy rule) {
    write_checkpoint();
    Result result;
    result.w = w;
    result.primal = std::isfinite(primal.high) ? primal.high : primal.low;
    result.primal_low = std::nan("");  // unknown until all examples are asked
    if (rule == StoppedBy::counted) {
      result.primal_low = primal.low;
      if (std::isfinite(primal.high)) result.primal_high = primal.high;
      result.uncertified_reason =
          result.primal_high ? UncertifiedReason::none : UncertifiedReason::no_upper_bound;
    }
    result.stopped_by = rule;
    result.answers = counts_;
    fill(result);
    return result;
  }

  const GenerativeOptions& options_;
  PlaneSource& source_;
  CountSource& truths_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  AnswerCounts counts_;
};

}  // namespace

Result Generative::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                         Checkpoints& checkpoints) {
  return GenerativeRun(options_, *ports.planes, *ports.counts, listener, stop, checkpoints).solve();
}

SolverTraits Generative::traits() const {
  return {.needs = {Port::planes, Port::truths, Port::groups}, .supports_bounds = false};
}

double Generative::expected_bytes(const ProblemStatistics& statistics) const {
  return 3 * statistics.vector_bytes();  // counts, groups, w
}

double Generative::min_bytes(const ProblemStatistics& statistics) const {
  return expected_bytes(statistics);
}

namespace {

std::span<const sculpt_parameter> generative_parameters() {
  static const ParameterTable table =
      formulation_parameters(c_summary_if_reported) +
      ParameterTable{
          real_parameter(
              "smoothing", "1", 0, max_exact_count, "events",
              "Added to the count of every event, so that none is impossible. With 0, events that "
              "never occur get the weight -100."),
          real_parameter("ungrouped", "0", -1e6, 1e6, nullptr,
                         "The weight of features without a group of events, such as the gaps of an "
                         "alignment."),
      };
  return table;
}

}  // namespace

GenerativeOptions generative_options(std::span<const sculpt_value> values) {
  const ParameterValues named(generative_parameters(), values);
  GenerativeOptions options;
  options.formulation = formulation_of(named);
  options.smoothing.pseudo_count = named.at("smoothing").real;
  options.smoothing.ungrouped_weight = named.at("ungrouped").real;
  require_slacks(options.formulation, "generative", "C is used only in the reported primal");
  return options;
}

const SolverDescriptor& generative_descriptor() {
  static const SolverDescriptor descriptor{
      "generative",
      "Weights by counting, for example hidden Markov models and probabilistic grammars. A "
      "baseline. Requires features that offer groups of events.",
      generative_parameters(),
      [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<Generative>(generative_options(values));
      },
      false};
  return descriptor;
}

}  // namespace sculpt::core
