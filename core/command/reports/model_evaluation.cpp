#include "command/reports/model_evaluation.hpp"

#include "base/text/message_text.hpp"
#include "command/reports/probability_lines.hpp"
#include "launch/console.hpp"
#include "problem/prediction/probability_evaluation.hpp"

namespace sculpt::core {

Evaluation evaluate_examples(LoadedModel& model, Predictor& predictor, Probabilities& probabilities,
                             const std::string& data) {
  Evaluation evaluation = predictor.run(model.examples(), {});
  if (evaluation.labelled_count == 0) {
    throw Failure(Exit::data, data +
                                  ": contains no labelled example to measure against; use sculpt "
                                  "predict for unlabelled data");
  }
  add_probability_metrics(model.problem(), probabilities, ExampleList(model.examples()),
                          evaluation);
  warn_if_approximate(model, probabilities);
  if (evaluation.partial_count > 0) {
    Console().warn("log_loss, perplexity and calibration_error leave out " +
                   count_text(evaluation.partial_count, "example") +
                   " with labels that are not known");
  }
  if (evaluation.unlabelled_count > 0) {
    Console().warn("left out " + count_text(evaluation.unlabelled_count, "unlabelled example") +
                   " of " + data + "; " + std::to_string(evaluation.labelled_count) +
                   " are measured");
  }
  if (!evaluation.warning.empty()) Console().warn(evaluation.warning);
  return evaluation;
}

}  // namespace sculpt::core
