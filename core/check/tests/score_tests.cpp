// Tests of the features' draft extension scores: their values. score_prediction_tests.cpp compares
// them with outputs.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/scored_output.hpp"
#include "check/tests/required_scores.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

[[noreturn]] void refuse(TestFixture& fixture, TestContext& context, std::int64_t example,
                         const std::string& what) {
  context.fail({fixture.problem().features().component().name() + ": " + what,
                example_text(fixture, example)});
}

// Calls body(random, examples) several times with these examples.
template <class Body>
void each_round(TestFixture& fixture, TestContext& context, const char* test, Body&& body) {
  Random random = fixture.random(test);
  const std::vector<std::int64_t> examples = spread_examples(fixture);
  if (examples.empty()) context.skip("there is no example");
  const int rounds = fixture.level().choose(3, 8, 20);
  TimeBudget budget(fixture.timer(), context, rounds, "rounds");
  for (int round = 0; round < rounds && budget.next(); ++round) body(random, examples);
}

// Scores are finite, and the same in a second call after other examples. At every call the host
// refuses scores that are not finite, unset, or written just after the end.
void scores_same_test(TestFixture& fixture, TestContext& context) {
  const Scores scores = required_scores(fixture, context);
  each_round(fixture, context, "scores.same", [&](Random& random, const auto& examples) {
    const Weights w = fixture.weights().normal(random);
    std::vector<std::vector<double>> first;
    for (const std::int64_t example : examples) {
      context.set_activity("example " + std::to_string(example));
      context.count();
      first.push_back(scores_at(scores, example, w));
    }
    for (std::size_t e = examples.size(); e-- > 0;) {
      context.set_activity("example " + std::to_string(examples[e]) + ", again");
      if (scores_at(scores, examples[e], w) == first[e]) continue;
      refuse(fixture, context, examples[e], "its scores differ in a second call");
    }
  });
}

// scores(w) + scores(v) = scores(w + v)
void scores_linear_test(TestFixture& fixture, TestContext& context) {
  const Scores scores = required_scores(fixture, context);
  each_round(fixture, context, "scores.linear", [&](Random& random, const auto& examples) {
    const Weights w = fixture.weights().normal(random);
    const Weights v = fixture.weights().normal(random);
    std::vector<double> sum = fixture.weights().values_on_support(w);
    const std::vector<double> other = fixture.weights().values_on_support(v);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += other[j];
    const Weights both = fixture.weights().with_values(sum);
    for (const std::int64_t example : examples) {
      context.set_activity("example " + std::to_string(example));
      context.count();
      const std::vector<double> a = scores_at(scores, example, w);
      const std::vector<double> b = scores_at(scores, example, v);
      const std::vector<double> c = scores_at(scores, example, both);
      double size = 0;
      for (std::size_t k = 0; k < c.size(); ++k) {
        size = std::max({size, std::abs(a[k]), std::abs(b[k])});
      }
      for (std::size_t k = 0; k < c.size(); ++k) {
        if (std::abs(a[k] + b[k] - c[k]) <= score_rounding * size) continue;
        refuse(fixture, context, example,
               "score " + std::to_string(k) + " is not linear in w: " + exact_number_text(a[k]) +
                   " and " + exact_number_text(b[k]) + ", but " + exact_number_text(c[k]) +
                   " for the sum of both w");
      }
    }
  });
}

// For single variables: the score of state k minus that of state 0, by the potentials and by the
// scores. Empty if the graph or the scores have another form.
struct StateScores {
  std::vector<double> by_graph;
  std::vector<double> by_scores;
};
StateScores state_scores_of(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                            const std::vector<double>& scores, std::size_t columns) {
  StateScores result;
  const auto variables = static_cast<std::size_t>(graph.variable_count);
  if (graph.factor_count != graph.variable_count) return result;
  const bool has_one_score_each = scores.size() == variables;
  if (!has_one_score_each && scores.size() != variables * columns) return result;
  for (std::size_t v = 0; v < variables; ++v) {
    const auto states = static_cast<std::size_t>(graph.states[v]);
    if (states != (has_one_score_each ? 2 : columns)) return {};
    const double* cells = theta.data() + graph.table[v];
    for (std::size_t k = 1; k < states; ++k) {
      result.by_graph.push_back(cells[k] - cells[0]);
      result.by_scores.push_back(
          has_one_score_each ? scores[v] : scores[v * columns + k] - scores[v * columns]);
    }
  }
  return result;
}

// If outputs are single variables of a factor graph, differences of scores equal those of the
// potentials.
void scores_graph_test(TestFixture& fixture, TestContext& context) {
  const Scores scores = required_scores(fixture, context);
  FactorGraphReader reader(fixture.problem().features());
  if (!reader.is_offered()) context.skip_not_offered("a factor graph");
  each_round(fixture, context, "scores.graph", [&](Random& random, const auto& examples) {
    const Weights w = fixture.weights().normal(random);
    for (const std::int64_t example : examples) {
      context.set_activity("example " + std::to_string(example));
      const sculpt_factor_graph& graph = reader.graph(example);
      const std::vector<double> theta = reader.potentials(example, graph, w.raw());
      const StateScores state_scores =
          state_scores_of(graph, theta, scores_at(scores, example, w), scores.columns());
      double size = 0;
      for (const double cell : theta) size = std::max(size, std::abs(cell));
      for (std::size_t k = 0; k < state_scores.by_graph.size(); ++k) {
        context.count();
        if (std::abs(state_scores.by_graph[k] - state_scores.by_scores[k]) <= score_rounding * size)
          continue;
        refuse(fixture, context, example,
               "a label exceeds the first one by " + exact_number_text(state_scores.by_scores[k]) +
                   " in its scores, but by " + exact_number_text(state_scores.by_graph[k]) +
                   " in the factor graph");
      }
    }
  });
  if (context.cases() == 0) context.skip("the factor graph does not consist of single labels");
}

}  // namespace

std::span<const ExperimentTest> score_tests() {
  static constexpr std::array<ExperimentTest, 3> tests{{{"scores.same", scores_same_test},
                                                        {"scores.linear", scores_linear_test},
                                                        {"scores.graph", scores_graph_test}}};
  return tests;
}

}  // namespace sculpt::core
