// sculpt evaluate: the metrics of a model on labelled data.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/current_activity.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/data/example_window.hpp"
#include "command/inputs/loaded_model.hpp"
#include "command/reports/probability_lines.hpp"
#include "launch/console.hpp"
#include "launch/run_events.hpp"
#include "problem/prediction/probabilities.hpp"
#include "problem/prediction/probability_metrics.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t name_width = 20;
constexpr std::size_t number_width = 12;

void print_count(TextOut& out, const std::string& name, std::int64_t count) {
  out << padded(name, name_width) << count << "\n";
}

// The metrics of probabilities, if the model and its oracle have them.
std::vector<Metric> measure_probabilities(LoadedModel& model) {
  Problem& problem = model.problem();
  Probabilities probabilities(problem, model.weights(), model.temperature());
  if (!probabilities.are_known() || !probabilities.obstacle_to_log_z().empty()) return {};
  const bool has_marginals = probabilities.obstacle_to_marginals().empty();
  struct Measured {
    bool is_counted = false;
    bool is_partial = false;
    double log_probability = 0;
    Marginals marginals;
  };
  ProbabilityMetrics metrics;
  std::int64_t partial_count = 0;  // examples with labels that are not known
  for_each_in_order<Measured>(
      problem, model.examples(),
      [&](int worker, std::int64_t example, Measured& out) {
        const sculpt_labels truth = problem.dataset().truth(example);
        const bool is_complete =
            truth.data != nullptr && std::count(truth.data, truth.data + truth.size, -1) == 0;
        out.is_partial = truth.data != nullptr && !is_complete;
        const double log_z = has_marginals
                                 ? probabilities.find_marginals(worker, example, out.marginals)
                                 : probabilities.log_z(worker, example);
        out.is_counted = is_complete && std::isfinite(log_z);
        if (!out.is_counted) return;
        out.log_probability = probabilities.log_probability(worker, example, truth, log_z);
      },
      [&](std::int64_t example, const Measured& one) {
        partial_count += one.is_partial ? 1 : 0;
        if (!one.is_counted) return;
        metrics.add(one.log_probability, problem.dataset().truth(example), one.marginals);
      });
  warn_if_approximate(probabilities);
  if (partial_count > 0) {
    Console().warn("log_loss, perplexity and calibration_error leave out " +
                   count_text(partial_count, "example") + " with labels that are not known");
  }
  return metrics.finish();
}

}  // namespace

Exit evaluate(const Arguments& arguments) {
  CommandLine line("evaluate", {"MODEL", "DATA"});
  line.add()("json", "print one JSON object");
  const std::unique_ptr<LoadedModel> model = load_model(line, arguments);
  if (!model) return Exit::reached;
  current_activity = {"predicting"};
  Evaluation evaluation = model->predictor().run(model->examples(), {});
  if (evaluation.labelled_count == 0) {
    throw Failure(Exit::data, line.required("DATA") +
                                  ": contains no labelled example to measure against; use sculpt "
                                  "predict for unlabelled data");
  }
  for (Metric& metric : measure_probabilities(*model)) evaluation.metrics.push_back(metric);
  if (line.has("json")) {
    print_json(metrics_json(evaluation));
    return Exit::reached;
  }
  TextOut out = report_out();
  for (const Metric& metric : evaluation.metrics) {
    out << padded(metric.name, name_width) << padded(number_text(metric.value), number_width)
        << metric.summary << "\n";
  }
  print_count(out, "examples", evaluation.measured_count);
  if (evaluation.unlabelled_count > 0) print_count(out, "unlabelled", evaluation.unlabelled_count);
  if (evaluation.no_output_count > 0) print_count(out, "no_output", evaluation.no_output_count);
  return Exit::reached;
}

}  // namespace sculpt::core
