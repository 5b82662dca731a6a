#include "problem/separation/answer_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"

namespace sculpt::core {

namespace {

constexpr double tolerance = 1e-6;

// Ten digits, because compared numbers may differ only in the last ones.
std::string precise_text(double value) {
  return number_text(value, 10);
}

}  // namespace

double HostValues::rounding_of_value(double loss_weight) const {
  Terms terms = guess_terms;
  terms += terms_of_loss(loss_weight, loss, labels);
  return terms.rounding();
}

double HostValues::tolerance_of_method(double loss_weight) const {
  return numerical_tolerance * (guess_terms.magnitude + truth_terms.magnitude +
                                terms_of_loss(loss_weight, loss, labels).magnitude);
}

void AnswerCheck::refuse(const std::string& text) const {
  oracle_->refuse(Exit::plugin, example_, text);
}

void AnswerCheck::check_answer(const Answer& answer, double loss_weight,
                               const HostValues& host) const {
  const double value = answer.value();
  const double loss = loss_weight * host.loss;
  const bool has_bound = answer.has_flag(SCULPT_ANSWER_BOUND);
  const double allowed = tolerance * (std::abs(value) + std::abs(host.guess_score) +
                                      std::abs(host.truth_score) + loss) +
                         host.rounding_of_value(loss_weight) + host.truth_terms.rounding() +
                         (has_bound ? host.tolerance_of_method(loss_weight) : 0);
  if (std::abs(value - (host.guess_score + loss)) > allowed) {
    const std::string factor = loss_weight == 1 ? "" : precise_text(loss_weight) + " * ";
    refuse("the value of its answer is " + precise_text(value) + ", but <w, psi> + " + factor +
           "loss of its output is " + precise_text(host.guess_score) + " + " + precise_text(loss));
  }
  if (has_bound && answer.bound() < value - allowed) {
    refuse("its bound " + precise_text(answer.bound()) +
           " is smaller than the value of its answer, " + precise_text(value));
  }
  if (answer.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE)) return;
  if (answer.has_flag(SCULPT_ANSWER_EXACT) && value < host.truth_score - allowed) {
    refuse("it sets EXACT, but the value " + precise_text(value) + " is smaller than the score " +
           precise_text(host.truth_score) + " of the truth");
  }
  if (has_bound && answer.bound() < host.truth_score - allowed) {
    refuse("its bound " + precise_text(answer.bound()) + " is smaller than the score " +
           precise_text(host.truth_score) + " of the truth");
  }
}

void AnswerCheck::check_entry(const Entry& entry, const HostValues& host) const {
  const auto relative_tolerance = [](double a, double b) {
    return tolerance * (std::abs(a) + std::abs(b));
  };
  const auto counts = [&] { return counts_text(entry.names, entry.counts); };
  const double allowed_for_score =
      relative_tolerance(entry.score, host.guess_score) + host.guess_terms.rounding();
  if (std::abs(entry.score - host.guess_score) > allowed_for_score) {
    refuse("its frontier has the score " + precise_text(entry.score) + " for " + counts() +
           ", but <w, psi> of the output it gives for them is " + precise_text(host.guess_score));
  }
  const double allowed_for_max_score = relative_tolerance(entry.score, entry.max_score) +
                                       tolerance * entry.loss +
                                       host.rounding_of_score_difference() + entry.rounding;
  if (entry.score - entry.max_score > allowed_for_max_score) {
    refuse("its frontier has the score " + precise_text(entry.score) + " for " + counts() +
           ", but its other answers allow at most " + precise_text(entry.max_score) +
           "; it must not set EXACT or BOUND");
  }
}

void AnswerCheck::check_bound(double violation, double high, double rounding) const {
  if (violation - high <= tolerance * (std::abs(violation) + std::abs(high)) + rounding) return;
  refuse("its answers prove that no output violates its margin by more than " + precise_text(high) +
         ", but one of its outputs violates it by " + precise_text(violation) +
         " at the same weights; it must not set EXACT or BOUND");
}

void AnswerCheck::check_frontier(double violation, double rounding, double truth_score,
                                 bool truth_outside) const {
  if (truth_outside && std::isinf(violation)) {
    refuse("its frontier has no output; it must set NO_OUTPUT if there is none");
  }
  if (!truth_outside && violation < -(tolerance * std::abs(truth_score) + rounding)) {
    refuse("its frontier has no output as good as the truth, whose score is " +
           precise_text(truth_score) + "; it must set TRUTH_OUTSIDE if the truth is no output");
  }
}

}  // namespace sculpt::core
