// answer_check.hpp - compares an oracle's answer with the values that the host computes for its
// output.
//
// Called by SeparationSolver for every answer, before it is used. If a check fails, it throws
// Failure (Exit::plugin) with the oracle and the example. Two numbers count as different if their
// difference exceeds the sum of
//
//   1e-6 of both      the possible error of a sum in single precision; far below any gap that a run
//                     is asked for
//   the rounding      of the terms that both were summed from (linalg/rounding.hpp); the sums may
//                     be much smaller than the terms
//   for BOUND only    the tolerance of a numerical method
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

// The values that the host computes for the output of an answer.
struct HostValues {
  double truth_score = 0;  // <w, psi(x, truth)>
  double guess_score = 0;  // <w, psi(x, guess)>
  double loss = 0;         // Delta(truth, guess)
  Terms truth_terms;       // of `truth_score`
  Terms guess_terms;       // of `guess_score`
  double labels = 0;       // number of labels of the truth; a loss adds at most one term per label

  // Bounds of the rounding error: of the loss, of <w, psi> + loss_weight * loss of the guess, and
  // of the guess's <w, psi> minus the truth's.
  double rounding_of_loss() const { return terms_of_loss(1, loss, labels).rounding(); }
  double rounding_of_value(double loss_weight) const;
  double rounding_of_score_difference() const {
    return guess_terms.rounding() + truth_terms.rounding();
  }
  // Bound of the rounding error of b - <w, a> of its plane, with a = factor * dpsi.
  double rounding_of_plane(double factor) const {
    return factor * rounding_of_score_difference() + rounding_of_loss();
  }
  double magnitude_of_plane(double factor, double b) const {
    return std::abs(b) + factor * (guess_terms.magnitude + truth_terms.magnitude);
  }
  // The tolerance for the bound of a numerical method, in addition to the rounding.
  double tolerance_of_method(double loss_weight) const;
};

class AnswerCheck {
 public:
  AnswerCheck(const Component& oracle, std::int64_t example)
      : oracle_(&oracle), example_(example) {}

  // Checks an answer of argmax.
  void check_answer(const Answer& answer, double loss_weight, const HostValues& host) const;

  // An entry of a frontier, and the score and loss that the frontier gives for it. According to the
  // answers of argmax, no output with this loss has a score above `max_score`. The loss is compared
  // elsewhere (output_counts.hpp).
  struct Entry {
    std::span<const sculpt_count> names;
    Counts counts;
    double score = 0;
    double loss = 0;
    double max_score = 0;
    double rounding = 0;  // of `max_score`
  };
  void check_entry(const Entry& entry, const HostValues& host) const;

  // Checks that the violation of an output is at most the proved bound `high`. `rounding`: the
  // rounding error of both.
  void check_bound(double violation, double high, double rounding) const;

  // `violation`: the largest of a whole frontier, minus infinity if no entry is finite.
  void check_frontier(double violation, double rounding, double truth_score,
                      bool truth_outside) const;

  // Throws Failure (Exit::plugin) in the name of the oracle.
  [[noreturn]] void refuse(const std::string& text) const;

 private:
  const Component* oracle_;
  std::int64_t example_;
};

}  // namespace sculpt::core
