// A witness proves the bound of an answer (sculpt/ext/draft/witness.h). The verifier computes with
// rational numbers: doubles are exact in them, and so are sums.

#include <sculpt/ext/draft/witness.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "check/small_graphs/small_graph.hpp"
#include "exact_numbers.hpp"
#include "stub_components.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_map_witness> {
  static constexpr const char* id = SCULPT_EXT_MAP_WITNESS;
  static constexpr std::size_t required_functions = 1;
};

namespace {

using stub::Exact;
using stub::Witness;

// The bound of a witness of the kind "messages".
Exact bound_of(const sculpt_factor_graph& graph, const std::vector<double>& theta,
               const std::vector<double>& messages) {
  std::vector<std::vector<Exact>> scores;  // of the variables, with the messages to them
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    const auto first = theta.begin() + graph.table[v];
    scores.emplace_back(first, first + graph.states[v]);
  }
  Exact bound = 0;
  auto message = messages.begin();
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const std::int32_t* const scope = graph.scope + graph.scope_from[f];
    REQUIRE(graph.scope_from[f + 1] - graph.scope_from[f] == 2);
    const std::int32_t a = graph.states[scope[0]];
    const std::int32_t b = graph.states[scope[1]];
    std::vector<Exact> cells(theta.begin() + graph.table[f],
                             theta.begin() + graph.table[f] + a * b);
    for (std::int32_t k = 0; k < a + b; ++k) {
      const Exact number = *message++;
      for (std::int32_t cell = 0; cell < a * b; ++cell) {
        if (k < a ? cell / b == k : cell % b == k - a) {
          cells[static_cast<std::size_t>(cell)] -= number;
        }
      }
      const std::int32_t variable = scope[k < a ? 0 : 1];
      scores[static_cast<std::size_t>(variable)][static_cast<std::size_t>(k < a ? k : k - a)] +=
          number;
    }
    bound += *std::max_element(cells.begin(), cells.end());
  }
  REQUIRE(message == messages.end());
  for (const auto& states : scores) bound += *std::max_element(states.begin(), states.end());
  return bound;
}

Exact score_of(const SmallGraph& graph, const std::vector<std::int32_t>& y) {
  Exact score = 0;
  for (const auto& [table, cell] : graph.cells_of(y)) score += Exact(graph.tables[table][cell]);
  return score;
}

// The largest score of all assignments.
Exact maximum_of(const SmallGraph& graph) {
  std::vector<std::int32_t> y(graph.states.size(), 0);
  Exact best = score_of(graph, y);
  for (std::size_t digit = 0; digit < y.size();) {
    digit = 0;
    while (digit < y.size() && ++y[digit] == graph.states[digit]) y[digit++] = 0;
    if (digit < y.size()) best = std::max(best, score_of(graph, y));
  }
  return best;
}

TEST_CASE("the messages of a dynamic program prove its maximum, in exact arithmetic") {
  const auto solver = stub::create(SCULPT_KIND_MAP_SOLVER, "chain_proof");
  stub::bind_and_seal(*solver);
  const auto& table = *solver->extension<sculpt_ext_map_witness>();
  stub::OneSession session(*solver);
  Random random(7, "witness");
  int joined = 0;
  for (int number = 0; number < 120; ++number) {
    CAPTURE(number);
    const SmallGraph graph = random_small_graph(random, SCULPT_GRAPH_CHAIN, number, 6);
    const FactorGraphData data(graph, 0);
    const std::vector<double> theta = graph.theta();
    const sculpt_map_query query = {sizeof(sculpt_map_query), 0, &data.raw(), theta.data(), 0};
    Witness witness;
    Answer answer;
    solver->call("prove", -1, [&](sculpt_error* error) {
      return table.prove(session.raw(), &query, answer.raw(), &witness.raw, error);
    });
    REQUIRE(witness.raw.kind == std::string(SCULPT_WITNESS_MESSAGES));
    const std::vector<double> messages = witness.numbers();
    joined += messages.empty() ? 0 : 1;

    const Exact maximum = maximum_of(graph);
    const Exact bound = bound_of(data.raw(), theta, messages);
    const double size = 1 + graph.largest_terms().magnitude;
    CHECK(score_of(graph, stub::vector_of(answer.labels())) <= maximum);
    CHECK(bound >= maximum);
    CHECK(static_cast<double>(bound - maximum) <= 1e-13 * size);
    CHECK(std::abs(static_cast<double>(Exact(answer.value()) - maximum)) <= 1e-13 * size);
  }
  CHECK(joined > 60);
}

TEST_CASE("wrong messages prove a larger bound, never one below the maximum") {
  Random random(8, "witness");
  int larger = 0;
  for (int number = 0; number < 60; ++number) {
    const SmallGraph graph = random_small_graph(random, SCULPT_GRAPH_CHAIN, number, 6);
    const FactorGraphData data(graph, 0);
    std::vector<double> messages;
    for (const SmallGraph::Factor& factor : graph.factors) {
      for (const std::int32_t variable : factor.scope) {
        for (int x = 0; x < graph.states[static_cast<std::size_t>(variable)]; ++x) {
          messages.push_back(random.normal());
        }
      }
    }
    const Exact bound = bound_of(data.raw(), graph.theta(), messages);
    CHECK(bound >= maximum_of(graph));
    larger += bound > maximum_of(graph) ? 1 : 0;
  }
  CHECK(larger > 20);
}

}  // namespace
}  // namespace sculpt::core
