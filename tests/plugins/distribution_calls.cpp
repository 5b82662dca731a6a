#include "distribution_calls.hpp"
#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>
#include <map>
#include "call_buffers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace plugin_test {

using doctest::Approx;

namespace {

const sculpt_ext_map_expectation& expectation_table(const LiveComponent& solver) {
  return solver.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
}

}  // namespace

sculpt_map_query query_of(const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &graph;
  query.theta = theta.data();
  return query;
}

MapMean map_mean(const LiveComponent& solver, const sculpt_factor_graph& graph,
                 const std::vector<double>& theta) {
  const sculpt_map_query query = query_of(graph, theta);
  MapMean result = {0, std::vector<double>(theta.size(), -1)};
  sculpt_log_z log_z = {};
  ErrorText error;
  error.check(expectation_table(solver).mean(solver.session(), &query, &log_z, result.mu.data(),
                                             error.raw()));
  CHECK(log_z.flags == SCULPT_LOG_Z_EXACT);
  result.log_z = log_z.value;
  return result;
}

std::vector<double> map_covariance(const LiveComponent& solver, const sculpt_factor_graph& graph,
                                   const std::vector<double>& theta,
                                   const std::vector<double>& direction) {
  const sculpt_map_query query = query_of(graph, theta);
  std::vector<double> out(theta.size(), -1);
  ErrorText error;
  error.check(expectation_table(solver).covariance_times(solver.session(), &query, direction.data(),
                                                         out.data(), error.raw()));
  return out;
}

double AllAssignments::probability(double score) const {
  return std::exp(score - best.front().first) / relative_z;
}

AllAssignments list_all(const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  AllAssignments all;
  each_output(graph,
              [&](const Outputs& y) { all.best.emplace_back(naive_score(graph, theta, y), y); });
  std::stable_sort(all.best.begin(), all.best.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const double largest = all.best.front().first;
  all.relative_z = 0;
  for (const auto& [score, y] : all.best) {
    if (score != unattainable) all.relative_z += std::exp(score - largest);
  }
  all.log_z = all.relative_z > 0 ? largest + std::log(all.relative_z) : unattainable;
  return all;
}

void check_expectation(const LiveComponent& solver, const sculpt_factor_graph& graph,
                       const std::vector<double>& theta, Random& random, double tolerance) {
  const AllAssignments all = list_all(graph, theta);
  const std::vector<double> direction = normal_vector(random, theta.size());
  std::vector<double> mean(theta.size()), covariance(theta.size());
  for (const auto& [score, y] : all.best) {
    const std::vector<double> z = indicator(graph, y);
    for (std::size_t k = 0; k < z.size(); ++k) mean[k] += all.probability(score) * z[k];
  }
  for (const auto& [score, y] : all.best) {
    const std::vector<double> z = indicator(graph, y);
    const double off_mean = dot(direction, z) - dot(direction, mean);
    for (std::size_t k = 0; k < z.size(); ++k) {
      covariance[k] += all.probability(score) * off_mean * z[k];
    }
  }
  const MapMean found = map_mean(solver, graph, theta);
  REQUIRE(std::abs(found.log_z - all.log_z) <= tolerance * (1 + std::abs(all.log_z)));
  const std::vector<double> product = map_covariance(solver, graph, theta, direction);
  for (std::size_t k = 0; k < mean.size(); ++k) {
    REQUIRE(std::abs(found.mu[k] - mean[k]) < tolerance);
    REQUIRE(std::abs(product[k] - covariance[k]) < 10 * tolerance);
  }
}

void check_k_best(const LiveComponent& solver, const sculpt_factor_graph& graph,
                  const std::vector<double>& theta) {
  const auto& table = solver.extension<sculpt_ext_map_k_best>(SCULPT_EXT_MAP_K_BEST);
  const AllAssignments all = list_all(graph, theta);
  const sculpt_map_query query = query_of(graph, theta);
  ErrorText error;
  error.check(table.begin(solver.session(), &query, error.raw()));
  std::map<Outputs, int> seen;
  for (std::size_t rank = 0; rank <= all.best.size(); ++rank) {
    LabelBuffer labels;
    sculpt_answer answer = {};
    answer.struct_size = sizeof answer;
    answer.labels = labels;
    error.check(table.next(solver.session(), &answer, error.raw()));
    static_cast<sculpt_label_buffer&>(labels) = answer.labels;
    if (rank == all.best.size()) {
      REQUIRE((answer.flags & SCULPT_ANSWER_NO_OUTPUT) != 0);
      break;
    }
    REQUIRE(answer.flags == SCULPT_ANSWER_EXACT);
    REQUIRE(answer.value == Approx(all.best[rank].first).epsilon(1e-10));
    REQUIRE(naive_score(graph, theta, labels.outputs()) == Approx(answer.value).epsilon(1e-10));
    REQUIRE(++seen[labels.outputs()] == 1);
  }
}

void check_draws(const LiveComponent& solver, const sculpt_factor_graph& graph, Random& random) {
  const auto& table = solver.extension<sculpt_ext_map_sample>(SCULPT_EXT_MAP_SAMPLE);
  const std::vector<double> theta =
      normal_vector(random, static_cast<std::size_t>(graph.theta_size));
  const AllAssignments all = list_all(graph, theta);
  const sculpt_map_query query = query_of(graph, theta);
  ErrorText error;
  double log_z = 0;
  error.check(table.begin(solver.session(), &query, &log_z, error.raw()));
  CHECK(log_z == Approx(all.log_z).epsilon(1e-10));
  constexpr int draws = 20000;
  std::map<Outputs, int> counts;
  for (int k = 0; k < draws; ++k) {
    LabelBuffer labels;
    error.check(table.draw(solver.session(), static_cast<std::uint64_t>(k), &labels, error.raw()));
    ++counts[labels.outputs()];
  }
  for (const auto& [score, y] : all.best) {
    const double expected = draws * all.probability(score);
    CHECK(std::abs(counts[y] - expected) < 5 * std::sqrt(expected) + 5);
  }
  LabelBuffer first, second;
  error.check(table.draw(solver.session(), 7, &first, error.raw()));
  error.check(table.draw(solver.session(), 7, &second, error.raw()));
  CHECK(first.outputs() == second.outputs());
}

}  // namespace plugin_test
