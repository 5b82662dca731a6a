#include <doctest/doctest.h>

#include <cmath>

#include "core/batch/listed_batch.hpp"

namespace sculpt::core {
namespace {

constexpr int losses[] = {SCULPT_BATCH_HINGE, SCULPT_BATCH_PERCEPTRON, SCULPT_BATCH_LOG_LOSS,
                          SCULPT_BATCH_SOFTMAX_MARGIN};
constexpr int maxima[] = {SCULPT_BATCH_HINGE, SCULPT_BATCH_PERCEPTRON, ListedBatch::best};
constexpr int all_kinds[] = {SCULPT_BATCH_HINGE,    SCULPT_BATCH_PERCEPTRON,
                             SCULPT_BATCH_LOG_LOSS, SCULPT_BATCH_SOFTMAX_MARGIN,
                             ListedBatch::best,     ListedBatch::log_z};

void add_weights(ListedBatch& batch, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> even(0.1, 2);
  for (std::size_t v = 0; v < batch.truths.size(); ++v)
    batch.variable_weights.push_back(even(random));
  for (std::size_t i = 0; i < batch.examples.size(); ++i)
    batch.example_weights.push_back(even(random));
  batch.cost_count = 4;
  for (int k = 0; k < 16; ++k) batch.costs.push_back(k % 5 == 0 ? 0 : even(random));
}

void require_close(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-9));
  }
}

double weighted_sum(const ListedBatch& batch, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += (batch.example_weights.empty() ? 1 : batch.example_weights[i]) * values[i];
  }
  return sum;
}

// Compares the gradient with central differences of the values that listing gives.
void require_gradient(int kind, ListedBatch batch, const Computed& computed) {
  constexpr double step = 1e-5;
  const auto compare = [&](std::vector<double>& scores, const std::vector<double>& gradient) {
    REQUIRE(scores.size() == gradient.size());
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const double score = scores[j];
      scores[j] = score + step;
      const double above = weighted_sum(batch, batch.values(kind));
      scores[j] = score - step;
      const double below = weighted_sum(batch, batch.values(kind));
      scores[j] = score;
      CHECK(gradient[j] == doctest::Approx((above - below) / (2 * step)).epsilon(1e-6).scale(1));
    }
  };
  compare(batch.unary, computed.unary);
  compare(batch.tables, computed.tables);
  compare(batch.shared, computed.shared);
}

void require_all(OpenBatch& solver, const ListedBatch& batch, int kind) {
  CAPTURE(kind);
  const Computed computed = solver.compute(kind, batch);
  require_close(computed.values, batch.values(kind));
  require_close(computed.upper_bounds, computed.values);
  for (const std::int32_t exact : computed.exact) CHECK(exact == 1);
  require_gradient(kind, batch, computed);
  // The outputs attain the maximum.
  const bool has_delta = kind == SCULPT_BATCH_HINGE || kind == SCULPT_BATCH_SOFTMAX_MARGIN;
  const int maximum = has_delta ? SCULPT_BATCH_HINGE
                      : kind == ListedBatch::best || kind == ListedBatch::log_z
                          ? ListedBatch::best
                          : SCULPT_BATCH_PERCEPTRON;
  const std::vector<double> best_values = batch.values(maximum);
  const std::vector<double> best_scores = batch.values(ListedBatch::best);  // that agree
  for (std::size_t i = 0; i < batch.examples.size(); ++i) {
    const ListedBatch::Example& example = batch.examples[i];
    const std::vector<std::int32_t> y(
        computed.outputs.begin() + static_cast<std::ptrdiff_t>(example.variable_from),
        computed.outputs.begin() +
            static_cast<std::ptrdiff_t>(example.variable_from + example.states.size()));
    const double reference = maximum == ListedBatch::best ? 0 : best_scores[i];
    const double value = batch.score(example, y) + (has_delta ? batch.delta(example, y) : 0);
    CHECK(value - reference == doctest::Approx(best_values[i]).epsilon(1e-9));
  }
}

}  // namespace

TEST_CASE("batch: losses of chains and their gradients are those of all outputs") {
  OpenBatch viterbi("viterbi");
  for (const bool share_table : {true, false}) {
    CAPTURE(share_table);
    ListedBatch batch = listed_chains({4, 1, 3, 0, 4}, 3, share_table);
    batch.draw(share_table ? 1 : 2);
    for (const int kind : all_kinds) require_all(viterbi, batch, kind);
    add_weights(batch, 3);
    for (const int kind : losses) require_all(viterbi, batch, kind);
  }
}

TEST_CASE("batch: a truth with unknown labels is compared with the outputs that agree") {
  OpenBatch viterbi("viterbi");
  ListedBatch batch = listed_chains({4, 3, 4, 2, 1}, 3, true);
  batch.draw(5, 0.5);
  batch.truths[0] = batch.truths[1] = batch.truths[2] = batch.truths[3] = -1;  // one without any
  add_weights(batch, 6);
  for (const int kind : all_kinds) require_all(viterbi, batch, kind);
}

TEST_CASE("batch: losses of general graphs are those of all outputs, by several map_solvers") {
  OpenBatch enumerate("enumerate");
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    ListedBatch batch = listed_graphs(seed);
    for (const int kind : all_kinds) require_all(enumerate, batch, kind);
    OpenBatch branch_and_bound("branch_and_bound");
    add_weights(batch, seed);
    batch.draw(seed + 10, 0.3);
    for (const int kind : maxima) {
      require_all(branch_and_bound, batch, kind);
    }
  }
}

TEST_CASE("batch: belief propagation is exact on trees and says so, and on cycles that it is not") {
  OpenBatch propagation("belief_propagation");
  ListedBatch tree;
  tree.add_example({3, 2, 3, 2});
  tree.add_factor({0, 1});
  tree.add_factor({2, 0});
  tree.add_factor({0, 3});
  tree.draw(1);
  const Computed computed = propagation.compute(SCULPT_BATCH_LOG_LOSS, tree);
  require_close(computed.values, tree.values(SCULPT_BATCH_LOG_LOSS));
  require_gradient(SCULPT_BATCH_LOG_LOSS, tree, computed);
  const Computed cycles = propagation.compute(SCULPT_BATCH_LOG_LOSS, attractive_grids(1));
  CHECK(cycles.exact.back() == 0);
  CHECK(cycles.upper_bounds.back() == INFINITY);
}

TEST_CASE("batch: graph_cut serves grids whose pairs reward equal labels") {
  OpenBatch graph_cut("graph_cut");
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    ListedBatch grids = attractive_grids(seed);
    for (const int kind : maxima) {
      require_all(graph_cut, grids, kind);
    }
  }
}

TEST_CASE("batch: a loss of approximate answers lies between 0 and its upper bound") {
  for (const char* const name : {"icm", "lp"}) {
    CAPTURE(name);
    OpenBatch solver(name);
    const ListedBatch grids = attractive_grids(7);
    const std::vector<double> values = grids.values(SCULPT_BATCH_HINGE);
    const Computed computed = solver.compute(SCULPT_BATCH_HINGE, grids);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(computed.values[i] >= 0);
      CHECK(computed.values[i] <= values[i] + 1e-9);
      CHECK(computed.upper_bounds[i] >= values[i] - 1e-9);
    }
  }
}

TEST_CASE("batch: chains are the same by lengths and as general graphs") {
  OpenBatch viterbi("viterbi");
  const std::vector<std::int64_t> lengths = {3, 7, 0, 3, 1};
  for (const bool share_table : {true, false}) {
    ListedBatch batch = listed_chains(lengths, 4, share_table);
    batch.draw(9);
    const OpenGraphs chains(lengths, 4,
                            share_table ? SCULPT_BATCH_SHARED_TABLE : SCULPT_BATCH_OWN_TABLES);
    CHECK(chains.layout().unary_size == static_cast<std::int64_t>(batch.unary.size()));
    CHECK(chains.layout().tables_size == static_cast<std::int64_t>(batch.tables.size()));
    CHECK(chains.layout().shared_size == (share_table ? 16 : 0));
    CHECK(chains.layout().unary_from[2] == 40);
    for (const int kind : all_kinds) {
      CHECK(viterbi.compute(kind, chains, batch) == viterbi.compute(kind, batch));
    }
  }
}

TEST_CASE("batch: a shared table is the same as equal tables of all pairs") {
  OpenBatch viterbi("viterbi");
  ListedBatch shared = listed_chains({5, 3, 5}, 4, true);
  shared.draw(11);
  ListedBatch own = listed_chains({5, 3, 5}, 4, false);
  own.unary = shared.unary;
  own.truths = shared.truths;
  for (std::size_t k = 0; k < own.tables.size(); ++k) own.tables[k] = shared.shared[k % 16];
  for (const int kind : all_kinds) {
    CAPTURE(kind);
    const Computed by_one = viterbi.compute(kind, shared);
    const Computed by_each = viterbi.compute(kind, own);
    require_close(by_each.values, by_one.values);
    CHECK(by_each.outputs == by_one.outputs);
    std::vector<double> sums(16, 0.0);
    for (std::size_t k = 0; k < by_each.tables.size(); ++k) sums[k % 16] += by_each.tables[k];
    for (std::size_t k = 0; k < 16; ++k) {
      CHECK(sums[k] == doctest::Approx(by_one.shared[k]).epsilon(1e-9).scale(1));
    }
  }
}

TEST_CASE("batch: the gradient of the perceptron at scores of 0 is not 0") {
  OpenBatch viterbi("viterbi");
  ListedBatch batch = listed_chains({2}, 2, true);
  batch.shared.assign(4, 0.0);
  batch.truths = {1, 1};
  const Computed computed = viterbi.compute(SCULPT_BATCH_PERCEPTRON, batch);
  CHECK(computed.values[0] == 0);
  CHECK(computed.unary == std::vector<double>{1, -1, 1, -1});
  CHECK(computed.shared == std::vector<double>{1, 0, 0, -1});
}

}  // namespace sculpt::core
