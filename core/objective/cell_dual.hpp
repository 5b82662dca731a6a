// cell_dual.hpp - the dual of a log-loss at any distributions over the outputs that cells give.
//
// Block i holds theta_i, the natural parameters of p_i(y) ~ exp <theta_i, z(y)>, and what follows:
// mu_i = E[z] and log Z_i. With the entropy H_i = log Z_i - <theta_i, mu_i>, and the other letters
// as in log_loss_objective.hpp:
//
//   D = C/n sum of c_i (T H_i + l E_i[Delta]) - 1/2 ||v||^2
//   v = C/n sum of c_i (psi(x_i, y_i) - A_i^T mu_i)
//   P(w) - D = 1/2 ||w - v||^2 + sum of gap_i,   gap_i = C/n c_i T KL(p_i || p_i,w)
//
// p_i,w is the distribution at w, with the natural parameters (A_i w + l loss) / T. No term is
// negative, so no digits cancel. This holds without l1 and bounds. Sources: Collins et al., JMLR 9
// (2008), section 3; Shalev-Shwartz & Zhang, JMLR 14 (2013). Called by solver/crf for the method
// sdca, and by verify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "linalg/vector.hpp"
#include "objective/cell_source.hpp"
#include "objective/count_source.hpp"
#include "objective/log_loss_objective.hpp"
#include "parallel/cache_line.hpp"

namespace sculpt::core {

// Thrown if an oracle gives an approximation of log Z.
class ApproximateLogZ : public Failure {
 public:
  explicit ApproximateLogZ(const std::string& text) : Failure(Exit::config, text) {}
};

// The blocks of all examples. Those of examples with weight 0 are empty.
struct CellBlocks {
  std::vector<std::size_t> from;  // [n + 1] where the cells of a block begin; multiples of 8
  std::vector<std::size_t> size;  // [n] its cells
  Vector theta;                   // [from[n]]
  Vector mu;                      // [from[n]]
  std::vector<double> log_z;      // [n] minus infinity: no output

  std::span<double> theta_of(std::size_t i) { return std::span(theta).subspan(from[i], size[i]); }
  std::span<double> mu_of(std::size_t i) { return std::span(mu).subspan(from[i], size[i]); }
  std::span<const double> theta_of(std::size_t i) const {
    return std::span(theta).subspan(from[i], size[i]);
  }
  std::span<const double> mu_of(std::size_t i) const {
    return std::span(mu).subspan(from[i], size[i]);
  }
};

struct CellGap {
  double gap = 0;        // P(w) - D
  double magnitude = 0;  // sum of the absolute terms of P(w), up to a small factor
};

class CellDual {
 public:
  // The sources must outlive this. Requires terms without l1, and no bounds.
  CellDual(const LogLossTerms& terms, CellSource& cells, CountSource& truths);

  // The price of an example: C c_i / n.
  double price(std::int64_t example) const;
  // The pass as its calls of the source get it: at temperature T, with the loss.
  Pass query(const Pass& pass) const;

  // mu = E[z] at theta. Returns log Z, minus infinity if there is no output. Throws
  // ApproximateLogZ if log Z is an approximation: then D proves nothing, and a step may lower it.
  // All functions below throw this, too. [worker]
  double find_mean(int worker, std::int64_t example, std::span<const double> theta,
                   std::span<double> mu);
  // Blocks with theta = 0, without mu and log Z.
  CellBlocks make_blocks();
  // Sets each p_i to that of w: theta, mu and log Z. Throws as the source, as do the others; then
  // the blocks are invalid.
  void set_to_weights(const Vector& w, const Pass& pass, CellBlocks& blocks);
  // Adds a score to the labels of the truths: theta, mu and log Z.
  void add_truths(double score, const Vector& w, const Pass& pass, CellBlocks& blocks);
  // Computes mu and log Z from theta.
  void compute_means(const Vector& w, const Pass& pass, CellBlocks& blocks);
  // out[dimension] = v. Adds the examples in their order. Does not poll the pass.
  void compute_weights(const CellBlocks& blocks, Vector& out);
  // Returns D. Requires v as from compute_weights().
  double value(const CellBlocks& blocks, const Vector& v, const Pass& pass);
  // Returns P(v) - D, and gaps[n] = gap_i at w = v.
  CellGap find_gaps(const CellBlocks& blocks, const Vector& v, const Pass& pass,
                    std::vector<double>& gaps);

 private:
  // Memory of one worker.
  struct alignas(cache_line) Scratch {
    Vector theta;
    Vector mu;
  };
  using ForExample = std::function<void(std::int64_t example, int worker)>;

  bool is_asked(std::int64_t example) const { return cells_.example_weight(example) != 0; }
  static bool has_output(const CellBlocks& blocks, std::size_t i);
  void for_examples(const ForExample& function);
  Scratch& scratch(int worker) { return scratches_[static_cast<std::size_t>(worker)]; }
  void compute_mean(int worker, std::int64_t example, CellBlocks& blocks);
  void require_gap(double divergence, double log_z, std::int64_t example) const;

  LogLossTerms terms_;
  CellSource& cells_;
  CountSource& truths_;
  std::vector<Scratch> scratches_;  // [threads]
};

}  // namespace sculpt::core
