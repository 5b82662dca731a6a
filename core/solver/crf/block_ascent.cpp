#include "solver/crf/block_ascent.hpp"

#include <algorithm>
#include <cmath>
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

constexpr double first_gamma = 0.5;
constexpr double min_gamma = 1e-6;
// A step has moved almost nothing if it has less than this part of what the gap promises. Then p_i
// is almost sure of one output.
constexpr double min_share = 1e-3;

// A block makes so many further steps at once, while D does not rise by them.
constexpr std::int64_t max_further_steps = 10;

// The scores that are added to the labels of the truths, one after the other: 4, 8, then 16. The
// first is too little for any data seen.
constexpr double added_scores[] = {4, 4, 8};

}  // namespace

BlockAscent::BlockAscent(const LogLossTerms& terms, const Ports& ports)
    : terms_(terms), cells_(*ports.cells), dual_point_(terms, *ports.cells, *ports.counts) {}

BlockAscent::Start BlockAscent::start(const Vector& w, const Pass& pass) {
  blocks_ = dual_point_.make_blocks();
  dual_point_.set_to_weights(w, pass, blocks_);
  find_dual(pass);
  double squared_distance = 0;
  for (std::size_t j = 0; j < w.size(); ++j) squared_distance += (w[j] - v_[j]) * (w[j] - v_[j]);
  Start start{dual_ + 0.5 * squared_distance, 1, terms_.C * terms_.temperature};
  const auto add_truths = [&](double score) {
    dual_point_.add_truths(score, v_, pass, blocks_);
    find_dual(pass);
    ++start.passes;
  };
  for (const double score : added_scores) {
    const double previous = dual_;
    add_truths(score);
    if (dual_ > previous) continue;
    add_truths(-score);
    break;
  }
  searches_.assign(blocks_.log_z.size(), {first_gamma});
  gaps_.assign(blocks_.log_z.size(), 0.0);  // not known
  return start;
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
  const double uniform = gap_sum > 0 ? uniform_share : 1;
  const double by_gap = gap_sum > 0 ? (1 - uniform) * static_cast<double>(count) / gap_sum : 0;
  order_.clear();
  position_ = 0;
  double expected = random.unit();
  std::int64_t drawn = 0;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (std::isinf(blocks_.log_z[i])) continue;
    expected += std::min(max_visits, uniform + by_gap * gaps_[i]);
    const auto end = static_cast<std::int64_t>(expected);
    for (; drawn < end; ++drawn) order_.push_back(static_cast<std::int64_t>(i));
  }
  random.shuffle(order_);
}

void BlockAscent::step(const Pass& pass) {
  const Pass query = dual_point_.query(pass);
  {
    const ScopedCellPass at_old_w(cells_, v_, query);
    find_step(static_cast<std::size_t>(order_[static_cast<std::size_t>(position_)]));
  }
  // From here on v changes. A move back would round, so a stop must wait.
  Pass rest = query;
  rest.must_finish = true;
  {
    const ScopedCellPass at_old_w(cells_, v_, rest);
    move_weights(-1);
  }
  bool is_made = false;
  {
    const ScopedCellPass at_new_w(cells_, v_, rest);
    find_norm_part();
    is_made = step_.rise() > 0;
    if (!is_made) move_weights(1);
  }
  if (is_made) copy_step();
  if (!search_on(is_made)) ++position_;
}

// Computes the end of the step of a block from v.
void BlockAscent::find_step(std::size_t i) {
  const auto example = static_cast<std::int64_t>(i);
  const auto theta = std::as_const(blocks_).theta_of(i);
  const auto mu = std::as_const(blocks_).mu_of(i);
  const double gamma = searches_[i].gamma;
  step_.i = i;
  step_.gamma = gamma;
  for (Vector* const cells : {&step_.target, &step_.theta, &step_.mu, &step_.change}) {
    cells->resize(theta.size());
  }
  cells_.compute_potentials(0, example, step_.target);
  double product = 0;  // <Delta, mu>
  for (std::size_t k = 0; k < theta.size(); ++k) {
    const double direction = step_.target[k] - theta[k];
    step_.theta[k] = theta[k] + gamma * direction;
    product += direction * mu[k];
  }
  step_.log_z = dual_point_.find_mean(0, example, step_.theta, step_.mu);
  double change = 0;  // <Delta, dmu>
  for (std::size_t k = 0; k < theta.size(); ++k) {
    step_.change[k] = step_.mu[k] - mu[k];
    change += (step_.target[k] - theta[k]) * step_.change[k];
  }
  const double B = step_.log_z - blocks_.log_z[i] - gamma * product + (1 - gamma) * change;
  step_.entropy_part = dual_point_.price(example) * terms_.temperature * B;
}

// Requires v as after the step. The loss cancels in the difference of the scores.
void BlockAscent::find_norm_part() {
  const auto example = static_cast<std::int64_t>(step_.i);
  scores_.resize(step_.target.size());
  cells_.compute_potentials(0, example, scores_);
  double sum = 0;
  for (std::size_t k = 0; k < scores_.size(); ++k) {
    sum += (step_.target[k] - scores_[k]) * step_.change[k];
  }
  step_.norm_part = 0.5 * dual_point_.price(example) * terms_.temperature * sum;
}

// v += sign k A_i^T dmu
void BlockAscent::move_weights(double sign) {
  const auto example = static_cast<std::int64_t>(step_.i);
  cells_.add_pullback(0, example, step_.change, sign * dual_point_.price(example), v_);
}

void BlockAscent::copy_step() {
  dual_ += step_.rise();
  std::copy(step_.theta.begin(), step_.theta.end(), blocks_.theta_of(step_.i).begin());
  std::copy(step_.mu.begin(), step_.mu.end(), blocks_.mu_of(step_.i).begin());
  blocks_.log_z[step_.i] = step_.log_z;
}

// Chooses gamma for the next step of the block. Returns true if that must follow at once.
bool BlockAscent::search_on(bool is_made) {
  Search& search = searches_[step_.i];
  double& gap = gaps_[step_.i];
  const double gamma = step_.gamma;
  const double share = gamma * (2 - gamma);  // of gap_i, by the quadratic model
  const bool has_moved = step_.entropy_part >= min_share * share * gap;
  if (has_moved) gap = std::max(0.0, step_.entropy_part / share);
  const double norm_part = std::max(0.0, step_.norm_part);
  const double best = gap > 0 ? 1 / (1 + norm_part / (gamma * gamma * gap)) : gamma;
  if (has_moved && is_made) {
    gap = std::max(0.0, gap - step_.rise());
    search = {std::max(min_gamma, best)};
    return false;
  }
  if (gap == 0) return false;
  (has_moved ? search.high : search.low) = gamma;
  const bool is_between = !has_moved || (search.low > 0 && search.low < search.high);
  search.gamma = is_between ? 0.5 * (search.low + search.high)
                            : std::max(min_gamma, std::min(best, 0.5 * gamma));
  if (++search.steps <= max_further_steps) return true;
  // No step was made, so this block must not be drawn for a gap that was never there to gain.
  gap = std::max(0.0, step_.entropy_part / share);
  search = {search.gamma};
  return false;
}

void BlockAscent::save(StateWriter& out) const {
  out.put_array(blocks_.theta);
  out.put_array(v_);
  out.put(dual_);
  for (const Search& search : searches_) {
    for (const double value : {search.gamma, search.low, search.high}) out.put(value);
    out.put(search.steps);
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
  const auto is_finite = [](double one) { return std::isfinite(one); };
  in.require(std::all_of(blocks_.theta.begin(), blocks_.theta.end(), is_finite),
             "a score that is not finite");
  in.get_array(v_);
  in.require(std::ssize(v_) == cells_.dimension(), "a vector of another dimension");
  in.require(std::all_of(v_.begin(), v_.end(), is_finite), "a weight that is not finite");
  dual_ = in.get<double>();
  in.require(std::isfinite(dual_), "a dual that is not finite");
  searches_.resize(blocks_.log_z.size());
  for (Search& search : searches_) {
    for (double* const value : {&search.gamma, &search.low, &search.high})
      *value = in.get<double>();
    search.steps = in.get_count();
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
    in.require(
        example >= 0 && example < cells_.example_count() && cells_.example_weight(example) != 0,
        "an example that does not exist");
  }
  position_ = in.get_count();
  in.require(position_ <= std::ssize(order_), "a position beyond the end of a pass");
}

}  // namespace sculpt::core
