// question.hpp - one question to an oracle, and its answer, kept.
#pragma once

#include <sculpt/ext/cut.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check/weights.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

struct Question {
  std::int64_t example = 0;
  const Weights* w = nullptr;
  double loss_weight = 0;
  bool with_truth = true;  // false: as prediction asks; loss_weight then is 0
  std::uint64_t seed = 0;
  bool relaxed = false;  // about the larger set of sculpt/ext/cut.h; of oracles that relax

  std::string text() const;  // "example 3, loss_weight 1"
};

// What an oracle or a map_solver answered. Equal replies are equal to the last bit.
struct Reply {
  std::vector<std::int32_t> labels;
  double value = 0;
  double bound = 0;  // 0 where none is promised
  std::uint32_t flags = 0;
  // Of a relaxed answer: psi and loss where it is no output, the beliefs of a map_solver.
  SparseVector psi;
  CancelledTerms cancelled;  // of psi
  double loss = 0;
  std::vector<double> mu;

  Reply() = default;
  explicit Reply(const Answer& answer);
  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool fractional() const { return has(SCULPT_CUT_FRACTIONAL); }
  bool operator==(const Reply&) const = default;
  std::string text() const;  // "[1 0 2], value 3, EXACT"; "fractional, value 3"
};

// The least that the answer says nothing exceeds. Requires EXACT or BOUND.
double least_ceiling(const Reply& reply);

// As an oracle of the problem is asked.
sculpt_query query_of(Problem& problem, const Question& question);
Reply ask(Problem& problem, const Question& question, int worker = 0);

// "[1 0 2]"
std::string labels_text(const std::vector<std::int32_t>& labels);

}  // namespace sculpt::core
