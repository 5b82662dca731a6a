// marginals.cpp - a map_solver that tries every assignment. It offers expectations of the cells of
// theta (ext/expectation.h):
//
//   p(y) ~ exp <theta, z(y)>,   log Z = log sum_y exp <theta, z(y)>,   mu = sum_y p(y) z(y)
//   Cov[z] direction = sum_y p(y) z(y) (<direction, z(y)> - <direction, mu>)
#include <cmath>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Marginals {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.marginals", "1.0.0",
                                       "sums over all assignments"};

  void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) const {
    double best = -INFINITY;
    for_each_assignment(query.graph, [&](const std::vector<std::int32_t>& y) {
      const double score = sculpt::assignment_score(query.graph, query.theta.data(), y.data());
      if (score <= best) return;
      best = score;
      answer.labels().assign(y);
    });
    answer.exact(best);
  }
  double mean(const sculpt::MapQuery& query, double* mu) const {
    const double log_z = log_partition(query);
    std::fill_n(mu, query.graph.theta_size, 0.0);
    for_each_assignment(query.graph, [&](const std::vector<std::int32_t>& y) {
      const double score = sculpt::assignment_score(query.graph, query.theta.data(), y.data());
      add_cells(query.graph, y, std::exp(score - log_z), mu);
    });
    return log_z;
  }
  void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) const {
    std::vector<double> mu(query.theta.size());
    const double log_z = mean(query, mu.data());
    double projected_mean = 0;
    for (std::size_t cell = 0; cell < mu.size(); ++cell) {
      projected_mean += direction[cell] * mu[cell];
    }
    std::fill_n(out, query.graph.theta_size, 0.0);
    for_each_assignment(query.graph, [&](const std::vector<std::int32_t>& y) {
      const double score = sculpt::assignment_score(query.graph, query.theta.data(), y.data());
      const double projection = sculpt::assignment_score(query.graph, direction, y.data());
      add_cells(query.graph, y, std::exp(score - log_z) * (projection - projected_mean), out);
    });
  }

 private:
  template <class Visit>
  static void for_each_assignment(const sculpt_factor_graph& graph, Visit visit) {
    if (!sculpt::has_assignments(graph)) return;
    std::vector<std::int32_t> y(static_cast<std::size_t>(graph.variable_count), 0);
    for (;;) {
      visit(y);
      std::size_t v = 0;
      while (v < y.size() && ++y[v] == graph.states[v]) y[v++] = 0;
      if (v == y.size()) return;
    }
  }
  static double log_partition(const sculpt::MapQuery& query) {
    const auto score = [&](const std::vector<std::int32_t>& y) {
      return sculpt::assignment_score(query.graph, query.theta.data(), y.data());
    };
    double highest = -INFINITY;
    for_each_assignment(query.graph, [&](const auto& y) { highest = std::max(highest, score(y)); });
    double sum = 0;
    for_each_assignment(query.graph, [&](const auto& y) { sum += std::exp(score(y) - highest); });
    return highest + std::log(sum);
  }
  // cells += weight * z(y)
  static void add_cells(const sculpt_factor_graph& graph, const std::vector<std::int32_t>& y,
                        double weight, double* cells) {
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      cells[sculpt::factor_cell(graph, f, y.data())] += weight;
    }
  }
};

}  // namespace

SCULPT_PLUGIN("stub_marginals", "1.0.0", "Apache-2.0", sculpt::MapSolver<Marginals>)
