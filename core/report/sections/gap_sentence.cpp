#include "report/sections/gap_sentence.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Digits that show the difference of two numbers with this relative gap.
int digits_for(double relative_gap) {
  if (!(relative_gap > 0) || !std::isfinite(relative_gap)) return 6;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(relative_gap))), 6, 15);
}

// "0.061 %", or "5.8 times P" for more than the whole.
std::string share_text(double fraction) {
  return fraction <= 1 ? percent_text(fraction) : number_text(fraction, 2) + " times P";
}

std::string residual_sentence(const Json& certificate) {
  return "This solver solves a linear system: its weights leave a residual of " +
         number_text(number_at(certificate, "residual"), 3) +
         " of the right side, which says how exactly they solve it.";
}

std::string without_primal(const RunRecord& run, double dual) {
  const std::string bound =
      "no weights reach an objective below D = " + number_text(dual) + ", but ";
  return run.state == RunState::finished
             ? "All that is known is that " + bound +
                   "the run stopped before it asked about all "
                   "examples at one set of weights."
             : "So far it is known that " + bound +
                   "not yet how far the weights are from it: that needs a pass over all examples "
                   "at one set of weights.";
}

std::string proved_sentence(double primal, double dual, double gap, double share, bool is_relaxed) {
  const int digits = digits_for(share);
  const std::string what = is_relaxed ? "The objective over relaxed outputs" : "The objective";
  if (gap == 0) {
    return what + " of these weights is P = " + number_text(primal) +
           ", and no weights reach less: this is the optimum, and it is proved.";
  }
  const std::string numbers = what + " of these weights is P = " + number_text(primal, digits) +
                              ", and no weights reach less than D = " + number_text(dual, digits);
  return share > 1 ? numbers + ": this gap of " + share_text(share) + " proves little."
                   : numbers + ": at most " + share_text(share) +
                         " of it can still be gained, and this is proved.";
}

std::string estimated_sentence(double low, double dual, double share) {
  const int digits = digits_for(share);
  return "The objective is at least " + number_text(low, digits) +
         ", and no weights reach less than D = " + number_text(dual, digits) + ": the gap of " +
         share_text(share) + " is an estimate, because P has no known upper bound.";
}

}  // namespace

std::string gap_sentence(const RunRecord& run) {
  const Json& certificate = run.newest();
  if (certificate.is_null()) return "No pass has ended, so nothing is known of the gap.";
  if (std::isfinite(number_at(certificate, "residual"))) return residual_sentence(certificate);
  const double primal = number_at(certificate, "primal");
  const double dual = number_at(certificate, "dual");
  const double gap = number_at(certificate, "gap");
  const double share = number_at(certificate, "relative_gap");
  if (!std::isfinite(primal)) {
    return std::isfinite(dual) ? without_primal(run, dual)
                               : "Neither P nor D is known, so nothing is known of the gap.";
  }
  if (!std::isfinite(dual)) {
    return "The objective of these weights is P = " + number_text(primal) +
           "; this solver proves no lower bound D, so nothing is known of how far the best "
           "weights are.";
  }
  if (certificate.value("certified", Json()) != true) {
    return estimated_sentence(primal, dual, std::isfinite(share) ? share : 0);
  }
  if (!std::isfinite(share)) {
    return "The objective of these weights is P = " + number_text(primal) +
           ", and no weights reach less than D = " + number_text(dual) + ": a gap of " +
           number_text(gap) + ", which cannot be a share of 0.";
  }
  return proved_sentence(primal, dual, gap, share, text_at(certificate, "objective") == "relaxed");
}

std::string state_text(const RunRecord& run) {
  switch (run.state) {
    case RunState::running:
      return "running";
    case RunState::failed:
      return "failed";
    case RunState::ended_without_a_result:
      return run.passes.empty() ? "ended before its first pass" : "ended without a result";
    case RunState::finished:
      break;
  }
  const std::string rule = text_at(run.finished, "stopped_by");
  return "finished" + (rule.empty() ? "" : ", stopped by " + rule);
}

}  // namespace sculpt::core
