// cell_source.hpp - the port of solvers that keep a distribution over the outputs of each example,
// by the scores of the cells of its factor graph:
//
//   p_i(y) ~ exp <theta, z(y)>,   theta[cells of example i]
//
// z(y) is the indicator of the cells that y uses. A_i maps weights to scores: <A_i w, z(y)> = <w,
// psi(x_i, y)>. All of it is defined in sculpt/ext/factor_graph.h. A chain shares the table of its
// transitions, so theta is small.
//
// Implemented by problem/, for oracles that are map_solvers with probabilities. Called by CellDual
// and BlockAscent. Functions with the tag [worker] may run at once on workers() with different
// worker numbers. They throw Failure, and Cancelled if the pass was interrupted.
#pragma once

#include <cstdint>
#include <span>

#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "objective/example_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/pass.hpp"

namespace sculpt::core {

class CellSource : public ExampleSource {
 public:
  // The number of cells of an example. [main]
  virtual std::int64_t cell_count(std::int64_t example) = 0;

  // Sets the w and the pass of the calls that follow. w must outlive them. Call it again whenever w
  // has changed. [main]
  virtual void begin(WeightView w, const Pass& pass) = 0;
  // Ends them: the pass is no longer polled. [main]
  virtual void end() = 0;

  // theta[cells] = pass.scale A_i w + pass.loss_weight l_i, the scores with the loss. Returns
  // pass.loss_weight times the constant of the loss. Does not poll the pass, but plugins may.
  // [worker]
  virtual double compute_potentials(int worker, std::int64_t example, std::span<double> theta) = 0;
  // theta[cells] += score for the cells of single labels that the truth uses: p_i moves towards the
  // truth. Does nothing if the labels of the truth are not known. [worker]
  virtual void add_truth(int worker, std::int64_t example, double score,
                         std::span<double> theta) = 0;
  // mu[cells] = E[z] under the p of theta[cells]. Returns log Z; minus infinity if there is no
  // output, and then mu is invalid. [worker]
  virtual LogZ compute_mean(int worker, std::int64_t example, std::span<const double> theta,
                            std::span<double> mu) = 0;
  // sum[dimension] += scale A_i^T mu. Does not poll the pass, but plugins may. [worker]
  virtual void add_pullback(int worker, std::int64_t example, std::span<const double> mu,
                            double scale, Vector& sum) = 0;
};

// Calls begin() and end().
class ScopedCellPass {
 public:
  ScopedCellPass(CellSource& source, WeightView w, const Pass& pass) : source_(source) {
    source.begin(w, pass);
  }
  ~ScopedCellPass() { source_.end(); }
  ScopedCellPass(const ScopedCellPass&) = delete;
  ScopedCellPass& operator=(const ScopedCellPass&) = delete;

 private:
  CellSource& source_;
};

}  // namespace sculpt::core
