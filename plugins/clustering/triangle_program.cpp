#include "triangle_program.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sculpt/cpp/clp_stop.hpp>
#include <set>

namespace clustering {

namespace {

// A triangle inequality counts as violated above this. CLP's own tolerance is a tenth of it.
constexpr double broken = 1e-8;

// Returns the components: items joined by chains of pairs with s > 0, ascending, sorted by first
// item.
std::vector<std::vector<std::size_t>> components_of(const PairScores& scores) {
  std::vector<std::vector<std::size_t>> components;
  std::vector<bool> found(scores.items(), false);
  for (std::size_t first = 0; first < scores.items(); ++first) {
    if (found[first]) continue;
    std::vector<std::size_t> items{first};
    found[first] = true;
    for (std::size_t next = 0; next < items.size(); ++next) {
      const std::span<const double> row = scores.row(items[next]);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (found[j] || !(row[j] > 0)) continue;
        found[j] = true;
        items.push_back(j);
      }
    }
    std::sort(items.begin(), items.end());
    components.push_back(std::move(items));
  }
  return components;
}

}  // namespace

// The program of one component, with items numbered from 0.
class TriangleProgram::Component {
 public:
  Component(const PairScores& scores, std::vector<std::size_t> items)
      : items_(std::move(items)), size_(items_.size()), column_(size_ * size_, 0) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = i + 1; j < size_; ++j) {
        column_[i * size_ + j] = column_[j * size_ + i] = static_cast<int>(score_.size());
        score_.push_back(scores.at(items_[i], items_[j]));
        scale_ = std::max(scale_, std::abs(score_.back()));
      }
    }
    value_.assign(score_.size(), 0.0);
  }

  // Returns true if no triangle is violated at the end.
  bool solve(const Limits& limits, const sculpt::Host& host) {
    ClpSimplex simplex;
    simplex.setLogLevel(0);
    simplex.setPrimalTolerance(broken / 10);
    simplex.setDualTolerance(broken / 10);
    sculpt::StopClp<ClpEventHandler> stop(host);
    simplex.passInEventHandler(&stop);
    load(simplex);
    double lowest = std::numeric_limits<double>::infinity();  // at the last drop of rows
    for (std::int64_t round = 0;; ++round) {
      run(simplex, host);
      const std::vector<Triangle> more = broken_triangles(host);
      if (more.empty()) return true;
      const auto rows = static_cast<std::int64_t>(rows_.size() + more.size());
      if (round == limits.rounds || rows > limits.triangles) return false;
      if (const double now = bound(); now < lowest - broken * scale_) {
        lowest = now;
        remove_slack_rows(simplex);
      }
      add(simplex, more);
    }
  }

  double bound() const {
    std::vector<double> reduced(score_);
    double bound = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      bound += multiplier_[r];
      reduced[static_cast<std::size_t>(rows_[r][0])] -= multiplier_[r];
      reduced[static_cast<std::size_t>(rows_[r][1])] -= multiplier_[r];
      reduced[static_cast<std::size_t>(rows_[r][2])] += multiplier_[r];
    }
    for (const double one : reduced) bound += std::max(0.0, one);
    return bound;
  }

  void write(PairScores& together) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = i + 1; j < size_; ++j) {
        together.set(items_[i], items_[j], value_[column(i, j)]);
      }
    }
  }

 private:
  using Triangle = std::array<int, 3>;  // columns: the sum of the first two minus the third

  std::size_t column(std::size_t i, std::size_t j) const {
    return static_cast<std::size_t>(column_[i * size_ + j]);
  }

  // CLP's tolerances are absolute, so costs are scaled to [-1, 1].
  void load(ClpSimplex& simplex) const {
    const auto columns = static_cast<int>(score_.size());
    simplex.resize(0, columns);
    for (int c = 0; c < columns; ++c) {
      simplex.setColumnBounds(c, 0, 1);
      simplex.setObjectiveCoefficient(c, -score_[static_cast<std::size_t>(c)] / scale_);
    }
  }

  void run(ClpSimplex& simplex, const sculpt::Host& host) {
    if (rows_.empty()) {
      for (std::size_t c = 0; c < value_.size(); ++c) value_[c] = score_[c] > 0 ? 1 : 0;
      return;
    }
    simplex.dual();
    host.throw_if_cancelled();
    if (simplex.status() != 0) simplex.primal();
    host.throw_if_cancelled();
    if (simplex.status() != 0) {
      throw sculpt::Error(SCULPT_E_INTERNAL, "CLP ends with status " +
                                                 std::to_string(simplex.status()) +
                                                 "; take the oracle agglomerative");
    }
    const double* const found = simplex.primalColumnSolution();
    for (std::size_t c = 0; c < value_.size(); ++c) value_[c] = std::clamp(found[c], 0.0, 1.0);
    multiplier_.resize(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      multiplier_[r] = std::max(0.0, -simplex.dualRowSolution()[r] * scale_);
    }
  }

  // Returns, for each pair, the most violated triangle with it, if any.
  std::vector<Triangle> broken_triangles(const sculpt::Host& host) const {
    std::vector<Triangle> found;
    for (std::size_t i = 0; i < size_; ++i) {
      host.throw_if_cancelled();
      for (std::size_t k = i + 1; k < size_; ++k) {
        const double apart = value_[column(i, k)] + 1;
        double worst = broken;
        std::size_t through = size_;
        for (std::size_t j = 0; j < size_; ++j) {
          if (j == i || j == k) continue;
          const double by = value_[column(i, j)] + value_[column(j, k)] - apart;
          if (by > worst) {
            worst = by;
            through = j;
          }
        }
        if (through == size_) continue;
        const Triangle triangle{column_[i * size_ + through], column_[through * size_ + k],
                                column_[i * size_ + k]};
        if (!known_.contains(triangle)) found.push_back(triangle);
      }
    }
    return found;
  }

  // Most triangles bind for a few rounds only, and each makes all steps slower. A dropped triangle
  // returns if it is violated again. At a constant bound, rows could leave and return forever. So
  // rows are dropped only if the bound has fallen since the last time.
  void remove_slack_rows(ClpSimplex& simplex) {
    std::vector<int> idle;
    std::vector<Triangle> kept;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto row = static_cast<int>(r);
      if (simplex.getRowStatus(row) == ClpSimplex::basic && taken(rows_[r]) < 1 - broken) {
        idle.push_back(row);
        known_.erase(rows_[r]);
      } else {
        kept.push_back(rows_[r]);
      }
    }
    if (!idle.empty()) simplex.deleteRows(static_cast<int>(idle.size()), idle.data());
    rows_ = std::move(kept);
  }

  // Returns the left side of a triangle inequality.
  double taken(const Triangle& triangle) const {
    const auto at = [&](int column) { return value_[static_cast<std::size_t>(column)]; };
    return at(triangle[0]) + at(triangle[1]) - at(triangle[2]);
  }

  void add(ClpSimplex& simplex, const std::vector<Triangle>& triangles) {
    std::vector<CoinBigIndex> from{0};
    std::vector<int> columns;
    std::vector<double> elements;
    for (const Triangle& triangle : triangles) {
      known_.insert(triangle);
      rows_.push_back(triangle);
      columns.insert(columns.end(), triangle.begin(), triangle.end());
      elements.insert(elements.end(), {1, 1, -1});
      from.push_back(static_cast<CoinBigIndex>(columns.size()));
    }
    const std::vector<double> lower(triangles.size(), -COIN_DBL_MAX);
    const std::vector<double> upper(triangles.size(), 1);
    simplex.addRows(static_cast<int>(triangles.size()), lower.data(), upper.data(), from.data(),
                    columns.data(), elements.data());
  }

  std::vector<std::size_t> items_;
  std::size_t size_;
  std::vector<int> column_;    // column of each pair, [size][size]
  std::vector<double> score_;  // [columns]
  double scale_ = 0;           // largest |score|
  std::vector<double> value_;  // x, [columns]
  std::vector<Triangle> rows_;
  std::set<Triangle> known_;        // the same triangles
  std::vector<double> multiplier_;  // u, [rows]
};

void TriangleProgram::solve(const PairScores& scores, const Limits& limits,
                            const sculpt::Host& host) {
  together_.reset(static_cast<std::int64_t>(scores.items()));
  bound_ = 0;
  solved_ = true;
  for (const std::vector<std::size_t>& items : components_of(scores)) {
    if (items.size() < 2) continue;
    Component component(scores, items);
    solved_ = component.solve(limits, host) && solved_;
    bound_ += component.bound();
    component.write(together_);
  }
  if (solved_) make_consistent(host);
}

// CLP leaves small violations from rounding. This mixes in a little of the point with all x = 1/2,
// where the left side of every triangle is 1/2.
void TriangleProgram::make_consistent(const sculpt::Host& host) {
  const std::size_t items = together_.items();
  double excess = 0;
  for (std::size_t i = 0; i < items; ++i) {
    host.throw_if_cancelled();
    for (std::size_t k = i + 1; k < items; ++k) {
      for (std::size_t j = 0; j < items; ++j) {
        if (j == i || j == k) continue;
        excess = std::max(excess, together_.at(i, j) + together_.at(j, k) - together_.at(i, k) - 1);
      }
    }
  }
  if (excess == 0) return;
  const double half = excess / (0.5 + excess);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t j = i + 1; j < items; ++j) {
      together_.set(i, j, (1 - half) * together_.at(i, j) + half / 2);
    }
  }
}

}  // namespace clustering
