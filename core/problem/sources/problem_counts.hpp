// problem_counts.hpp - sums psi of the truths of a Problem, for solvers that count events.
//
// Made by ProblemPorts.
#pragma once

#include <vector>

#include "objective/count_source.hpp"
#include "problem/sources/training_source.hpp"

namespace sculpt::core {

class ProblemCounts : public ProblemPort<CountSource> {
 public:
  ProblemCounts(Problem& problem, std::uint64_t run_seed)
      : ProblemPort(problem, run_seed, problem.oracle().component()) {}

  void sum_truths(std::span<const std::int64_t> examples, Vector& sum) override;  // [main]
  std::vector<std::int32_t> groups() const override {
    return problem().features().groups(dimension());
  }
};

}  // namespace sculpt::core
