#include "solver/crf/stochastic_descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "parallel/blocks.hpp"
#include "solver/example_order.hpp"

namespace sculpt::core {
namespace {

// eta_0 is chosen on this many examples, from powers of two around the first one.
constexpr std::int64_t sample_size = 1000;
constexpr double first_rate = 0.125;
constexpr int max_tries = 24;

// Below this scale v is made w again: its numbers must not become too large.
constexpr double min_scale = 1e-6;

}  // namespace

StochasticDescent::StochasticDescent(const LogLossTerms& terms, ExpectationSource& source, Vector w,
                                     std::int64_t batch)
    : terms_(terms), source_(source), batch_(batch), v_(std::move(w)) {
  keep_start();
}

// Keeps v, which the choice of eta_0 returns to again and again. Nothing is kept of v = 0.
void StochasticDescent::keep_start() {
  const auto is_zero = [](double one) { return one == 0; };
  if (!std::all_of(v_.begin(), v_.end(), is_zero)) start_ = v_;
}

bool StochasticDescent::advance(std::int64_t max_examples, std::uint64_t pass, const Ask& ask) {
  if (rate_ == 0 && !choose_rate(pass, ask)) return false;
  if (order_.empty()) order_pass(pass);
  const std::int64_t end = std::min<std::int64_t>(std::ssize(order_), position_ + max_examples);
  double losses = 0;
  while (position_ < end) {
    const std::int64_t size = std::min(batch_, std::ssize(order_) - position_);
    const auto examples = std::span(order_).subspan(static_cast<std::size_t>(position_),
                                                    static_cast<std::size_t>(size));
    if (!step(examples, pass, ask, losses)) return false;
    position_ += size;
  }
  return true;
}

// Goes up from the first rate while the objective on the sample falls, or else down.
bool StochasticDescent::choose_rate(std::uint64_t pass, const Ask& ask) {
  double best_rate = first_rate;
  double best = infinity;
  if (!try_rate(best_rate, pass, ask, best)) return false;
  for (double factor : {2.0, 0.5}) {
    bool is_better = false;
    for (int tries = 0; tries < max_tries; ++tries) {
      double objective = infinity;
      if (!try_rate(best_rate * factor, pass, ask, objective)) return false;
      if (!(objective < best)) break;
      best = objective;
      best_rate *= factor;
      is_better = true;
    }
    if (is_better) break;
  }
  clear();
  start_ = {};
  rate_ = best_rate;
  return true;
}

// One pass over the sample. The losses before each step say how good the rate is.
bool StochasticDescent::try_rate(double rate, std::uint64_t pass, const Ask& ask,
                                 double& objective) {
  clear();
  rate_ = rate;
  order_pass(pass);
  const auto size =
      static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(order_), sample_size));
  double losses = 0;
  const auto sample = std::span(order_).first(size);
  const auto batch = static_cast<std::size_t>(batch_);
  for (std::size_t k = 0; k < size; k += batch) {
    if (!step(sample.subspan(k, std::min(batch, size - k)), pass, ask, losses)) {
      clear();
      return false;
    }
  }
  fold_scale();
  objective = losses / static_cast<double>(size) +
              0.5 / terms_.C * dot_in_blocks(source_.workers(), v_, v_);
  if (std::isnan(objective)) objective = infinity;
  clear();
  return true;
}

void StochasticDescent::order_pass(std::uint64_t pass) {
  order_examples(ExampleOrder::shuffled, source_.example_count(), source_.seed(), pass, order_);
  std::erase_if(order_, [&](std::int64_t i) { return source_.example_weight(i) == 0; });
  position_ = 0;
}

// Makes the step for these examples, and adds their c_i L_i before it. Returns false if it was
// interrupted.
bool StochasticDescent::step(std::span<const std::int64_t> examples, std::uint64_t pass,
                             const Ask& ask, double& losses) {
  return ask(std::ssize(examples), [&] {
    losses += batch_ == 1 ? step_at_one(examples.front(), pass) : step_at_batch(examples, pass);
  });
}

double StochasticDescent::rate() const {
  return rate_ / (1 + rate_ * steps_ / terms_.C);
}

void StochasticDescent::move_scale(double next_s, std::size_t examples) {
  steps_ += static_cast<double>(examples);
  s_ = next_s;
  if (s_ < min_scale) fold_scale();
}

double StochasticDescent::step_at_batch(std::span<const std::int64_t> examples,
                                        std::uint64_t pass) {
  const double T = terms_.temperature;
  w_of_batch_.resize(v_.size());
  for_each_block(source_.workers(), v_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) w_of_batch_[j] = s_ / T * v_[j];
  });
  Pass query(pass);
  if (terms_.loss_weight > 0) query.loss_weight = terms_.loss_weight / T;
  source_.compute_residuals(w_of_batch_, examples, query, residuals_);
  const double count = static_cast<double>(examples.size());
  const double next_s = s_ * (1 - std::min(0.5, count * rate() / terms_.C));
  double losses = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const double weight = source_.example_weight(examples[k]);
    axpy(rate() * weight / next_s, residuals_[k].b, v_);
    losses += weight * T * residuals_[k].loss;
  }
  move_scale(next_s, examples.size());
  return losses;
}

double StochasticDescent::step_at_one(std::int64_t example, std::uint64_t pass) {
  const double weight = source_.example_weight(example);
  const double rate = this->rate();
  const double T = terms_.temperature;
  const double next_s = s_ * (1 - std::min(0.5, rate / terms_.C));
  ExpectationSource::Residual residual;
  residual.example = example;
  residual.scale = s_ / T;
  residual.factor = rate * weight / next_s;
  Pass query(pass);
  if (terms_.loss_weight > 0) query.loss_weight = terms_.loss_weight / T;
  const double loss = weight * T * source_.add_residual(residual, query, v_);
  move_scale(next_s, 1);
  return loss;
}

void StochasticDescent::fold_scale() {
  for (double& one : v_) one *= s_;
  s_ = 1;
}

void StochasticDescent::clear() {
  if (start_.empty()) {
    std::fill(v_.begin(), v_.end(), 0.0);
  } else {
    v_ = start_;
  }
  s_ = 1;
  rate_ = steps_ = 0;
  order_.clear();
  position_ = 0;
}

Vector StochasticDescent::w() const {
  Vector w = v_;
  for (double& one : w) one *= s_;
  return w;
}

void StochasticDescent::save(StateWriter& out) const {
  out.put_array(v_);
  for (const double value : {s_, rate_, steps_}) out.put(value);
  out.put_array(order_);
  out.put(position_);
}

void StochasticDescent::load(StateReader& in) {
  const std::size_t dimension = v_.size();
  in.get_array(v_);
  in.require(v_.size() == dimension, "a vector of another dimension");
  for (double* const value : {&s_, &rate_, &steps_}) {
    *value = in.get<double>();
    in.require(*value >= 0 && std::isfinite(*value), "a rate that is negative or not finite");
  }
  in.get_array(order_);
  for (const std::int64_t example : order_) {
    in.require(example >= 0 && example < source_.example_count(), "an example that does not exist");
  }
  if (rate_ == 0) keep_start();
  position_ = in.get_count();
  in.require(position_ <= std::ssize(order_), "a position beyond the end of a pass");
}

}  // namespace sculpt::core
