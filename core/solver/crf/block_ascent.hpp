// block_ascent.hpp - ascent of the dual of a log-loss, block by block (cell_dual.hpp). D never
// falls.
//
// A step moves p_i towards p_i,w, the distribution at w = v, along a geometric mixture:
//
//   theta_i <- theta_i + gamma Delta_i,   Delta_i = (A_i w + l loss) / T - theta_i
//   v <- v - k A_i^T dmu,   dmu = the change of mu_i,   k = C c_i / n
//   D rises by  k T B - 1/2 k^2 ||A_i^T dmu||^2 = k T B - k/2 <A_i (v_old - v_new), dmu>
//   B = log Z(new) - log Z(old) - gamma <Delta_i, mu_i> + (1 - gamma) <Delta_i, dmu>
//
// B >= 0 is the part of the entropy. At gamma = 1 it is KL(p_i || p_i,w). Near the optimum both
// parts are quadratic in gamma: B = (gamma - gamma^2 / 2) q, and the norm grows as gamma^2. Their
// values at one gamma give the best gamma, which is that of the next step of this block. So a step
// needs one log Z, and its gain is exact. A step that does not raise D is not made.
//
// To first order these are the arithmetic steps p_i + gamma (p_i,w - p_i) of Le Priol, Piche &
// Lacoste-Julien, "Adaptive stochastic dual coordinate ascent for conditional random fields", UAI
// 2018. They store the marginals of each factor. In natural parameters a chain stores its
// transitions once. They are also the exponentiated-gradient steps of Collins et al., JMLR 9
// (2008), with a line search.
//
// If p_i is almost sure of one output, it moves only at a large gamma, and then at once. So a block
// whose step did not raise D makes another one, between the last gamma that was too small and the
// last one that was too large.
//
// Blocks are drawn in proportion to their gap_i, and one half uniformly (UAI 2018, section 4). One
// step follows the other. Batches of four blocks at one w, on two threads, needed up to a quarter
// more passes on ocr_large and conll2000. Batches of sixteen needed more than twice as many.
//
// Held by SdcaRun. The state between two steps is all that is saved.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "objective/cell_dual.hpp"
#include "objective/ports.hpp"

namespace sculpt::core {

class BlockAscent {
 public:
  // The ports must outlive it. They must offer cells and truths.
  BlockAscent(const LogLossTerms& terms, const Ports& ports);

  // What start() has found.
  struct Start {
    double primal = 0;        // P(w)
    std::int64_t passes = 0;  // over all examples
    double magnitude = 0;     // of the terms of P(w): the unit of rounding of each log Z
  };
  // Sets every p_i to that of w. Then adds scores to the labels of the truths while D rises: at w
  // itself v may be so long that many passes would only shorten it. Throws what the source throws;
  // then call it again.
  Start start(const Vector& w, const Pass& pass);
  // Computes mu and log Z again, after load().
  void restore_means(const Pass& pass) { dual_point_.compute_means(v_, pass, blocks_); }

  // Draws the blocks of a pass: about as many as there are with an output. Rounding, and the limit
  // on the visits of one block, may change the number.
  void begin_pass(std::uint64_t pass);
  bool has_ended_pass() const { return position_ == std::ssize(order_); }
  // Makes the next step of the pass. If the pass was interrupted, nothing has changed: a stop
  // waits once v has moved. After a Failure v is invalid. Requires has_ended_pass() == false.
  void step(const Pass& pass);

  // Computes v and D anew, without the rounding of the steps, then all gaps. Returns P(v) - D. If
  // the source throws, v is invalid: call it again.
  CellGap measure(const Pass& pass);

  double dual() const { return dual_; }  // D
  const Vector& w() const { return v_; }
  const Vector& theta() const { return blocks_.theta; }  // of all blocks: they prove D
  std::int64_t no_output_count() const;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  // A step of one block.
  struct Step {
    std::size_t i = 0;
    double gamma = 0;
    Vector target;            // the theta of p_i,w
    Vector theta;             // of the end of the step
    Vector mu;                // likewise
    double log_z = 0;         // likewise
    Vector change;            // dmu
    double entropy_part = 0;  // k T B
    double norm_part = 0;     // by which D falls, because ||v|| grows
    double rise() const { return entropy_part - norm_part; }
  };

  // The search for the gamma of a block, from one step to the next.
  struct Search {
    double gamma = 0;        // of the next step
    double low = 0;          // too short: it moved almost nothing
    double high = 1;         // too long: D would have fallen
    std::int64_t steps = 0;  // since D rose
  };

  void find_dual(const Pass& pass);
  void find_step(std::size_t i);
  void find_norm_part();
  void move_weights(double sign);
  void copy_step();
  bool search_on(bool is_made);

  LogLossTerms terms_;
  CellSource& cells_;
  CellDual dual_point_;
  CellBlocks blocks_;
  Vector v_;
  double dual_ = 0;
  std::vector<Search> searches_;     // [n]
  std::vector<double> gaps_;         // [n] gap_i, as last seen
  std::vector<std::int64_t> order_;  // of the current pass
  std::int64_t position_ = 0;        // in it
  Step step_;                        // the current one
  Vector scores_;                    // scratch memory
};

}  // namespace sculpt::core
