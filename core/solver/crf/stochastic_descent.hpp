// stochastic_descent.hpp - passes of stochastic gradient descent on a log-loss: a step for each
// example, or for each batch B of them. It comes near the optimum in a few passes, and proves
// nothing.
//
//   P / C = lambda/2 ||w||^2 + mean of c_i L_i,   lambda = 1/C
//   w <- (1 - |B| eta_t lambda) w + eta_t sum over B of c_i (psi(x_i, y_i) - E_i[psi]),
//   eta_t = eta_0 / (1 + lambda eta_0 t),   t: the examples before B
//
// The examples of a batch are asked at one w, on all threads and ranks.
//
// w is kept as s v, so that shrinking it costs nothing. eta_0 is the best of powers of two on a
// sample of the examples. Source: Bottou, "Large-scale machine learning with stochastic gradient
// descent", COMPSTAT 2010, and his CRF programs.
//
// Held by LogLossRun. The state between two examples is all that is saved. The order of the
// examples follows from the seed and the pass.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "objective/expectation_source.hpp"
#include "objective/log_loss_objective.hpp"

namespace sculpt::core {

class StochasticDescent {
 public:
  // Runs a call of the source about `count` examples, and counts them. Returns false if it was
  // interrupted.
  using Ask = std::function<bool(std::int64_t count, const std::function<void()>& call)>;

  // Begins at w[dimension]. The source must outlive it. Requires terms without l1, no bounds, and a
  // batch >= 1.
  StochasticDescent(const LogLossTerms& terms, ExpectationSource& source, Vector w,
                    std::int64_t batch = 1);

  // Makes steps for about `max_examples` further examples of the pass with this number, from 1 on,
  // and for one batch at least. The first call also chooses eta_0. Returns false if it was
  // interrupted: the steps before count, but the choice of eta_0 begins anew. Throws what the
  // source throws.
  bool advance(std::int64_t max_examples, std::uint64_t pass, const Ask& ask);
  // True if all examples of the current pass have made their step.
  bool has_ended_pass() const { return position_ == std::ssize(order_); }
  bool has_chosen_rate() const { return rate_ != 0; }
  bool is_between_passes() const { return order_.empty(); }
  // Begins the next pass.
  void begin_pass() { position_ = 0, order_.clear(); }

  Vector w() const;  // [dimension]

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  bool choose_rate(std::uint64_t pass, const Ask& ask);
  bool try_rate(double rate, std::uint64_t pass, const Ask& ask, double& objective);
  void order_pass(std::uint64_t pass);
  bool step(std::span<const std::int64_t> examples, std::uint64_t pass, const Ask& ask,
            double& losses);
  double step_at_one(std::int64_t example, std::uint64_t pass);
  double step_at_batch(std::span<const std::int64_t> examples, std::uint64_t pass);
  double rate() const;
  void move_scale(double next_s, std::size_t examples);
  void fold_scale();
  void keep_start();
  void clear();

  LogLossTerms terms_;
  ExpectationSource& source_;
  std::int64_t batch_;
  Vector start_;  // where the steps begin; empty: at 0, or eta_0 is chosen
  Vector v_;
  double s_ = 1;
  double rate_ = 0;                  // eta_0; 0: not chosen yet
  double steps_ = 0;                 // t
  std::vector<std::int64_t> order_;  // of the current pass, without examples of weight 0
  std::int64_t position_ = 0;
  Vector w_of_batch_;                      // where a batch is asked
  std::vector<ResidualVector> residuals_;  // [examples of a batch]
};

}  // namespace sculpt::core
