#include "command/training/training_summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/memory/process_memory.hpp"
#include "base/text/message_text.hpp"
#include "command/training/best_pass.hpp"
#include "command/training/bottleneck.hpp"
#include "command/training/gap_reason.hpp"
#include "launch/example_weights.hpp"
#include "objective/objective.hpp"
#include "problem/kernel/explicit_map.hpp"
#include "solver/gap_cause.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

namespace {

// The reason why the run leaves a gap, if it found nothing new to close it. Else "".
std::string remaining_gap_text(const Result& result, const AdviceFacts& facts) {
  if (result.stopped_by == StoppedBy::standstill) {
    return facts.updated_by == UpdateKind::qp
               ? ": the QP makes no more progress (see \"limited by\")"
               : ": single steps make no more progress (see \"limited by\")";
  }
  if (result.stopped_by != StoppedBy::oracle_exhausted) return "";
  if (is_optimum_to_rounding(result)) return ": it is the optimum up to rounding";
  switch (gap_cause_of(result)) {
    case GapCause::bounds:
      return ": " + bounds_reason(result, facts);
    case GapCause::rounding:
      return ": the rounding of large features allows no smaller gap";
    case GapCause::steps:
    case GapCause::none:
      break;
  }
  return ": new planes change nothing";
}

// The row "relative gap": the gap, how far it is proved, and whether the target was reached.
std::string certificate_text(const Result& result, const AdviceFacts& facts) {
  if (result.residual) {
    return result.certified ? percent_text(result.relative_gap) + ", proved"
                            : "none: with lambda 0 no dual is proved";
  }
  if (std::isnan(result.dual) && result.uncertified_reason == UncertifiedReason::none) {
    return facts.has_target ? "none: sampled cuts prove no dual"
                            : "none: the solver proves no dual";
  }
  if (result.uncertified_reason == UncertifiedReason::violated) {
    return result.reached ? "none: margins are violated by at most epsilon; target reached"
                          : "none: these weights violate some of the hard margins";
  }
  if (result.uncertified_reason == UncertifiedReason::approximate) {
    return "none: log Z is an approximation, which proves nothing; by it " +
           percent_text(result.relative_gap) + " is left";
  }
  if (result.uncertified_reason == UncertifiedReason::not_convex) {
    return "none: the kernel does not claim to be positive semidefinite, so the dual proves "
           "nothing; by it " +
           percent_text(result.relative_gap) + " is left";
  }
  if (!std::isfinite(result.relative_gap) && std::isfinite(result.gap)) {
    return "none: the primal is 0, beside which no gap is small; primal - dual is " +
           number_text(result.gap) + (result.certified ? ", proved" : "");
  }
  if (!std::isfinite(result.relative_gap)) {
    return "none, " + facts.target + " not reached: the run stopped before one full pass at one w";
  }
  if (!result.certified) {
    return number_text(result.relative_gap) + " of the lower estimate: not certified, " +
           (result.uncertified_reason == UncertifiedReason::not_asked
                ? "the run stopped before one full pass at one w"
                : no_bound_reason(result, facts));
  }
  if (result.stopped_by == StoppedBy::sgd_passes) {
    return percent_text(result.relative_gap) +
           ", proved; stochastic steps have no target (without \"method\" the run goes on to it)";
  }
  if (!result.reached) {
    return percent_text(result.relative_gap) + ", proved, " + facts.target + " not reached" +
           remaining_gap_text(result, facts);
  }
  return number_text(result.relative_gap) + ", certified" + remaining_gap_text(result, facts) +
         ", target reached";
}

// One row for each split: its metrics and its number of examples.
void print_splits(TextOut& out, const SplitEvaluations& splits) {
  for (const auto& [split, evaluation] : splits) {
    std::string text;
    for (const Metric& metric : evaluation.metrics) {
      text += metric.name + " " + number_text(metric.value) + ", ";
    }
    text += count_text(evaluation.measured_count, "example");
    const std::int64_t count = evaluation.probability_count;
    if (evaluation.measures_probabilities() && count != evaluation.measured_count) {
      text += " (log_loss: " + std::to_string(count) + ")";
    }
    if (evaluation.no_output_count > 0) {
      text += " and " + std::to_string(evaluation.no_output_count) + " without output";
    }
    if (evaluation.unlabelled_count > 0) {
      text += "; left out " + std::to_string(evaluation.unlabelled_count) + " unlabelled";
    }
    out.row(split, text);
    if (!evaluation.warning.empty()) out.row("", "warning: " + evaluation.warning);
  }
}

// The row "to continue" of a run that ended early.
std::string continuation_text(const Result& result, const std::string& resume_command) {
  if (result.stopped_by == StoppedBy::signal) return resume_command;
  const std::string limit = name_of(result.stopped_by);
  // An option that sets the limit already must be changed, not repeated.
  if (resume_command.find("solver." + limit + "=") != std::string::npos ||
      resume_command.find('"' + limit + '"') != std::string::npos) {
    return "raise " + limit + " in: " + resume_command;
  }
  return resume_command + " --set solver." + limit + "=N, with a higher N";
}

// "38610 weights"; with a kernel "4435 atoms in 6 blocks".
std::string weights_text(const Problem& problem) {
  if (problem.kernel() == nullptr) return count_text(problem.dimension(), "weight");
  const KernelLayout& layout = problem.kernel()->layout();
  return count_text(layout.training_count(), "atom") + " in " + count_text(layout.blocks, "block") +
         (layout.linear_count() > 0
              ? " and " + count_text(layout.linear_count(), "weight") + " without atoms"
              : "");
}

// The row "audit": the primal and the gap that the other oracle gives.
std::string audit_text(const Audit& audit) {
  if (!audit.refusal.empty()) return "refused by " + audit.refusal;
  const char* prefix = bound_prefix(audit.bound_kind());
  std::string text = "by " + audit.oracle + ": the primal over outputs is " +
                     primal_text(audit.primal(), audit.bound_kind());
  if (!std::isnan(audit.relative_gap)) {
    text += std::string(", relative gap ") + prefix + number_text(audit.relative_gap);
    if (audit.bound_kind() == BoundKind::exact) text += ", proved";
  }
  return text;
}

// A kernel with few columns of phi has a matrix of low rank, where steps over atoms get stuck.
std::string explicit_rows_advice(const Problem& problem) {
  constexpr std::int64_t few_atoms = 200;
  constexpr std::int64_t atoms_per_column = 4;
  const std::vector<const Component*> components = problem.kernel_components();
  if (problem.kernel() == nullptr || components.size() != 1) return "";
  const std::int64_t atoms = problem.kernel()->layout().training_count();
  if (atoms < few_atoms) return "";
  const std::optional<std::int64_t> width = explicit_width(*components.front());
  if (!width || *width > atoms / atoms_per_column) return "";
  return "advice: phi of the kernel has " + count_text(*width, "column") + " for " +
         count_text(atoms, "atom") +
         "; \"kernel\": {\"use\": \"explicit\", \"of\": ...} finds the same optimum, sooner most "
         "often";
}

}  // namespace

std::string stop_text(const Json& validated) {
  return validated.at("run_stopped_by").get<std::string>() + " after pass " +
         validated.at("last_pass").dump();
}

std::string validated_text(const Json& validated) {
  const auto value = [&](const char* key) { return number_text(validated.at(key).get<double>()); };
  std::string best = "pass " + validated.at("best_pass").dump() +
                     ", the best by validation: " + validated.at("metric").get<std::string>() +
                     " " + value("best_value");
  if (last_is_best(validated)) return best;
  return best + " (pass " + validated.at("last_pass").dump() + ": " + value("last_value") +
         "); the relative gap is that of this model";
}

std::vector<std::string> warnings_of(const ModelMetrics& metrics) {
  std::vector<std::string> warnings;
  const auto add = [&](const SplitEvaluations& splits, const std::string& oracle) {
    for (const auto& [split, evaluation] : splits) {
      if (evaluation.warning.empty()) continue;
      warnings.push_back(split + oracle + ": " + evaluation.warning);
    }
  };
  add(metrics.splits, "");
  for (const PredictedWith& other : metrics.predicted_with) {
    add(other.splits, " with " + other.oracle);
  }
  return warnings;
}

bool ended_early(const Result& result, bool has_target) {
  switch (result.stopped_by) {
    case StoppedBy::signal:
      return true;
    case StoppedBy::max_passes:
    case StoppedBy::max_oracle_calls:
    case StoppedBy::max_seconds:
      return has_target && !result.reached;
    default:
      return false;
  }
}

BoundKind Audit::bound_kind() const {
  // Sums of the values and the bounds of an exact oracle differ by rounding.
  return bound_kind_of(primal_low, primal_high, 1e-9);
}

void print_start(Console& console, const Experiment& experiment, const SolverDescriptor& solver,
                 const Objective& objective, Problem& problem, const std::string& data_sizes) {
  const std::int64_t n = problem.training().size();
  console.print_line(experiment.name + ": " + count_text(n, "example") + ", " +
                     weights_text(problem) + ", " +
                     count_text(problem.workers().threads(), "thread"));
  if (!data_sizes.empty()) console.print_line("data: " + data_sizes);
  if (experiment.hold_out) {
    console.print_line("held out: " + count_text(problem.validation().size(), "example"));
  }
  const std::string weights = example_weights_text(problem.example_weights());
  if (!weights.empty()) console.print_line("example weights: " + weights);
  if (!solver.minimizes) {
    console.print_line("the solver minimizes no objective; the primal is " + objective.text());
    return;
  }
  const std::string advice = explicit_rows_advice(problem);
  if (!advice.empty()) console.print_line(advice);
  console.print_line("minimize " + objective.text());
  for (const std::string& remark : objective.remarks(n)) console.print_line("  " + remark);
}

std::string primal_text(double primal, BoundKind kind) {
  return (std::isfinite(primal) ? bound_prefix(kind) : "") + number_text(primal);
}

std::string kernel_rows_text(std::int64_t computed, std::int64_t asked) {
  std::string text = std::to_string(computed) + " computed";
  if (asked == 0) return text;
  const double share = 1 - static_cast<double>(computed) / static_cast<double>(asked);
  return text + ", " + percent_text(share) + " of those asked for were in memory";
}

void print_result(TextOut& out, const Experiment& experiment, const Result& result,
                  const ModelMetrics& metrics, const RunTimes& times, const AdviceFacts& facts,
                  const RunMemory& memory, const std::string& example_weights,
                  const std::string& kernel_rows, const std::string& ranks,
                  const std::string& more_cores, const Json& validated,
                  const std::string& resume_command, const std::filesystem::path& model) {
  out << experiment.name << "\n";
  if (!example_weights.empty()) out.row("example weights", example_weights);
  out.row("primal", primal_text(result.primal, result.primal_kind()));
  out.row("dual", number_text(result.dual));
  out.row("relative gap", certificate_text(result, facts));
  if (result.residual) {
    out.row("residual", number_text(*result.residual) + " of ||b||, " + facts.target +
                            (result.reached ? " reached" : " not reached"));
  }
  if (result.hinge) {
    out.row("hinge primal", primal_text(result.hinge->value(), result.hinge->kind()) +
                                ", C = " + number_text(facts.C));
  }
  out.row("stopped by", validated.is_null() ? std::string(name_of(result.stopped_by)) + " after " +
                                                  count_text(result.passes, "pass") + ", " +
                                                  count_text(result.oracle_calls, "oracle call")
                                            : stop_text(validated));
  if (!validated.is_null()) out.row("kept", validated_text(validated));
  if (!resume_command.empty()) {
    out.row("to continue", continuation_text(result, resume_command));
  }
  const AnswerCounts& answers = result.answers;
  if (answers.no_output_count > 0) {
    out.row("no output", count_text(answers.no_output_count, "example") +
                             ", for which the oracle finds no output");
  }
  if (answers.truth_outside_count > 0) {
    out.row("truth outside", count_text(answers.truth_outside_count, "example") +
                                 ", whose truth is none of the outputs");
  }
  if (answers.fractional_count > 0) {
    out.row("fractional", count_text(answers.fractional_count, "example") +
                              " in the last pass: the primal is over relaxed "
                              "outputs, an upper bound of the primal over outputs");
  }
  if (answers.escalated_count > 0) {
    out.row("escalated", "the last oracle was asked about " +
                             count_text(answers.escalated_count, "example") + " in the last pass");
  }
  out.row("time", time_text(times));
  out.row("limited by", bottleneck_text(result, times, facts));
  out.row("memory",
          memory_text(memory.peak) + " at its peak, " + memory_text(memory.expected) + " expected");
  if (!kernel_rows.empty()) out.row("kernel rows", kernel_rows);
  if (!ranks.empty()) out.row("ranks", ranks);
  if (!more_cores.empty()) out.row("more cores", more_cores);
  if (metrics.audit) out.row("audit", audit_text(*metrics.audit));
  print_splits(out, metrics.splits);
  for (const PredictedWith& other : metrics.predicted_with) {
    out.row("predicted with", other.oracle);
    print_splits(out, other.splits);
    if (!other.refusal.empty()) out.row("", "refused by " + other.refusal);
  }
  out.row("model", model.string());
}

}  // namespace sculpt::core
