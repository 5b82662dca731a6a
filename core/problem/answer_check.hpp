// answer_check.hpp - what an oracle says of its outputs against what the host computes of them.
//
// Called by OutputFinder for every answer before it is believed. What fails is a Failure
// (Exit::plugin) that names the oracle and the example. Numbers that differ by 1e-6 of their size
// pass: far above rounding, and far below any gap that a run is asked for.
#pragma once

#include <span>
#include <string>

#include "problem/buffers.hpp"
#include "problem/component.hpp"
#include "problem/count_loss.hpp"

namespace sculpt::core {

struct Scores {
  double truth = 0;  // <w, psi(x, truth)>
  double guess = 0;  // <w, psi(x, guess)>
  double loss = 0;   // Delta(truth, guess)
};

class AnswerCheck {
 public:
  AnswerCheck(const Component& oracle, std::int64_t example)
      : oracle_(&oracle), example_(example) {}

  // An answer of argmax.
  void answer(const Answer& answer, double loss_weight, const Scores& scores) const;

  // An output that a frontier gave for an entry. By the answers of argmax no output with this loss
  // scores more than `ceiling`.
  struct Entry {
    std::span<const sculpt_count> names;
    Counts counts;
    double score = 0;
    double loss = 0;
    double ceiling = 0;
  };
  void entry(const Entry& entry, const Scores& scores) const;

  // No output may violate more than `high`, and one that was seen does so by `violation`.
  void bound(double violation, double high, const Scores& scores) const;

  // `violation` is the largest of a whole frontier, minus infinity when no entry is finite.
  void frontier(double violation, double truth_score, bool truth_outside) const;

  [[noreturn]] void refuse(const std::string& text) const;

 private:
  const Component* oracle_;
  std::int64_t example_;
};

}  // namespace sculpt::core
