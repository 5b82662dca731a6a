#include "problem/prediction/probability_evaluation.hpp"

#include <cmath>

#include "problem/plugin/unknown_labels.hpp"
#include "problem/prediction/example_window.hpp"
#include "problem/prediction/probability_metrics.hpp"

namespace sculpt::core {
namespace {

struct MeasuredExample {
  bool is_counted = false;
  bool is_partial = false;
  double log_probability = 0;
  Marginals marginals;
};

void save(const MeasuredExample& one, StateWriter& out) {
  out.put(static_cast<std::uint8_t>(one.is_counted));
  out.put(static_cast<std::uint8_t>(one.is_partial));
  out.put(one.log_probability);
  save(one.marginals, out);
}

void load(StateReader& in, MeasuredExample& one) {
  one.is_counted = in.get_flag();
  one.is_partial = in.get_flag();
  one.log_probability = in.get<double>();
  load(in, one.marginals);
}

}  // namespace

void add_probability_metrics(Problem& problem, Probabilities& probabilities,
                             const ExampleList& examples, Evaluation& evaluation) {
  if (!probabilities.are_known() || !probabilities.obstacle_to_log_z().empty()) return;
  const bool has_marginals = probabilities.obstacle_to_marginals().empty();
  ProbabilityMetrics metrics;
  for_each_in_order<MeasuredExample>(
      problem, examples,
      [&](int worker, std::int64_t example, MeasuredExample& out) {
        const sculpt_labels truth = problem.dataset().truth(example);
        const bool is_labelled = truth.data != nullptr;
        out.is_partial = is_labelled && has_unknown_label(truth);
        out.is_counted = is_labelled && !out.is_partial;
        if (!out.is_counted) return;
        const double log_z = has_marginals
                                 ? probabilities.find_marginals(worker, example, out.marginals)
                                 : probabilities.log_z(worker, example);
        out.is_counted = std::isfinite(log_z);
        if (!out.is_counted) return;
        out.log_probability = probabilities.log_probability(worker, example, truth, log_z);
      },
      [&](std::int64_t example, const MeasuredExample& one) {
        evaluation.partial_count += one.is_partial ? 1 : 0;
        evaluation.probability_count += one.is_counted ? 1 : 0;
        if (!one.is_counted) return;
        metrics.add(one.log_probability, problem.dataset().truth(example), one.marginals);
      });
  for (Metric& metric : metrics.finish()) evaluation.metrics.push_back(std::move(metric));
}

}  // namespace sculpt::core
