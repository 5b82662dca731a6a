#include "command/training/advice_facts.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/text/message_text.hpp"
#include "command/training/bottleneck.hpp"
#include "command/training/training_summary.hpp"
#include "experiment/component_use.hpp"
#include "objective/example_source.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// True if calls of the oracle are cheap compared with the steps, so that more calls do not matter.
bool oracle_is_cheap(const PhaseTimes& times) {
  return times.oracle < 0.25 * (times.sweeps + times.qp);
}

// "target 0.1 %", with the epsilon that would also end the run. Or the target of a residual.
std::string target_text(const Json& solver) {
  const Json gap = solver.value("relative_gap", Json());
  const Json residual = solver.value("residual", Json());
  if (!gap.is_number()) {
    return residual.is_number() ? "target " + number_text(residual.get<double>()) : "target";
  }
  const Json epsilon = solver.value("epsilon", Json());
  return "target " + percent_text(gap.get<double>()) +
         (epsilon.is_number() ? " or epsilon " + number_text(epsilon.get<double>()) : "");
}

}  // namespace

AdviceFacts advice_facts(Problem& problem, const Experiment& experiment, const SolverOfRun& run,
                         const Result& result, bool columns_differ,
                         const ColumnAdvice& column_advice) {
  const std::int64_t examples = problem.training().size();
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  AdviceFacts facts{run.solver.traits()};
  const int oracle_threads = facts.asks_one_by_one ? 1 : problem.workers().threads();
  facts.shares_slack = facts.shares_slack && examples > 1;
  facts.has_idle_cores = problem.serial_warning().empty() && oracle_threads < cores;
  facts.has_relative_gap = run.chosen.descriptor.has_parameter("relative_gap");
  facts.has_target = facts.has_relative_gap || run.chosen.descriptor.has_parameter("residual");
  facts.has_batch = run.chosen.descriptor.has_parameter("batch");
  facts.has_sgd_batch = run.chosen.descriptor.has_parameter("sgd_batch");
  facts.has_c = run.chosen.descriptor.has_parameter("C");
  facts.is_hinge = run.objective.is_hinge();
  facts.escalates = problem.oracle().escalates();
  facts.columns_differ = columns_differ;
  facts.oracle_is_cheap = oracle_is_cheap(result.times);
  facts.suits_one_slack =
      problem.kernel() == nullptr && suits_one_slack(examples, problem.dimension());
  facts.column_advice = column_advice;
  if (const auto formulation = run.solver.formulation()) {
    facts.slacks_vanish = facts.is_hinge && !formulation->is_hard_margin() && slacks_vanish(result);
    facts.C = formulation->C;
    facts.rescales_slack = formulation->rescaling == Rescaling::slack;
  }
  facts.asked_examples = asked_count(examples, problem.example_weights());
  facts.relaxes = problem.oracle().relaxes();
  facts.searches_loss_weight =
      problem.has_planes() && problem.strategy() == SeparationStrategy::loss_weight_search;
  facts.lists_k_best = facts.searches_loss_weight && problem.oracle().lists_k_best();
  facts.obstacle_to_frontier = problem.oracle().obstacle_to_frontier();
  facts.has_factor_graph = problem.features().offers_factor_graph();
  facts.target = target_text(run.chosen.parameters.resolved());
  const auto name_of_use = [](const Section& section) {
    return short_name(component_of_use(section.use));
  };
  facts.oracle = name_of_use(experiment.oracle.members.back());
  facts.features = name_of_use(experiment.features);
  facts.ended_early = ended_early(result, facts.has_target);
  return facts;
}

}  // namespace sculpt::core
