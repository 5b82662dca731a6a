// distribution.hpp - p(y) ~ exp <theta, z(y)> over all assignments of a small graph, as a table:
// log Z, marginals, covariances, the k best, samples.
//
// The session of enumerate.cpp owns one. Each call about a new query fills the table again.
#pragma once

#include <sculpt/cpp/cursor.hpp>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/cpp/random.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "assignment_table.hpp"

class Distribution {
 public:
  explicit Distribution(const sculpt::Host& host) : host_(host) {}

  // Ends the current k best or samples.
  void end() { cursor_.end(); }

  // Returns log Z and writes mu[theta_size] = E[z].
  double mean(const sculpt::MapQuery& query, double* mu) {
    std::fill_n(mu, query.graph.theta_size, 0.0);
    const double log_z = read(query);
    if (log_z > minus_infinity) table_.collect(p_, mu, host_);
    return log_z;
  }

  // Writes out[theta_size] = Cov[z] direction: the mean of z(y) <direction, z(y) - E[z]>.
  void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) {
    std::fill_n(out, query.graph.theta_size, 0.0);
    if (read(query) == minus_infinity) return;
    table_.spread(direction, change_, host_);
    double mean = 0;
    for (std::size_t k = 0; k < p_.size(); ++k) mean += p_[k] * change_[k];
    for (std::size_t k = 0; k < p_.size(); ++k) change_[k] = p_[k] * (change_[k] - mean);
    table_.collect(change_, out, host_);
  }

  // Starts the list of assignments, best first. Ties: the smallest label of variable 0, then of
  // variable 1, and so on.
  void begin_k_best(const sculpt::MapQuery& query) {
    rank_ = 0;
    ranked_ = 0;
    order_.clear();
    if (sculpt::has_assignments(query.graph)) {
      variables_ = query.graph.variable_count;
      table_.read(query.graph);
      table_.spread(query.theta.data(), p_, host_);
      order_.resize(p_.size());
      std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    cursor_.begin(sculpt::CursorKind::k_best);
  }
  // Writes the next assignment. After the last one the answer is NO_OUTPUT.
  void next_best(sculpt::Answer& answer) {
    cursor_.require(sculpt::CursorKind::k_best);
    if (rank_ == order_.size()) return answer.no_output();
    if (rank_ == ranked_) rank_more();
    const std::size_t number = order_[rank_++];
    table_.write(number, answer.labels().resize(variables_));
    answer.exact(p_[number]);
  }

  // Prepares samples. Returns log Z.
  double begin_sample(const sculpt::MapQuery& query) {
    const double log_z = read(query);
    if (log_z > minus_infinity) {
      variables_ = query.graph.variable_count;
      std::partial_sum(p_.begin(), p_.end(), p_.begin());
      cursor_.begin(sculpt::CursorKind::sample);
    }
    return log_z;
  }
  // Draws one assignment. Equal seeds give equal assignments.
  void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
    cursor_.require(sculpt::CursorKind::sample);
    sculpt::Random random(seed);
    const double below = random.unit() * p_.back();
    const auto drawn = std::upper_bound(p_.begin(), p_.end(), below);
    table_.write(static_cast<std::size_t>(drawn - p_.begin()), out.resize(variables_));
  }

 private:
  static constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

  // Fills p_ with the probabilities. Returns log Z: minus infinity if there is no assignment.
  double read(const sculpt::MapQuery& query) {
    end();
    if (!sculpt::has_assignments(query.graph)) return minus_infinity;
    table_.read(query.graph);
    table_.spread(query.theta.data(), p_, host_);
    const double largest = *std::max_element(p_.begin(), p_.end());
    double sum = 0;
    for (double& one : p_) {
      one = std::exp(one - largest);
      sum += one;
    }
    for (double& one : p_) one /= sum;
    return largest + std::log(sum);
  }

  // Sorts the next of order_: as many as are sorted already, so that few ranks cost little.
  void rank_more() {
    const std::size_t end = std::min(order_.size(), std::max<std::size_t>(16, 2 * ranked_));
    const auto better = [this](std::size_t a, std::size_t b) {
      return p_[a] > p_[b] || (p_[a] == p_[b] && a < b);
    };
    const auto at = [this](std::size_t k) {
      return order_.begin() + static_cast<std::ptrdiff_t>(k);
    };
    std::partial_sort(at(ranked_), at(end), order_.end(), better);
    ranked_ = end;
  }

  const sculpt::Host host_;
  sculpt::Cursor cursor_;
  AssignmentTable table_;
  std::int64_t variables_ = 0;
  std::vector<double> p_;           // probabilities, their sums (samples) or scores (k best)
  std::vector<double> change_;      // of the scores along a direction
  std::vector<std::size_t> order_;  // the assignments; the first ranked_ are the best, in order
  std::size_t ranked_ = 0;
  std::size_t rank_ = 0;  // of the next assignment
};
