// log Z, marginals, covariances, the k best and draws of viterbi agree with a list of all
// assignments of a chain, a forest or a graph of order two.
#include <doctest/doctest.h>

#include "call_buffers.hpp"
#include "distribution_calls.hpp"

#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>

#include <cmath>
#include <functional>
#include <map>

using namespace plugin_test;
using doctest::Approx;

namespace {

// By turns a chain, a forest and a graph of order two.
RandomGraph random_one_of_three(Random& random, int trial, std::int32_t variables) {
  const std::int32_t length = draw(random, 0, variables);
  if (trial % 3 == 0) return random_chain(random, length, trial % 2 == 0, trial % 5 == 0);
  if (trial % 3 == 1) return random_forest(random, length);
  return random_order_two(random, length, trial % 2 == 0, trial % 5 == 0);
}

}  // namespace

TEST_CASE("viterbi computes log Z, marginals and covariances of all its graphs") {
  const LiveComponent viterbi("viterbi");
  Random random(1009);
  for (int trial = 0; trial < 600; ++trial) {
    RandomGraph drawn = random_one_of_three(random, trial, 5);
    const sculpt_factor_graph& graph = drawn.graph();
    const std::vector<double> theta =
        normal_vector(random, static_cast<std::size_t>(graph.theta_size));
    check_expectation(viterbi, graph, theta, random);
  }
}

TEST_CASE("viterbi gives the k best of all its graphs in order, each once, and then ends") {
  const LiveComponent viterbi("viterbi");
  Random random(1013);
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph drawn = random_one_of_three(random, trial, 4);
    const sculpt_factor_graph& graph = drawn.graph();
    const auto size = static_cast<std::size_t>(graph.theta_size);
    check_k_best(viterbi, graph,
                 trial % 5 == 0 ? small_integers(random, size) : normal_vector(random, size));
  }
}

TEST_CASE("viterbi draws labels by their probabilities, the same for the same seed") {
  const LiveComponent viterbi("viterbi");
  Random random(1019);
  check_draws(viterbi, random_chain(random, 3, false, false).graph(), random);
  check_draws(viterbi, random_order_two(random, 3, false, false).graph(), random);
}

TEST_CASE("another call on the session closes the k best and the draws of viterbi") {
  const LiveComponent viterbi("viterbi");
  const auto& k_best = viterbi.extension<sculpt_ext_map_k_best>(SCULPT_EXT_MAP_K_BEST);
  const auto& sample = viterbi.extension<sculpt_ext_map_sample>(SCULPT_EXT_MAP_SAMPLE);
  const auto& expectation =
      viterbi.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
  Random random(1031);
  RandomGraph drawn = random_chain(random, 4, false, false);
  const sculpt_factor_graph& graph = drawn.graph();
  const auto size = static_cast<std::size_t>(graph.theta_size);
  const std::vector<double> theta = normal_vector(random, size);
  const std::vector<double> other = normal_vector(random, size);
  const sculpt_map_query query = query_of(graph, theta);
  const sculpt_map_query other_query = query_of(graph, other);
  std::vector<double> out(size);
  double log_z = 0;
  sculpt_error* const none = nullptr;
  const auto next_best = [&] {
    LabelBuffer labels;
    sculpt_answer answer = {};
    answer.struct_size = sizeof answer;
    answer.labels = labels;
    const sculpt_status status = k_best.next(viterbi.session(), &answer, none);
    static_cast<sculpt_label_buffer&>(labels) = answer.labels;
    return status;
  };
  const auto draw_one = [&] {
    LabelBuffer labels;
    return sample.draw(viterbi.session(), 1, &labels, none);
  };
  const auto begin_k_best = [&] { k_best.begin(viterbi.session(), &query, none); };
  const auto begin_sample = [&] { sample.begin(viterbi.session(), &query, &log_z, none); };
  const std::vector<std::function<void()>> calls = {
      [&] { solve(viterbi, graph, other); },
      [&] {
        sculpt_log_z mean_log_z = {};
        expectation.mean(viterbi.session(), &other_query, &mean_log_z, out.data(), none);
      },
      [&] {
        expectation.covariance_times(viterbi.session(), &other_query, theta.data(), out.data(),
                                     none);
      }};
  CHECK(next_best() == SCULPT_E_INVALID);  // before any begin()
  CHECK(draw_one() == SCULPT_E_INVALID);
  for (const auto& call : calls) {
    begin_k_best();
    CHECK(next_best() == SCULPT_OK);
    call();
    CHECK(next_best() == SCULPT_E_INVALID);
    begin_sample();
    CHECK(draw_one() == SCULPT_OK);
    call();
    CHECK(draw_one() == SCULPT_E_INVALID);
  }
  begin_k_best();
  begin_sample();
  CHECK(next_best() == SCULPT_E_INVALID);
  begin_k_best();
  CHECK(draw_one() == SCULPT_E_INVALID);
  // Graphs of order two have their own list and draws.
  RandomGraph triples = random_order_two(random, 4, false, false);
  const sculpt_factor_graph& order_two = triples.graph();
  const std::vector<double> scores = normal_vector(random, cells(order_two));
  const sculpt_map_query order_two_query = query_of(order_two, scores);
  k_best.begin(viterbi.session(), &order_two_query, none);
  CHECK(next_best() == SCULPT_OK);
  begin_sample();
  CHECK(next_best() == SCULPT_E_INVALID);
  k_best.begin(viterbi.session(), &order_two_query, none);
  CHECK(draw_one() == SCULPT_E_INVALID);
  CHECK(next_best() == SCULPT_OK);
}

TEST_CASE("marginals of a chain with a second factor over every variable take linear time") {
  const LiveComponent viterbi("viterbi");
  const auto& expectation =
      viterbi.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
  constexpr std::int32_t length = 100000;
  sculpt::FactorGraphBuilder builder;
  for (std::int32_t v = 0; v < length; ++v) builder.add_variable(2);
  const std::int64_t second = builder.add_table(2);
  for (std::int32_t v = 0; v < length; ++v) builder.add_factor({v}, second);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE, 0);
  std::vector<double> theta(static_cast<std::size_t>(graph.theta_size));
  theta[static_cast<std::size_t>(second) + 1] = std::log(3.0);  // p = 1/4, 3/4 for each of them
  const sculpt_map_query query = query_of(graph, theta);
  std::vector<double> mu(theta.size());
  sculpt_log_z log_z = {};
  ErrorText error;
  error.check(expectation.mean(viterbi.session(), &query, &log_z, mu.data(), error.raw()));
  CHECK(log_z.value == Approx(length * std::log(4.0)));
  CHECK(mu[static_cast<std::size_t>(second)] == Approx(length * 0.25));
  CHECK(mu[static_cast<std::size_t>(second) + 1] == Approx(length * 0.75));
  CHECK(mu[static_cast<std::size_t>(graph.table[length / 2])] == Approx(0.25));
}

TEST_CASE("log Z of a chain of 5000 is finite, and its best is what viterbi finds") {
  const LiveComponent viterbi("viterbi");
  Random random(1021);
  RandomGraph drawn = random_chain(random, 5000, false, false);
  const sculpt_factor_graph& graph = drawn.graph();
  std::vector<double> theta = normal_vector(random, static_cast<std::size_t>(graph.theta_size));
  for (double& score : theta) score *= 50;
  const sculpt_map_query query = query_of(graph, theta);
  const auto& expectation =
      viterbi.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
  const auto& k_best = viterbi.extension<sculpt_ext_map_k_best>(SCULPT_EXT_MAP_K_BEST);
  ErrorText error;
  sculpt_log_z log_z = {};
  std::vector<double> mu(theta.size());
  error.check(expectation.mean(viterbi.session(), &query, &log_z, mu.data(), error.raw()));
  const Solution best = solve(viterbi, graph, theta);
  CHECK(std::isfinite(log_z.value));
  CHECK(log_z.value >= best.value);
  for (std::int32_t v = 0; v < 5000; v += 97) {
    double sum = 0;
    for (std::int32_t k = 0; k < graph.states[v]; ++k) {
      sum += mu[static_cast<std::size_t>(graph.table[v] + k)];
    }
    CHECK(sum == Approx(1).epsilon(1e-9));
  }
  LabelBuffer labels;
  sculpt_answer answer = {};
  answer.struct_size = sizeof answer;
  answer.labels = labels;
  error.check(k_best.begin(viterbi.session(), &query, error.raw()));
  error.check(k_best.next(viterbi.session(), &answer, error.raw()));
  static_cast<sculpt_label_buffer&>(labels) = answer.labels;
  CHECK(labels.outputs() == best.output);
}
