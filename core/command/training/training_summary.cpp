#include "command/training/training_summary.hpp"

#include <cmath>
#include <ostream>

#include "base/memory/process_memory.hpp"
#include "base/text/message_text.hpp"
#include "command/training/bottleneck.hpp"
#include "objective/objective.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {
namespace {

// The reason why the run leaves a gap, if nothing new was found to close it. Else "".
std::string left_by(const Result& result, const AdviceFacts& shape) {
  if (result.stopped_by == StoppedBy::standstill) {
    return shape.updated_by == UpdateKind::qp ? ": the QP stands still"
                                              : ": single steps stand still";
  }
  if (result.stopped_by != StoppedBy::oracle_exhausted) return "";
  if (is_optimum_to_rounding(result)) return ": the optimum to rounding";
  switch (gap_cause_of(result)) {
    case GapCause::bounds:
      return ": the oracle's bounds leave no more";
    case GapCause::rounding:
      return ": the rounding of large features leaves no more";
    case GapCause::steps:
    case GapCause::none:
      break;
  }
  return ": new planes move nothing any more";
}

std::string certificate_text(const Result& result, const AdviceFacts& shape) {
  if (std::isnan(result.dual)) return "none: the solver proves no dual";
  if (result.uncertified_reason == UncertifiedReason::violated) {
    return result.reached ? "none: margins are violated, by epsilon at most; target reached"
                          : "none: these weights violate some of the hard margins";
  }
  if (!std::isfinite(result.relative_gap)) {
    return "none: stopped before all examples were asked at one w";
  }
  if (!result.certified) {
    return number_text(result.relative_gap) + " of the lower estimate: not certified, " +
           (result.uncertified_reason == UncertifiedReason::not_asked
                ? "stopped before all examples were asked at one w"
            : shape.escalates
                ? "the last oracle was not asked about all examples, or bounds nothing"
                : "the oracle gives no upper bound");
  }
  if (!result.reached) {
    return percent_text(result.relative_gap) + ", proved, " + shape.target + " not reached" +
           left_by(result, shape);
  }
  return number_text(result.relative_gap) + ", certified" + left_by(result, shape) +
         ", target reached";
}

void print_measured(std::ostream& out, const SplitEvaluations& measured) {
  for (const auto& [split, evaluation] : measured) {
    std::string text;
    for (const Metric& metric : evaluation.metrics) {
      text += metric.name + " " + number_text(metric.value) + ", ";
    }
    text += std::to_string(evaluation.measured) + " examples";
    if (evaluation.no_output > 0) {
      text += " and " + std::to_string(evaluation.no_output) + " without output";
    }
    out << summary_line(split, text);
  }
}

// The text of the bounds from the audit.
std::string audit_text(const Audit& audit) {
  if (!audit.refused.empty()) return "refused by " + audit.refused;
  const char* how = bound_prefix(audit.known());
  std::string text = "by " + audit.oracle + ": the primal of outputs is " +
                     primal_text(audit.primal(), audit.known());
  if (!std::isnan(audit.relative_gap)) {
    text += std::string(", relative gap ") + how + number_text(audit.relative_gap);
    if (audit.known() == BoundKind::exact) text += ", proved";
  }
  return text;
}

}  // namespace

BoundKind Audit::known() const {
  // Sums of the values and the bounds of an exact oracle differ by rounding.
  return bound_kind_of(primal_low, primal_high, 1e-9);
}

void print_start(Console& console, const Experiment& experiment, const SolverDescriptor& solver,
                 const Objective& objective, Problem& problem) {
  const std::int64_t n = problem.training().size();
  console.say(experiment.name + ": " + std::to_string(n) + " examples, " +
              std::to_string(problem.dimension()) + " weights, " +
              std::to_string(problem.workers().threads()) + " threads");
  if (experiment.hold_out) {
    console.say("held out: " + std::to_string(problem.validation().size()) + " examples");
  }
  if (!solver.minimizes) {
    console.say("minimize nothing; the primal is " + objective.text());
    return;
  }
  console.say("minimize " + objective.text());
  for (const std::string& remark : objective.remarks(n)) console.say("  " + remark);
}

std::string primal_text(double primal, BoundKind known) {
  return (std::isfinite(primal) ? bound_prefix(known) : "") + number_text(primal);
}

void print_result(std::ostream& out, const Experiment& experiment, const Result& result,
                  const ModelMetrics& figures, const RunTimes& times, const AdviceFacts& shape,
                  const RunMemory& memory, const std::filesystem::path& model) {
  out << experiment.name << "\n";
  out << summary_line("primal", primal_text(result.primal, result.primal_kind()));
  out << summary_line("dual", number_text(result.dual));
  out << summary_line("relative gap", certificate_text(result, shape));
  out << summary_line("stopped by", std::string(name_of(result.stopped_by)) + " after " +
                                        std::to_string(result.passes) + " passes, " +
                                        std::to_string(result.oracle_calls) + " oracle calls");
  const AnswerCounts& answers = result.answers;
  if (answers.no_output > 0) {
    out << summary_line("no output", std::to_string(answers.no_output) + " examples");
  }
  if (answers.truth_outside > 0) {
    out << summary_line("truth outside", std::to_string(answers.truth_outside) + " examples");
  }
  if (answers.fractional > 0) {
    out << summary_line("fractional", std::to_string(answers.fractional) +
                                          " examples in the last pass: the primal is that of "
                                          "relaxed outputs, no less than that of outputs");
  }
  if (answers.escalated > 0) {
    out << summary_line("escalated", "the last oracle was asked about " +
                                         std::to_string(answers.escalated) +
                                         " examples in the last pass");
  }
  out << summary_line("time", time_text(times));
  out << summary_line("limited by", bottleneck_text(result, times, shape));
  out << summary_line("memory", memory_text(memory.peak) + " at its peak, " +
                                    memory_text(memory.expected) + " expected");
  if (figures.audit) out << summary_line("audit", audit_text(*figures.audit));
  print_measured(out, figures.splits);
  for (const PredictedWith& other : figures.predicted_with) {
    out << summary_line("predicted with", other.oracle);
    print_measured(out, other.splits);
    if (!other.refused.empty()) out << summary_line("", "refused by " + other.refused);
  }
  out << summary_line("model", model.string());
}

}  // namespace sculpt::core
