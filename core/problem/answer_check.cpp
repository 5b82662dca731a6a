#include "problem/answer_check.hpp"

#include <cmath>

#include "message_text.hpp"

namespace sculpt::core {

namespace {

constexpr double tolerance = 1e-6;

// Numbers that are compared differ in few digits at times.
std::string number(double value) {
  return number_text(value, 10);
}

}  // namespace

void AnswerCheck::refuse(const std::string& text) const {
  oracle_->refuse(Exit::plugin, example_, text);
}

void AnswerCheck::answer(const Answer& answer, double loss_weight, const Scores& scores) const {
  const double value = answer.value();
  const double loss = loss_weight * scores.loss;
  const double slack =
      tolerance * (1 + std::abs(value) + std::abs(scores.guess) + std::abs(scores.truth) + loss);
  if (std::abs(value - (scores.guess + loss)) > slack) {
    const std::string factor = loss_weight == 1 ? "" : number(loss_weight) + " * ";
    refuse("the value of its answer is " + number(value) + ", but <w, psi> + " + factor +
           "loss of its output is " + number(scores.guess) + " + " + number(loss));
  }
  const bool bounded = answer.has(SCULPT_ANSWER_BOUND);
  if (bounded && answer.bound() < value - slack) {
    refuse("its bound " + number(answer.bound()) + " lies below the value of its own answer, " +
           number(value));
  }
  if (answer.has(SCULPT_ANSWER_TRUTH_OUTSIDE)) return;
  if (answer.has(SCULPT_ANSWER_EXACT) && value < scores.truth - slack) {
    refuse("it calls its answer exact, but the value " + number(value) +
           " lies below the truth's own score " + number(scores.truth));
  }
  if (bounded && answer.bound() < scores.truth - slack) {
    refuse("its bound " + number(answer.bound()) + " lies below the truth's own score " +
           number(scores.truth));
  }
}

void AnswerCheck::entry(const Entry& entry, const Scores& scores) const {
  const auto slack = [](double a, double b) { return tolerance * (1 + std::abs(a) + std::abs(b)); };
  const auto counts = [&] { return counts_text(entry.names, entry.counts); };
  if (std::abs(entry.score - scores.guess) > slack(entry.score, scores.guess)) {
    refuse("its frontier has the score " + number(entry.score) + " for " + counts() +
           ", but <w, psi> of the output it gives for them is " + number(scores.guess));
  }
  if (std::abs(entry.loss - scores.loss) > slack(entry.loss, scores.loss)) {
    refuse("the output it gives for " + counts() + " has the loss " + number(scores.loss) +
           ", but these counts are worth " + number(entry.loss));
  }
  if (entry.score - entry.ceiling > slack(entry.score, entry.ceiling) + tolerance * entry.loss) {
    refuse("its frontier has the score " + number(entry.score) + " for " + counts() +
           ", but its other answers allow no more than " + number(entry.ceiling) +
           "; it may not say EXACT or BOUND");
  }
}

void AnswerCheck::bound(double violation, double high, const Scores& scores) const {
  const double size = 1 + std::abs(violation) + std::abs(scores.guess) + std::abs(scores.truth) +
                      scores.loss * (1 + std::abs(scores.guess - scores.truth));
  if (violation - high <= tolerance * size) return;
  refuse("its answers prove that no output violates its margin by more than " + number(high) +
         ", yet one that it gave does so by " + number(violation) +
         " at the same weights; it may not say EXACT or BOUND");
}

void AnswerCheck::frontier(double violation, double truth_score, bool truth_outside) const {
  if (truth_outside && std::isinf(violation)) {
    refuse("its frontier holds no output; where there is none it has to say NO_OUTPUT");
  }
  if (!truth_outside && violation < -tolerance * (1 + std::abs(truth_score))) {
    refuse("its frontier holds no output as good as the truth, whose score is " +
           number(truth_score) + "; where the truth is no output it has to say TRUTH_OUTSIDE");
  }
}

}  // namespace sculpt::core
