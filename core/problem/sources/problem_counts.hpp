// problem_counts.hpp - what the truths of a Problem add up to, for solvers that count.
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
      : ProblemPort(problem, run_seed, problem.oracle()) {}

  void sum_truths(Vector& sum) override;
  std::vector<std::int32_t> groups() const override {
    return problem().features().groups(dimension());
  }
};

}  // namespace sculpt::core
