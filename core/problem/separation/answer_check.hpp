// answer_check.hpp - what an oracle says of its outputs against what the host computes of them.
//
// Called by SeparationSolver for every answer before it is believed. What fails is a Failure
// (Exit::plugin) that names the oracle and the example. Two numbers differ where they do by more
// than
//
//   1e-6 of both        what a sum in single precision may be off; far below any gap that a run is
//                       asked for
//   and the rounding    of the terms that both were summed from (linalg/rounding.hpp): what is left
//                       of them may be much less
//
// and, for an answer with a bound of its own, what a numerical method may be off.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "linalg/rounding.hpp"
#include "problem/components/count_loss.hpp"
#include "problem/components/loss.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// What the host computes of the output of an answer.
struct HostValues {
  double truth = 0;   // <w, psi(x, truth)>
  double guess = 0;   // <w, psi(x, guess)>
  double loss = 0;    // Delta(truth, guess)
  Terms truth_terms;  // of `truth`
  Terms guess_terms;  // of `guess`
  double labels = 0;  // of the outputs: a loss adds up a part for each, at most

  // By how much rounding may move the loss, <w, psi> + loss_weight * loss of the guess, and how
  // much more <w, psi> of the guess is than that of the truth.
  double rounding_of_loss() const { return terms_of_loss(1, loss, labels).rounding(); }
  double rounding_of_value(double loss_weight) const;
  double rounding_of_lead() const { return guess_terms.rounding() + truth_terms.rounding(); }
  // Of b - <w, a> of its plane, with a = factor * dpsi.
  double rounding_of_plane(double factor) const {
    return factor * rounding_of_lead() + rounding_of_loss();
  }
  double magnitude_of_plane(double factor, double b) const {
    return std::abs(b) + factor * (guess_terms.size + truth_terms.size);
  }
  // By how much a bound that is no value of an output may be off, besides.
  double numerical(double loss_weight) const;
};

class AnswerCheck {
 public:
  AnswerCheck(const Component& oracle, std::int64_t example)
      : oracle_(&oracle), example_(example) {}

  // An answer of argmax.
  void answer(const Answer& answer, double loss_weight, const HostValues& host) const;

  // An output that a frontier gave for an entry. By the answers of argmax no output with this loss
  // scores more than `ceiling`.
  struct Entry {
    std::span<const sculpt_count> names;
    Counts counts;
    double score = 0;
    double loss = 0;
    double ceiling = 0;
    double rounding = 0;  // of the ceiling
  };
  void entry(const Entry& entry, const HostValues& host) const;

  // No output may violate more than `high`, and one that was seen does so by `violation`; rounding
  // may move them by `rounding`.
  void bound(double violation, double high, double rounding) const;

  // `violation` is the largest of a whole frontier, minus infinity when no entry is finite.
  void frontier(double violation, double rounding, double truth_score, bool truth_outside) const;

  [[noreturn]] void refuse(const std::string& text) const;

 private:
  const Component* oracle_;
  std::int64_t example_;
};

}  // namespace sculpt::core
