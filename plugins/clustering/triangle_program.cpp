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
constexpr double violation_tolerance = 1e-8;

// Returns the components: items joined by chains of pairs with s > 0, ascending, sorted by first
// item.
std::vector<std::vector<std::size_t>> components_of(const PairScores& scores) {
  std::vector<std::vector<std::size_t>> components;
  std::vector<bool> visited(scores.items(), false);
  for (std::size_t first = 0; first < scores.items(); ++first) {
    if (visited[first]) continue;
    std::vector<std::size_t> items{first};
    visited[first] = true;
    for (std::size_t next = 0; next < items.size(); ++next) {
      const std::span<const double> row = scores.row(items[next]);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (visited[j] || !(row[j] > 0)) continue;
        visited[j] = true;
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
      : items_(std::move(items)),
        item_count_(items_.size()),
        column_(item_count_ * item_count_, 0) {
    for (std::size_t i = 0; i < item_count_; ++i) {
      for (std::size_t j = i + 1; j < item_count_; ++j) {
        column_[i * item_count_ + j] = column_[j * item_count_ + i] =
            static_cast<int>(scores_.size());
        scores_.push_back(scores.at(items_[i], items_[j]));
        max_score_ = std::max(max_score_, std::abs(scores_.back()));
      }
    }
    values_.assign(scores_.size(), 0.0);
  }

  // Returns true if no triangle is violated at the end.
  bool solve(const Limits& limits, const sculpt::Host& host) {
    ClpSimplex simplex;
    simplex.setLogLevel(0);
    simplex.setPrimalTolerance(violation_tolerance / 10);
    simplex.setDualTolerance(violation_tolerance / 10);
    sculpt::StopClp<ClpEventHandler> stop(host);
    simplex.passInEventHandler(&stop);
    load_columns(simplex);
    double lowest_bound = std::numeric_limits<double>::infinity();  // when rows were last removed
    for (std::int64_t round = 0;; ++round) {
      run(simplex, host);
      const std::vector<Triangle> violated = violated_triangles(host);
      if (violated.empty()) return true;
      const auto rows = static_cast<std::int64_t>(rows_.size() + violated.size());
      if (round == limits.rounds || rows > limits.triangles) return false;
      if (const double current = bound();
          current < lowest_bound - violation_tolerance * max_score_) {
        lowest_bound = current;
        remove_slack_rows(simplex);
      }
      add_rows(simplex, violated);
    }
  }

  double bound() const {
    std::vector<double> reduced_scores(scores_);
    double bound = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      bound += multipliers_[r];
      reduced_scores[static_cast<std::size_t>(rows_[r][0])] -= multipliers_[r];
      reduced_scores[static_cast<std::size_t>(rows_[r][1])] -= multipliers_[r];
      reduced_scores[static_cast<std::size_t>(rows_[r][2])] += multipliers_[r];
    }
    for (const double reduced_score : reduced_scores) bound += std::max(0.0, reduced_score);
    return bound;
  }

  void write(PairScores& link_values) const {
    for (std::size_t i = 0; i < item_count_; ++i) {
      for (std::size_t j = i + 1; j < item_count_; ++j) {
        link_values.set(items_[i], items_[j], values_[column(i, j)]);
      }
    }
  }

 private:
  using Triangle = std::array<int, 3>;  // columns: the sum of the first two minus the third

  std::size_t column(std::size_t i, std::size_t j) const {
    return static_cast<std::size_t>(column_[i * item_count_ + j]);
  }

  // CLP's tolerances are absolute, so costs are scaled to [-1, 1].
  void load_columns(ClpSimplex& simplex) const {
    const auto columns = static_cast<int>(scores_.size());
    simplex.resize(0, columns);
    for (int c = 0; c < columns; ++c) {
      simplex.setColumnBounds(c, 0, 1);
      simplex.setObjectiveCoefficient(c, -scores_[static_cast<std::size_t>(c)] / max_score_);
    }
  }

  // Solves the program of the current rows: x and u.
  void run(ClpSimplex& simplex, const sculpt::Host& host) {
    if (rows_.empty()) {
      for (std::size_t c = 0; c < values_.size(); ++c) values_[c] = scores_[c] > 0 ? 1 : 0;
      return;
    }
    simplex.dual();
    host.throw_if_cancelled();
    if (simplex.status() != 0) simplex.primal();
    host.throw_if_cancelled();
    if (simplex.status() != 0) {
      throw sculpt::Error(SCULPT_E_INTERNAL, "CLP ended with status " +
                                                 std::to_string(simplex.status()) +
                                                 "; use the oracle agglomerative");
    }
    const double* const solution = simplex.primalColumnSolution();
    for (std::size_t c = 0; c < values_.size(); ++c) values_[c] = std::clamp(solution[c], 0.0, 1.0);
    multipliers_.resize(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      multipliers_[r] = std::max(0.0, -simplex.dualRowSolution()[r] * max_score_);
    }
  }

  // Returns, for each pair, the most violated triangle with it, if any.
  std::vector<Triangle> violated_triangles(const sculpt::Host& host) const {
    std::vector<Triangle> violated;
    for (std::size_t i = 0; i < item_count_; ++i) {
      host.throw_if_cancelled();
      for (std::size_t k = i + 1; k < item_count_; ++k) {
        const double right_side = values_[column(i, k)] + 1;
        double worst = violation_tolerance;
        std::size_t middle = item_count_;
        for (std::size_t j = 0; j < item_count_; ++j) {
          if (j == i || j == k) continue;
          const double violation = values_[column(i, j)] + values_[column(j, k)] - right_side;
          if (violation > worst) {
            worst = violation;
            middle = j;
          }
        }
        if (middle == item_count_) continue;
        const Triangle triangle{column_[i * item_count_ + middle],
                                column_[middle * item_count_ + k], column_[i * item_count_ + k]};
        if (!row_set_.contains(triangle)) violated.push_back(triangle);
      }
    }
    return violated;
  }

  // Most triangles bind for a few rounds only, and each makes all steps slower. A dropped triangle
  // returns if it is violated again. At a constant bound, rows could leave and return forever. So
  // rows are dropped only if the bound has fallen since the last time.
  void remove_slack_rows(ClpSimplex& simplex) {
    std::vector<int> slack_rows;
    std::vector<Triangle> kept;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto row = static_cast<int>(r);
      if (simplex.getRowStatus(row) == ClpSimplex::basic &&
          left_side(rows_[r]) < 1 - violation_tolerance) {
        slack_rows.push_back(row);
        row_set_.erase(rows_[r]);
      } else {
        kept.push_back(rows_[r]);
      }
    }
    if (!slack_rows.empty()) {
      simplex.deleteRows(static_cast<int>(slack_rows.size()), slack_rows.data());
    }
    rows_ = std::move(kept);
  }

  // Returns the left side of a triangle inequality.
  double left_side(const Triangle& triangle) const {
    const auto at = [&](int column) { return values_[static_cast<std::size_t>(column)]; };
    return at(triangle[0]) + at(triangle[1]) - at(triangle[2]);
  }

  void add_rows(ClpSimplex& simplex, const std::vector<Triangle>& triangles) {
    std::vector<CoinBigIndex> row_begin{0};
    std::vector<int> columns;
    std::vector<double> elements;
    for (const Triangle& triangle : triangles) {
      row_set_.insert(triangle);
      rows_.push_back(triangle);
      columns.insert(columns.end(), triangle.begin(), triangle.end());
      elements.insert(elements.end(), {1, 1, -1});
      row_begin.push_back(static_cast<CoinBigIndex>(columns.size()));
    }
    const std::vector<double> lower(triangles.size(), -COIN_DBL_MAX);
    const std::vector<double> upper(triangles.size(), 1);
    simplex.addRows(static_cast<int>(triangles.size()), lower.data(), upper.data(),
                    row_begin.data(), columns.data(), elements.data());
  }

  std::vector<std::size_t> items_;
  std::size_t item_count_;
  std::vector<int> column_;     // column of each pair, [size][size]
  std::vector<double> scores_;  // [columns]
  double max_score_ = 0;        // largest |score|
  std::vector<double> values_;  // x, [columns]
  std::vector<Triangle> rows_;
  std::set<Triangle> row_set_;       // the same triangles
  std::vector<double> multipliers_;  // u, [rows]
};

void TriangleProgram::solve(const PairScores& scores, const Limits& limits,
                            const sculpt::Host& host) {
  link_values_.reset(static_cast<std::int64_t>(scores.items()));
  bound_ = 0;
  is_solved_ = true;
  for (const std::vector<std::size_t>& items : components_of(scores)) {
    if (items.size() < 2) continue;
    Component component(scores, items);
    is_solved_ = component.solve(limits, host) && is_solved_;
    bound_ += component.bound();
    component.write(link_values_);
  }
  if (is_solved_) remove_violations(host);
}

// CLP leaves small violations from rounding. This mixes in a little of the point with all x = 1/2,
// where the left side of every triangle is 1/2.
void TriangleProgram::remove_violations(const sculpt::Host& host) {
  const std::size_t items = link_values_.items();
  double excess = 0;
  for (std::size_t i = 0; i < items; ++i) {
    host.throw_if_cancelled();
    for (std::size_t k = i + 1; k < items; ++k) {
      for (std::size_t j = 0; j < items; ++j) {
        if (j == i || j == k) continue;
        excess = std::max(
            excess, link_values_.at(i, j) + link_values_.at(j, k) - link_values_.at(i, k) - 1);
      }
    }
  }
  if (excess == 0) return;
  const double weight = excess / (0.5 + excess);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t j = i + 1; j < items; ++j) {
      link_values_.set(i, j, (1 - weight) * link_values_.at(i, j) + weight / 2);
    }
  }
}

}  // namespace clustering
