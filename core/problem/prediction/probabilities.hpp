// probabilities.hpp - what a model says about the outputs of an example besides the best one:
//
//   p(y) = exp(<w, psi(x, y)> / T - log Z),    marginals p(y_v = k), the k best, draws
//
// T is the temperature of the log-loss that the model was trained with. A model that was trained
// with another objective has scores, but no probabilities: use it for the k best only.
//
// Called by train, predict and evaluate. Each call is about one example. Calls of different workers
// run at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// An output with its score <w, psi(x, y)>.
struct ScoredOutput {
  Prediction output;
  double score = 0;
  double log_probability = 0;  // NaN if the model has no probabilities
};

// The most probable label of each position.
Prediction most_probable_labels(const Marginals& marginals);

class Probabilities {
 public:
  // `temperature`: nothing if the model has no probabilities. All arguments outlive this.
  Probabilities(Problem& problem, const Vector& w, std::optional<double> temperature);

  bool are_known() const { return temperature_.has_value(); }
  // False if a log Z so far was an approximation. Then say `approximate_text`.
  bool are_exact() const { return are_exact_; }
  static constexpr const char* approximate_text =
      "log Z of this oracle is an approximation, and so are the probabilities, log_loss, "
      "perplexity and calibration_error";

  // From now on labels that an example has are kept: all below is about the outputs that have them,
  // and p(y) is p(y | these labels). Throws Failure(Exit::config) if the oracle cannot. [main]
  void keep_given_labels();
  // From now on the seed of an example is that of the example with its number plus `more`.
  void number_from(std::int64_t more) { first_number_ = more; }

  // Why the oracle does not offer it, with what to do; "" if it does.
  std::string obstacle_to_log_z() const;
  std::string obstacle_to_marginals() const;
  std::string obstacle_to_k_best() const;
  std::string obstacle_to_draws() const;

  // The `count` best outputs, or all if there are fewer. Probabilities need log Z.
  void find_k_best(int worker, std::int64_t example, std::int64_t count,
                   std::vector<ScoredOutput>& out);
  // `count` draws. They depend on the seed, the example and their number only. Requires
  // are_known(), as do the functions below. None if there is no output.
  void draw(int worker, std::int64_t example, std::int64_t count, std::uint64_t seed,
            std::vector<ScoredOutput>& out);
  // Returns log Z: minus infinity if there is no output.
  double log_z(int worker, std::int64_t example);
  // The same, and the marginals.
  double find_marginals(int worker, std::int64_t example, Marginals& out);
  // The most probable label of each position: max-marginal decoding. Needs marginals.
  void find_most_probable_labels(int worker, std::int64_t example, Prediction& out);
  // log p(y).
  double log_probability(int worker, std::int64_t example, sculpt_labels y, double log_z);

 private:
  sculpt_query query_about(std::int64_t example, const sculpt_weights& weights) const;
  double value_of(const LogZ& log_z);
  double score_of(int worker, std::int64_t example, sculpt_labels y);

  Problem& problem_;
  const Vector& w_;
  std::optional<double> temperature_;
  bool keeps_given_labels_ = false;
  std::int64_t first_number_ = 0;
  std::atomic<bool> are_exact_ = true;
  Vector scaled_w_;  // w / T
  sculpt_weights weights_;
  sculpt_weights scaled_weights_;
  std::vector<std::unique_ptr<SparseAccumulator>> sums_;  // [threads]
  std::vector<std::unique_ptr<Answer>> answers_;          // [threads]
};

}  // namespace sculpt::core
