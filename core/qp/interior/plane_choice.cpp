// plane_choice.cpp - chooses the planes of Newton steps, and estimates the work of these.

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "linalg/scattered_vector.hpp"
#include "qp/interior/interior_point.hpp"
#include "qp/plane/plane_products.hpp"

namespace sculpt::core {
namespace {

constexpr int expected_steps = 10;

// A set of weights, stored in a vector that is zero before and afterwards.
class MarkedWeights {
 public:
  explicit MarkedWeights(Vector& zeros) : zeros_(zeros) {}
  ~MarkedWeights() {
    for (const std::size_t j : list_) zeros_[j] = 0;
  }
  MarkedWeights(const MarkedWeights&) = delete;
  MarkedWeights& operator=(const MarkedWeights&) = delete;

  void mark(std::size_t j) {
    if (zeros_[j] != 0) return;
    zeros_[j] = 1;
    list_.push_back(j);
  }
  std::size_t count() const { return list_.size(); }

 private:
  Vector& zeros_;
  std::vector<std::size_t> list_;
};

}  // namespace

double InteriorPoint::min_work(const WorkingSet& working_set) {
  return expected_steps * reads_per_step * static_cast<double>(working_set.entry_count());
}

// Counts the planes with alpha > 0, and one more for each block.
double InteriorPoint::expected_work() const {
  MarkedWeights marked(working_set_.scratch());
  double squares = 0;
  double rows = 0;
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    const Block& block = working_set_.block(i);
    double active = 1;
    for (std::size_t p = 1; p < block.size(); ++p) {
      block.a[p].for_each_index([&](std::size_t j) {
        if (marked.count() <= max_columns) marked.mark(j);
      });
      active += block.alpha[p] > 0 ? 1 : 0;
    }
    if (marked.count() > max_columns) return infinity;
    const double chosen_count = std::min(active, static_cast<double>(block.size() - 1));
    if (chosen_count == 0) continue;
    // A difference of two planes has the entries of both. Their weighted sum has the entries of
    // all.
    const double entries =
        static_cast<double>(block.entries) / static_cast<double>(block.size() - 1);
    squares += 2 * chosen_count * entries * entries;
    if (chosen_count > 1) squares += 0.5 * chosen_count * chosen_count * entries * entries;
    rows += chosen_count + (chosen_count > 1 ? 1 : 0);
  }
  const auto dimension = static_cast<double>(marked.count());
  squares = std::min(squares, 0.5 * rows * dimension * dimension);
  const double multiplications = NormalMatrix::factorization_work(dimension) + squares;
  return expected_steps * multiplications / multiplications_per_entry + min_work(working_set_);
}

// Chooses the planes within a margin of the slack of their block. If there is slack, this includes
// the most violated plane. The margin is wide if the start is far from the optimum.
void InteriorPoint::choose_planes(const SparseVector& start, double gap) {
  const ScatteredVector w(start, working_set_.scratch());
  const double dual = working_set_.dual();
  const double margin_fraction = std::isfinite(gap) ? std::sqrt(gap / (dual + gap)) : 1;
  std::vector<double> score;
  chosen_.assign(static_cast<std::size_t>(working_set_.block_count()), {});
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    const Block& block = working_set_.block(i);
    score.assign(block.size(), 0.0);
    double largest_b = 0;
    PlaneProducts product(w.dense());
    for (std::size_t p = 1; p < block.size(); ++p) {
      score[p] = block.b[p] - product(block.a[p]);
      largest_b = std::max(largest_b, std::abs(block.b[p]));
    }
    const double max_score = *std::max_element(score.begin(), score.end());
    std::vector<std::uint8_t>& chosen = chosen_[static_cast<std::size_t>(i)];
    chosen.resize(block.size());
    for (std::size_t p = 1; p < block.size(); ++p) {
      chosen[p] = score[p] >= max_score - margin_fraction * (largest_b + max_score) ? 1 : 0;
    }
  }
}

// Chooses planes that were left out and exceed the slack of their block at the best w. Sets P to
// its value with all planes. Returns false if no such plane matters.
bool InteriorPoint::choose_violated_planes() {
  const SlackTerm& term = working_set_.slack_term();
  const double allowed_violation =
      term.is_forbidden() ? satisfied_tolerance * working_set_.largest_b() : 0;
  bool has_violated = false;
  const ScatteredVector w(newton_point_, working_set_.scratch());
  best_primal_ = 0.5 * squared_norm(newton_point_);
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    const Block& block = working_set_.block(i);
    std::vector<std::uint8_t>& chosen = chosen_[static_cast<std::size_t>(i)];
    double slack = allowed_violation;
    double max_left_out = allowed_violation;  // the largest score of planes that were left out
    std::vector<std::size_t> candidates;
    PlaneProducts product(w.dense());
    for (std::size_t p = 1; p < block.size(); ++p) {
      const double score = block.b[p] - product(block.a[p]);
      if (chosen[p] != 0) slack = std::max(slack, score);
      if (chosen[p] == 0 && score > max_left_out) candidates.push_back(p);
      if (chosen[p] == 0) max_left_out = std::max(max_left_out, score);
    }
    for (const std::size_t p : candidates) {
      if (block.b[p] - block.a[p].dot(w.dense()) <= slack) continue;
      chosen[p] = 1;
      has_violated = true;
    }
    slack = std::max(slack, max_left_out);
    const double cost = term.is_forbidden() ? infinity : term.cost_increase(0, slack);
    if (slack > allowed_violation) best_primal_ += cost;
  }
  work_ += static_cast<double>(working_set_.entry_count());
  return has_violated;
}

}  // namespace sculpt::core
