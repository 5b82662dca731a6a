// sculpt evaluate: the metrics of a model on labelled data.

#include <nlohmann/json.hpp>

#include "base/current_activity.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/decode_option.hpp"
#include "command/inputs/loaded_model.hpp"
#include "command/reports/model_evaluation.hpp"
#include "launch/run_events.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t metric_width = 20;
constexpr std::size_t metric_value_width = 12;

void print_count(TextOut& out, const std::string& name, std::int64_t count) {
  out << padded(name, metric_width) << count << "\n";
}

}  // namespace

Exit evaluate(const Arguments& arguments) {
  CommandLine line("evaluate", {"MODEL", "DATA"});
  line.add()("json", "print one JSON object");
  add_decode_option(line);
  const std::unique_ptr<LoadedModel> model = load_model(line, arguments, check_decode_option);
  if (!model) return Exit::reached;
  current_activity = {"predicting"};
  Probabilities probabilities(model->problem(), model->weights(), model->temperature());
  Predictor predictor = model->predictor();
  apply_decode_option(line, probabilities, predictor);
  const Evaluation evaluation =
      evaluate_examples(*model, predictor, probabilities, line.required("DATA"));
  if (line.has("json")) {
    print_json(metrics_json(evaluation));
    return Exit::reached;
  }
  TextOut out = report_out();
  for (const Metric& metric : evaluation.metrics) {
    out << padded(metric.name, metric_width)
        << padded(number_text(metric.value), metric_value_width) << metric.summary << "\n";
  }
  print_count(out, "examples", evaluation.measured_count);
  if (evaluation.measures_probabilities()) {
    print_count(out, "log_loss_examples", evaluation.probability_count);
  }
  if (evaluation.unlabelled_count > 0) print_count(out, "unlabelled", evaluation.unlabelled_count);
  if (evaluation.no_output_count > 0) print_count(out, "no_output", evaluation.no_output_count);
  return Exit::reached;
}

}  // namespace sculpt::core
