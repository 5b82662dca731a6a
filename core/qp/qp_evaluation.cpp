// qp_evaluation.cpp - evaluates the QP at the current alpha: the gaps of all blocks, and the
// evaluation point, a w where P is smaller.

#include <algorithm>
#include <numeric>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "linalg/scattered_vector.hpp"
#include "qp/plane/plane_products.hpp"
#include "qp/qp_solver.hpp"

namespace sculpt::core {
namespace {

// A plane is shrunk if its score is this fraction of max |b| below the block's best score.
constexpr double shrink_fraction = 0.01;

// Linear slacks are nearly forbidden if two things hold. The sum of alpha is below this fraction of
// what their price allows. The gap is more than this fraction of what the slacks cost.
constexpr double max_alpha_fraction = 0.01;
constexpr double min_gap_fraction = 0.5;

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

// If slacks are forbidden, alpha is not restored: a proof of infeasibility may have a smaller D.
bool QpSolver::evaluate() {
  working_set_.refresh();
  const bool has_fallen = working_set_.dual_has_fallen();
  if (!has_fallen) working_set_.accept_alpha();
  const bool is_restored = has_fallen && !working_set_.slack_term().is_forbidden();
  if (is_restored) {
    working_set_.restore_accepted_alpha();
    gain_ = 0;
  }
  evaluate_sum();
  return is_restored;
}

// Requires that the planes of alpha are summed already.
void QpSolver::evaluate_sum() {
  measure_all();
  move_evaluation_point();
  work_ += scoring_work();
  is_evaluated_ = true;
}

// True if restricted_gap_ is the sum of block_gaps_, so that blocks may be measured one by one.
bool QpSolver::is_at_w() const {
  return working_set_.slack_term().is_linear() && !newton_point_ && weight_scaling_.factor() == 1;
}

// Like evaluate(), but measures only blocks with added or dropped planes if the rest is valid.
void QpSolver::measure_changed() {
  if (!is_evaluated_ || !is_at_w()) {
    evaluate();
    return;
  }
  for (std::int64_t index = 0; index < working_set_.block_count(); ++index) {
    if (working_set_.block(index).changed) measure_block(index, score_);
  }
  move_evaluation_point();
}

// Measures all blocks. The scaling of w needs them in order. Without it they are measured on all
// threads.
void QpSolver::measure_all() {
  weight_scaling_.clear();
  const SlackTerm& term = working_set_.slack_term();
  const std::int64_t count = working_set_.block_count();
  const double tasks = scoring_work() / entries_per_task;
  if (term.is_linear() && workers_ != nullptr && tasks >= 2) {
    const auto blocks_per_task = static_cast<std::int64_t>(static_cast<double>(count) / tasks) + 1;
    workers_->run_ranges(count, blocks_per_task, [this](std::int64_t begin, std::int64_t end, int) {
      std::vector<double> score;
      while (begin < end) measure_block(begin++, score);
    });
    return;
  }
  for (std::int64_t index = 0; index < count; ++index) {
    measure_block(index, score_);
    if (!term.is_linear()) weight_scaling_.add_block(working_set_.block(index), term, score_);
  }
}

void QpSolver::measure_block(std::int64_t index, std::vector<double>& score) {
  Block& block = working_set_.block(index);
  working_set_.prefetch_after(index, WorkingSet::PlaneFilter::all);
  working_set_.score(index, score);
  const BlockGap measured = block_gap(block, working_set_.slack_term(), score);
  block_gaps_[static_cast<std::size_t>(index)] = measured.gap;
  slack_[static_cast<std::size_t>(index)] = measured.slack;
  shrink_planes(block, measured.level, score);
  block.changed = false;
}

double QpSolver::scoring_work() const {
  return static_cast<double>(working_set_.entry_count()) +
         WorkingSet::work_per_block * static_cast<double>(working_set_.block_count());
}

// Moves the evaluation point from w, where all blocks were measured, to where P is smaller.
void QpSolver::move_evaluation_point() {
  restricted_gap_ = estimated_gap_ = total_gap();
  weight_scaling_.set_factor(1);
  if (!working_set_.slack_term().is_linear()) {
    scale_evaluation_point();
  } else if (slacks_are_mostly_gap()) {
    weight_scaling_.clear();
    for (std::int64_t index = 0; index < working_set_.block_count(); ++index) {
      working_set_.score(index, score_);
      weight_scaling_.add_block(working_set_.block(index), working_set_.slack_term(), score_);
    }
    work_ += scoring_work();
    scale_evaluation_point();
  }
  if (newton_point_) compare_newton_point();
}

// True if linear slacks cost so much that the QP must still remove most of them. Then the last
// digits of w decide P, and a longer w replaces them.
bool QpSolver::slacks_are_mostly_gap() const {
  const double price = working_set_.slack_term().cap;
  if (restricted_gap_ <= min_gap_fraction * price * total(slack_)) return false;
  double alpha_sum = 0;
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    alpha_sum += working_set_.block(i).alpha_sum();
  }
  return alpha_sum < max_alpha_fraction * price * static_cast<double>(working_set_.block_count());
}

// Moves the evaluation point to s w.
void QpSolver::scale_evaluation_point() {
  weight_scaling_.find_factor(working_set_.slack_term(), working_set_.squared_norm(),
                              working_set_.largest_b());
  slack_ = weight_scaling_.slack();
  const double factor = weight_scaling_.factor();
  restricted_gap_ = std::max(0.0, 0.5 * factor * factor * working_set_.squared_norm() +
                                      weight_scaling_.slack_cost() - working_set_.dual());
}

SparseVector QpSolver::sparse_evaluation_point() const {
  if (newton_point_) return *newton_point_;
  SparseVector point;
  const Vector& w = working_set_.w().dense();
  working_set_.columns().for_each([&](std::size_t j) {
    if (w[j] == 0) return;
    point.index.push_back(static_cast<std::int32_t>(j));
    point.value.push_back(weight_scale() * w[j]);
  });
  return point;
}

Vector QpSolver::evaluation_point() const {
  if (working_set_.inner_product() != nullptr) {  // w has entries outside of the planes' columns
    Vector point = working_set_.w().dense();
    for (double& value : point) value *= weight_scale();
    return point;
  }
  Vector point(working_set_.w().dense().size(), 0.0);
  axpy(1, sparse_evaluation_point(), point);
  return point;
}

// Computes P at the end of the Newton steps, over the current planes. Moves the evaluation point
// there, or forgets it.
void QpSolver::compare_newton_point() {
  work_ += scoring_work();
  const SlackTerm& term = working_set_.slack_term();
  const double allowed_violation =
      term.is_forbidden() ? satisfied_tolerance * working_set_.largest_b() : 0;
  std::vector<double> slack(slack_.size());
  double primal = 0.5 * squared_norm(*newton_point_);
  {
    const ScatteredVector w(*newton_point_, working_set_.scratch());
    for (std::int64_t index = 0; index < working_set_.block_count(); ++index) {
      slack[static_cast<std::size_t>(index)] = working_set_.slack_of(index, w.dense());
    }
  }
  for (const double xi : slack) {
    if (xi <= allowed_violation) continue;
    primal += term.is_forbidden() ? infinity : term.cost_increase(0, xi);
  }
  const double gap = std::max(0.0, primal - working_set_.dual());
  if (gap >= restricted_gap_) return newton_point_.reset();
  restricted_gap_ = gap;
  slack_ = std::move(slack);
}

double QpSolver::mean_slack() const {
  return total(slack_) / static_cast<double>(slack_.size());
}

// Marks planes that the next sweeps probably do not need. Planes with alpha > 0 are never shrunk.
void QpSolver::shrink_planes(Block& block, double level, const std::vector<double>& score) {
  double largest = 0;
  for (const double b : block.b) largest = std::max(largest, std::abs(b));
  for (std::size_t p = 1; p < block.size(); ++p) {
    block.shrunk[p] = block.alpha[p] == 0 && score[p] < level - shrink_fraction * largest ? 1 : 0;
  }
}

double QpSolver::total_gap() const {
  return total(block_gaps_);
}

}  // namespace sculpt::core
