// cell_expectations.hpp - log Z and E[z] of one example, at given scores of the cells of its factor
// graph (objective/cell_source.hpp).
//
// Offered by Expectations::cells(). Implemented by MapExpectations, called by ProblemCells.
#pragma once

#include <sculpt/kinds.h>

#include <cstdint>
#include <span>

#include "linalg/vector.hpp"
#include "objective/expectation_source.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

class CellExpectations {
 public:
  virtual ~CellExpectations() = default;

  // The number of cells of an example. [worker]
  virtual std::int64_t cell_count(int worker, std::int64_t example) = 0;
  // theta[cells] = weight_scale A_x w + loss_weight l. Returns loss_weight c. [worker]
  virtual double compute_potentials(int worker, const sculpt_query& query, double weight_scale,
                                    std::span<double> theta) = 0;
  // theta[cells] += score for the unary cells that the truth of the query uses. Nothing if the
  // truth has unknown or other labels. [worker]
  virtual void add_truth(int worker, const sculpt_query& query, double score,
                         std::span<double> theta) = 0;
  // Returns log Z at theta[cells], and mu[cells] becomes E[z]. If there is no output: minus
  // infinity. Throws Failure in the component's name for values that are not finite. Under --guard
  // both are computed twice and must be equal. [worker]
  virtual LogZ compute_cell_mean(int worker, const sculpt_query& query,
                                 std::span<const double> theta, std::span<double> mu) = 0;
  // sum[dimension] += scale A_x^T mu[cells]. `list` is scratch memory. [worker]
  virtual void add_pullback(int worker, std::int64_t example, std::span<const double> mu,
                            double scale, SparseAccumulator& list, Vector& sum) = 0;
};

}  // namespace sculpt::core
