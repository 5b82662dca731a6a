#include "solver/crf/block_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/infinity.hpp"
#include "base/random.hpp"

namespace sculpt::core {
namespace {

// One half of the blocks of a pass is drawn uniformly, so that no gap stays unseen.
constexpr double uniform_share = 0.5;
// No block is drawn more often than this in one pass: its gap falls with the first step.
constexpr double max_visits = 4;

constexpr std::int64_t max_batch = 16;
// A batch is at most this part of the examples: its steps do not know of each other.
constexpr std::int64_t min_batches = 64;

constexpr double first_gamma = 0.5;
constexpr double min_gamma = 1e-6;
// A step has moved almost nothing if it has less than this part of what the gap promises: p_i is so
// sure of one output that it moves only once gamma is large.
constexpr double min_share = 1e-3;

// A block makes so many further steps at once, while D does not rise by them.
constexpr std::int64_t max_further_steps = 10;

// The scores that are added to the truths at most: 1 + 2 + 4 + 8.
constexpr double max_truth_score = 8;

}  // namespace

BlockAscent::BlockAscent(const LogLossTerms& terms, const Ports& ports)
    : terms_(terms),
      cells_(*ports.cells),
      dual_point_(terms, *ports.cells, *ports.counts),
      batch_(std::clamp<std::int64_t>(cells_.example_count() / min_batches, 1, std::getenv("XB")?atoi(std::getenv("XB")):4)),
      trials_(static_cast<std::size_t>(batch_)) {}

double BlockAscent::start(const Vector& w, const Pass& pass) {
  blocks_ = dual_point_.make_blocks();
  dual_point_.set_to_weights(w, pass, blocks_);
  find_dual(pass);
  double squared_distance = 0;
  for (std::size_t j = 0; j < w.size(); ++j) squared_distance += (w[j] - v_[j]) * (w[j] - v_[j]);
  const double primal = dual_ + 0.5 * squared_distance;  // all divergences are 0
  double previous = dual_;
  for (double score = 1; score <= max_truth_score; score *= 2) {
    dual_point_.add_truths(score, v_, pass, blocks_);
    find_dual(pass);
    if (std::getenv("XT")) fprintf(stderr, "truth %g: D %g\n", score, dual_);
    if (!(dual_ > previous)) {
      dual_point_.add_truths(-score, v_, pass, blocks_);
      find_dual(pass);
      break;
    }
    previous = dual_;
  }
  searches_.assign(blocks_.log_z.size(), {first_gamma});
  gaps_.assign(blocks_.log_z.size(), 0.0);  // not known
  return primal;
}

// Computes v and D from the blocks.
void BlockAscent::find_dual(const Pass& pass) {
  dual_point_.compute_weights(blocks_, v_);
  dual_ = dual_point_.value(blocks_, v_, pass);
}

CellGap BlockAscent::measure(const Pass& pass) {
  find_dual(pass);
  return dual_point_.find_gaps(blocks_, v_, pass, gaps_);
}

std::int64_t BlockAscent::no_output_count() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < blocks_.log_z.size(); ++i) {
    if (cells_.example_weight(static_cast<std::int64_t>(i)) != 0 && std::isinf(blocks_.log_z[i])) {
      ++count;
    }
  }
  return count;
}

// Systematic sampling: the number of times that a block is drawn is its expectation, rounded up or
// down. Blocks without outputs are left out.
void BlockAscent::begin_pass(std::uint64_t pass) {
  Random random(cells_.seed(), "blocks of pass " + std::to_string(pass));
  std::int64_t count = 0;
  double gap_sum = 0;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (std::isinf(blocks_.log_z[i])) continue;
    ++count;
    gap_sum += gaps_[i];
  }
  static const double us = std::getenv("XU") ? atof(std::getenv("XU")) : uniform_share;
  const double uniform = gap_sum > 0 ? us : 1;
  const double by_gap = gap_sum > 0 ? (1 - uniform) * static_cast<double>(count) / gap_sum : 0;
  order_.clear();
  position_ = 0;
  double expected = random.unit();
  double drawn = 1;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (std::isinf(blocks_.log_z[i])) continue;
    expected += std::min(max_visits, uniform + by_gap * gaps_[i]);
    for (; drawn <= expected; drawn += 1) order_.push_back(static_cast<std::int64_t>(i));
  }
  random.shuffle(order_);
}

// The end of the next batch, which has no block twice.
std::int64_t BlockAscent::batch_end() const {
  const std::int64_t end = std::min(position_ + batch_, std::ssize(order_));
  const auto first = order_.begin() + position_;
  for (std::int64_t k = position_ + 1; k < end; ++k) {
    const auto current = order_.begin() + k;
    if (std::find(first, current, *current) != current) return k;
  }
  return end;
}

void BlockAscent::advance(const Pass& pass) {
  const std::int64_t count = batch_end() - position_;
  const Pass query = dual_point_.query(pass);
  for (std::int64_t k = 0; k < count; ++k) {
    trials_[static_cast<std::size_t>(k)].example =
        static_cast<std::size_t>(order_[static_cast<std::size_t>(position_ + k)]);
  }
  {
    const ScopedCellPass scope(cells_, v_, query);
    for_batch(count, [this](Trial& trial, int worker) { try_step(worker, trial); });
  }
  {
    const ScopedCellPass scope(cells_, v_, query);
    move_weights(count, -1);
  }
  {
    const ScopedCellPass scope(cells_, v_, query);
    for_batch(count, [this](Trial& trial, int worker) { find_norm_part(worker, trial); });
  }
  double rise = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const Trial& trial = trials_[static_cast<std::size_t>(k)];
    rise += trial.entropy_part - trial.norm_part;
  }
  if (rise > 0) {
    dual_ += rise;
  } else {
    move_weights(count, 1);
  }
  position_ += count;
  for (std::int64_t k = count; k-- > 0;) {
    const Trial& trial = trials_[static_cast<std::size_t>(k)];
    if (!end_step(trial, rise > 0)) continue;
    order_.insert(order_.begin() + position_, static_cast<std::int64_t>(trial.example));
  }
}

// Calls the task for the first trials, on all threads.
void BlockAscent::for_batch(std::int64_t count,
                            const std::function<void(Trial& trial, int worker)>& task) {
  const auto numbered = [&](std::int64_t k, int worker) {
    task(trials_[static_cast<std::size_t>(k)], worker);
  };
  if (cells_.workers() != nullptr && count > 1) return cells_.workers()->run(count, numbered);
  for (std::int64_t k = 0; k < count; ++k) numbered(k, 0);
}

// Computes the step of a block from v.
void BlockAscent::try_step(int worker, Trial& trial) {
  const auto example = static_cast<std::int64_t>(trial.example);
  const auto theta = std::as_const(blocks_).theta_of(trial.example);
  const auto mu = std::as_const(blocks_).mu_of(trial.example);
  const double gamma = trial.gamma = searches_[trial.example].gamma;
  for (Vector* const cells : {&trial.target, &trial.theta, &trial.mu, &trial.change}) {
    cells->resize(theta.size());
  }
  cells_.compute_potentials(worker, example, trial.target);
  double product = 0;  // <Delta, mu>
  for (std::size_t k = 0; k < theta.size(); ++k) {
    const double direction = trial.target[k] - theta[k];
    trial.theta[k] = theta[k] + gamma * direction;
    product += direction * mu[k];
  }
  trial.log_z = cells_.compute_mean(worker, example, trial.theta, trial.mu).value;
  double change = 0;  // <Delta, dmu>
  for (std::size_t k = 0; k < theta.size(); ++k) {
    trial.change[k] = trial.mu[k] - mu[k];
    change += (trial.target[k] - theta[k]) * trial.change[k];
  }
  const double B = trial.log_z - blocks_.log_z[trial.example] - gamma * product +
                   (1 - gamma) * change;
  trial.entropy_part = dual_point_.price(example) * terms_.temperature * B;
}

// Requires v as after the steps. The loss cancels in the difference of the scores.
void BlockAscent::find_norm_part(int worker, Trial& trial) {
  const auto example = static_cast<std::int64_t>(trial.example);
  trial.scratch.resize(trial.target.size());
  cells_.compute_potentials(worker, example, trial.scratch);
  double sum = 0;
  for (std::size_t k = 0; k < trial.target.size(); ++k) {
    sum += (trial.target[k] - trial.scratch[k]) * trial.change[k];
  }
  trial.norm_part = 0.5 * dual_point_.price(example) * terms_.temperature * sum;
}

// v += sign k A_i^T dmu, for all steps of the batch in their order.
void BlockAscent::move_weights(std::int64_t count, double sign) {
  for (std::int64_t k = 0; k < count; ++k) {
    const Trial& trial = trials_[static_cast<std::size_t>(k)];
    const auto example = static_cast<std::int64_t>(trial.example);
    cells_.add_pullback(0, example, trial.change, sign * dual_point_.price(example), v_);
  }
}

// Makes the step, if its batch is made, and chooses gamma for the next one. Returns true if the
// block should make another step at once.
bool BlockAscent::end_step(const Trial& trial, bool is_made) {
  const std::size_t i = trial.example;
  Search& search = searches_[i];
  const double gamma = trial.gamma;
  const double norm_part = std::max(0.0, trial.norm_part);
  const double share = gamma * (2 - gamma);  // of gap_i, by the quadratic model
  if (is_made) {
    std::copy(trial.theta.begin(), trial.theta.end(), blocks_.theta_of(i).begin());
    std::copy(trial.mu.begin(), trial.mu.end(), blocks_.mu_of(i).begin());
    blocks_.log_z[i] = trial.log_z;
  }
  const bool has_moved = trial.entropy_part >= min_share * share * gaps_[i];
  const double gap = std::max(0.0, trial.entropy_part / share);
  const double best = gap > 0 ? 1 / (1 + norm_part / (gamma * gamma * gap)) : gamma;
  if (has_moved) gaps_[i] = gap;
  if (has_moved && is_made) {
    gaps_[i] = std::max(0.0, gap - (trial.entropy_part - norm_part));
    search = {std::max(min_gamma, best)};
    return false;
  }
  if (gaps_[i] == 0) return false;
  (has_moved ? search.high : search.low) = gamma;
  const bool has_ends = search.low > 0 && search.low < search.high;
  search.gamma = has_ends || !has_moved ? 0.5 * (search.low + search.high)
                                        : std::max(min_gamma, std::min(best, 0.5 * gamma));
  if (++search.tries <= max_further_steps) return true;
  search = {search.gamma};
  return false;
}

void BlockAscent::save(StateWriter& out) const {
  out.put_array(blocks_.theta);
  out.put_array(v_);
  out.put(dual_);
  for (const Search& search : searches_) {
    for (const double value : {search.gamma, search.low, search.high}) out.put(value);
    out.put(search.tries);
  }
  out.put_array(gaps_);
  out.put_array(order_);
  out.put(position_);
}

void BlockAscent::load(StateReader& in) {
  blocks_ = dual_point_.make_blocks();
  const std::size_t cells = blocks_.theta.size();
  in.get_array(blocks_.theta);
  in.require(blocks_.theta.size() == cells, "cells of other factor graphs");
  in.get_array(v_);
  in.require(std::ssize(v_) == cells_.dimension(), "a vector of another dimension");
  dual_ = in.get<double>();
  in.require(std::isfinite(dual_), "a dual that is not finite");
  searches_.resize(blocks_.log_z.size());
  for (Search& search : searches_) {
    for (double* const value : {&search.gamma, &search.low, &search.high}) *value = in.get<double>();
    search.tries = in.get_count();
    in.require(search.gamma > 0 && search.gamma <= 1 && search.low >= 0 && search.high <= 1,
               "a step that is no such number");
  }
  in.get_array(gaps_);
  in.require(gaps_.size() == searches_.size(), "gaps of another number of examples");
  for (const double gap : gaps_) {
    in.require(gap >= 0 && gap < infinity, "a gap that is negative or not finite");
  }
  in.get_array(order_);
  for (const std::int64_t example : order_) {
    in.require(example >= 0 && example < cells_.example_count() &&
                   cells_.example_weight(example) != 0,
               "an example that does not exist");
  }
  position_ = in.get_count();
  in.require(position_ <= std::ssize(order_), "a position beyond the end of a pass");
}

}  // namespace sculpt::core
