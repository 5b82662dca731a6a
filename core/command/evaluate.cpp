// sculpt evaluate: the metrics of a model on labelled data.

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/current_activity.hpp"
#include "base/text/message_text.hpp"
#include "command/command.hpp"
#include "command/inputs/loaded_model.hpp"
#include "launch/run_events.hpp"

namespace sculpt::core {

Exit evaluate(const Arguments& arguments) {
  CommandLine line("evaluate", {"MODEL", "DATA"});
  line.add()("json", "print one JSON object");
  const std::unique_ptr<LoadedModel> model = load_model(line, arguments);
  if (!model) return Exit::reached;
  current_activity = {"predicting"};
  const Evaluation evaluation = model->predictor().run(model->examples(), {});
  if (evaluation.labelled_count == 0) {
    throw Failure(Exit::data, line.required("DATA") +
                                  ": contains no labelled example to measure against; use sculpt "
                                  "predict for unlabelled data");
  }
  if (line.has("json")) {
    std::cout << metrics_json(evaluation).dump(2) << '\n';
    return Exit::reached;
  }
  for (const Metric& metric : evaluation.metrics) {
    std::cout << std::left << std::setw(20) << metric.name << std::setw(12)
              << number_text(metric.value) << metric.summary << '\n';
  }
  std::cout << std::setw(20) << "examples" << evaluation.measured_count << '\n';
  if (evaluation.unlabelled_count > 0) {
    std::cout << std::setw(20) << "unlabelled" << evaluation.unlabelled_count << '\n';
  }
  if (evaluation.no_output_count > 0) {
    std::cout << std::setw(20) << "no_output" << evaluation.no_output_count << '\n';
  }
  return Exit::reached;
}

}  // namespace sculpt::core
