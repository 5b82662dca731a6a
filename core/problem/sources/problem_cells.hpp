// problem_cells.hpp - distributions over the cells of factor graphs, for the training examples of a
// Problem whose oracle is a map_solver.
//
// Made by ProblemPorts. The map_solver computes those of one example (cell_expectations.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "objective/cell_source.hpp"
#include "problem/oracle/cell_expectations.hpp"
#include "problem/sources/training_source.hpp"

namespace sculpt::core {

class ProblemCells : public ProblemPort<CellSource> {
 public:
  // Returns why the problem does not offer cells, or "". Requires an oracle with expectations.
  static std::string obstacle(Problem& problem);
  // Requires obstacle(problem) == "".
  ProblemCells(Problem& problem, std::uint64_t run_seed);

  std::int64_t cell_count(std::int64_t example) override;
  void begin(WeightView w, const Pass& pass) override;
  void end() override;
  double compute_potentials(int worker, std::int64_t example, std::span<double> theta) override;
  void add_truth(int worker, std::int64_t example, double score, std::span<double> theta) override;
  LogZ compute_mean(int worker, std::int64_t example, std::span<const double> theta,
                    std::span<double> mu) override;
  void add_pullback(int worker, std::int64_t example, std::span<const double> mu, double scale,
                    Vector& sum) override;

 private:
  CellExpectations& cells_;
  std::optional<Pass> pass_;  // of the last begin()
  sculpt_query shared_ = {};  // likewise, without an example
  std::optional<Services::ScopedStopCondition> stop_condition_;
  std::optional<Services::ScopedNoCancel> no_cancel_;  // if the pass must finish
  std::deque<SparseAccumulator> scratches_;            // [threads] after the first begin()
};

}  // namespace sculpt::core
