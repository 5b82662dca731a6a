// plane_choice.cpp - chooses the planes of Newton steps, and estimates the work of these.

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "linalg/scattered.hpp"
#include "qp/interior/interior_point.hpp"
#include "qp/plane/plane_products.hpp"

namespace sculpt::core {
namespace {

constexpr int expected_steps = 10;

// A set of weights, stored in a vector that is zero before and afterwards.
class Marked {
 public:
  explicit Marked(Vector& zeros) : zeros_(zeros) {}
  ~Marked() {
    for (const std::size_t j : list_) zeros_[j] = 0;
  }
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;

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
  return expected_steps * walks_per_step * static_cast<double>(working_set.entry_count());
}

// Counts the planes with alpha > 0, and one more for each block.
double InteriorPoint::expected_work() const {
  Marked occurs(working_set_.scratch());
  double squares = 0;
  double rows = 0;
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    const Block& block = working_set_.block(i);
    double active = 1;
    for (std::size_t p = 1; p < block.size(); ++p) {
      block.a[p].for_each_index([&](std::size_t j) {
        if (occurs.count() <= max_columns) occurs.mark(j);
      });
      active += block.alpha[p] > 0 ? 1 : 0;
    }
    if (occurs.count() > max_columns) return infinity;
    const double taken = std::min(active, static_cast<double>(block.size() - 1));
    if (taken == 0) continue;
    // A difference of two planes has the entries of both. The mean has the entries of all.
    const double entries =
        static_cast<double>(block.entries) / static_cast<double>(block.size() - 1);
    squares += 2 * taken * entries * entries;
    if (taken > 1) squares += 0.5 * taken * taken * entries * entries;
    rows += taken + (taken > 1 ? 1 : 0);
  }
  const auto dimension = static_cast<double>(occurs.count());
  squares = std::min(squares, 0.5 * rows * dimension * dimension);
  const double multiplications = NormalMatrix::factorization_work(dimension) + squares;
  return expected_steps * multiplications / multiplications_per_entry + min_work(working_set_);
}

// Chooses the planes within a margin of the slack of their block. If there is slack, this includes
// the most violated plane. The margin is wide if the place is far from the optimum.
void InteriorPoint::choose(const SparseVector& place, double gap) {
  const Scattered w(place, working_set_.scratch());
  const double dual = working_set_.dual();
  const double distance = std::isfinite(gap) ? std::sqrt(gap / (dual + gap)) : 1;
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
    const double most = *std::max_element(score.begin(), score.end());
    std::vector<std::uint8_t>& chosen = chosen_[static_cast<std::size_t>(i)];
    chosen.resize(block.size());
    for (std::size_t p = 1; p < block.size(); ++p) {
      chosen[p] = score[p] >= most - distance * (largest_b + most) ? 1 : 0;
    }
  }
}

// Chooses planes that were left out and exceed the slack of their block at the best w. Sets P to
// its value with all planes. Returns false if no such plane matters.
bool InteriorPoint::choose_violated() {
  const SlackTerm& term = working_set_.slack_term();
  const double satisfied = term.is_forbidden() ? satisfied_within * working_set_.largest_b() : 0;
  bool violated = false;
  const Scattered w(place_, working_set_.scratch());
  best_primal_ = 0.5 * squared_norm(place_);
  for (std::int64_t i = 0; i < working_set_.block_count(); ++i) {
    const Block& block = working_set_.block(i);
    std::vector<std::uint8_t>& chosen = chosen_[static_cast<std::size_t>(i)];
    double slack = satisfied;
    double beyond = satisfied;
    std::vector<std::size_t> others;
    PlaneProducts product(w.dense());
    for (std::size_t p = 1; p < block.size(); ++p) {
      const double score = block.b[p] - product(block.a[p]);
      if (chosen[p] != 0) slack = std::max(slack, score);
      if (chosen[p] == 0 && score > beyond) others.push_back(p);
      if (chosen[p] == 0) beyond = std::max(beyond, score);
    }
    for (const std::size_t p : others) {
      if (block.b[p] - block.a[p].dot(w.dense()) <= slack) continue;
      chosen[p] = 1;
      violated = true;
    }
    slack = std::max(slack, beyond);
    if (slack > satisfied) best_primal_ += term.is_forbidden() ? infinity : term.rise(0, slack);
  }
  work_ += static_cast<double>(working_set_.entry_count());
  return violated;
}

}  // namespace sculpt::core
