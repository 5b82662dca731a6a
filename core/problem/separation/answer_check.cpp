#include "problem/separation/answer_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"

namespace sculpt::core {

namespace {

constexpr double tolerance = 1e-6;

// Ten digits, because compared numbers may differ only in the last ones.
std::string number(double value) {
  return number_text(value, 10);
}

}  // namespace

double HostValues::rounding_of_value(double loss_weight) const {
  Terms terms = guess_terms;
  terms += terms_of_loss(loss_weight, loss, labels);
  return terms.rounding();
}

double HostValues::numerical(double loss_weight) const {
  return numerical_part *
         (guess_terms.size + truth_terms.size + terms_of_loss(loss_weight, loss, labels).size);
}

void AnswerCheck::refuse(const std::string& text) const {
  oracle_->refuse(Exit::plugin, example_, text);
}

void AnswerCheck::answer(const Answer& answer, double loss_weight, const HostValues& host) const {
  const double value = answer.value();
  const double loss = loss_weight * host.loss;
  const bool bounded = answer.has(SCULPT_ANSWER_BOUND);
  const double slack =
      tolerance * (std::abs(value) + std::abs(host.guess) + std::abs(host.truth) + loss) +
      host.rounding_of_value(loss_weight) + host.truth_terms.rounding() +
      (bounded ? host.numerical(loss_weight) : 0);
  if (std::abs(value - (host.guess + loss)) > slack) {
    const std::string factor = loss_weight == 1 ? "" : number(loss_weight) + " * ";
    refuse("the value of its answer is " + number(value) + ", but <w, psi> + " + factor +
           "loss of its output is " + number(host.guess) + " + " + number(loss));
  }
  if (bounded && answer.bound() < value - slack) {
    refuse("its bound " + number(answer.bound()) + " lies below the value of its own answer, " +
           number(value));
  }
  if (answer.has(SCULPT_ANSWER_TRUTH_OUTSIDE)) return;
  if (answer.has(SCULPT_ANSWER_EXACT) && value < host.truth - slack) {
    refuse("it calls its answer exact, but the value " + number(value) +
           " lies below the truth's own score " + number(host.truth));
  }
  if (bounded && answer.bound() < host.truth - slack) {
    refuse("its bound " + number(answer.bound()) + " lies below the truth's own score " +
           number(host.truth));
  }
}

void AnswerCheck::entry(const Entry& entry, const HostValues& host) const {
  const auto size = [](double a, double b) { return tolerance * (std::abs(a) + std::abs(b)); };
  const auto counts = [&] { return counts_text(entry.names, entry.counts); };
  const double score_slack = size(entry.score, host.guess) + host.guess_terms.rounding();
  if (std::abs(entry.score - host.guess) > score_slack) {
    refuse("its frontier has the score " + number(entry.score) + " for " + counts() +
           ", but <w, psi> of the output it gives for them is " + number(host.guess));
  }
  const double loss_slack = size(entry.loss, host.loss) + host.rounding_of_loss();
  if (std::abs(entry.loss - host.loss) > loss_slack) {
    refuse("the output it gives for " + counts() + " has the loss " + number(host.loss) +
           ", but these counts are worth " + number(entry.loss));
  }
  const double ceiling_slack = size(entry.score, entry.ceiling) + tolerance * entry.loss +
                               host.rounding_of_lead() + entry.rounding;
  if (entry.score - entry.ceiling > ceiling_slack) {
    refuse("its frontier has the score " + number(entry.score) + " for " + counts() +
           ", but its other answers allow no more than " + number(entry.ceiling) +
           "; it may not say EXACT or BOUND");
  }
}

void AnswerCheck::bound(double violation, double high, double rounding) const {
  if (violation - high <= tolerance * (std::abs(violation) + std::abs(high)) + rounding) return;
  refuse("its answers prove that no output violates its margin by more than " + number(high) +
         ", yet one that it gave does so by " + number(violation) +
         " at the same weights; it may not say EXACT or BOUND");
}

void AnswerCheck::frontier(double violation, double rounding, double truth_score,
                           bool truth_outside) const {
  if (truth_outside && std::isinf(violation)) {
    refuse("its frontier holds no output; where there is none it has to say NO_OUTPUT");
  }
  if (!truth_outside && violation < -(tolerance * std::abs(truth_score) + rounding)) {
    refuse("its frontier holds no output as good as the truth, whose score is " +
           number(truth_score) + "; where the truth is no output it has to say TRUTH_OUTSIDE");
  }
}

}  // namespace sculpt::core
