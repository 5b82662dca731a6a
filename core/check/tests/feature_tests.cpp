// Tests of psi: indices in range, equal results of two calls, linear in the scale, and consistent
// with the factor graph.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/small_graphs/graph_classes.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/map_oracle/graph_demands.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// Calls body(example, output) for every output of every example. Examples alternate.
template <class Body>
void each_output(TestFixture& fixture, TestContext& context, Body&& body) {
  std::size_t max_outputs = 0;
  for (const std::int64_t example : fixture.examples()) {
    max_outputs = std::max(max_outputs, fixture.outputs(example).outputs.size());
  }
  max_outputs =
      std::min<std::size_t>(max_outputs, fixture.level().choose<std::size_t>(20, 200, 2000));
  TimeBudget budget(fixture.timer(), context, fixture.output_count(max_outputs), "outputs");
  for (std::size_t k = 0; k < max_outputs; ++k) {
    for (const std::int64_t example : fixture.examples()) {
      const OutputSet& set = fixture.outputs(example);
      if (k >= set.outputs.size()) continue;
      if (!budget.next()) return;
      context.set_activity("example " + std::to_string(example) + ", " +
                           labels_text(set.outputs[k].labels));
      context.count();
      body(example, set.outputs[k]);
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

[[noreturn]] void refuse(TestFixture& fixture, TestContext& context, std::int64_t example,
                         const Output& output, const std::string& what) {
  context.fail({fixture.problem().features().component().name() + ": " + what,
                example_text(fixture, example),
                "  output  " + fixture.problem().dataset().format(example, output.raw()) + " " +
                    labels_text(output.labels)});
}

enum class Agree { bit_by_bit, to_rounding };

// Returns a bound of the rounding error of an entry, from its own terms.
double rounding_of_entry(const Output& output, std::int32_t index) {
  const auto entry = [index](const SparseVector& x) {
    const auto found = std::lower_bound(x.index.begin(), x.index.end(), index);
    if (found == x.index.end() || *found != index) return 0.0;
    return std::abs(x.value[static_cast<std::size_t>(found - x.index.begin())]);
  };
  return Terms{entry(output.psi) + entry(output.cancelling.magnitude), output.cancelling.count}
      .rounding();
}

// Returns "psi[3] (bias of a) is 1, but 2 in a second call", "" if both agree.
std::string difference(TestFixture& fixture, const Output& output, const SparseVector& b,
                       const std::string& condition, Agree agreement) {
  const SparseVector& a = output.psi;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.index.size() || k < b.index.size()) {
    const std::int32_t index = std::min(i < a.index.size() ? a.index[i] : INT32_MAX,
                                        k < b.index.size() ? b.index[k] : INT32_MAX);
    const double left = i < a.index.size() && a.index[i] == index ? a.value[i++] : 0;
    const double right = k < b.index.size() && b.index[k] == index ? b.value[k++] : 0;
    if (left == right) continue;
    const double error = std::abs(left - right);
    if (agreement == Agree::to_rounding && error <= rounding_of_entry(output, index)) continue;
    const std::string name = fixture.problem().features().weight_name(index);
    return "psi[" + std::to_string(index) + "]" + (name.empty() ? "" : " (" + name + ")") + " is " +
           exact_number_text(left) + ", but " + exact_number_text(right) + " " + condition;
  }
  return "";
}

// Returns scale * psi, read through an accumulator.
SparseVector accumulate_psi(TestFixture& fixture, std::int64_t example, const Output& output,
                            double scale) {
  SparseAccumulator sum(fixture.problem().dimension());
  Features& features = fixture.problem().features();
  const LentLabels labels(features.component(), "the labels of the output", output.raw());
  features.component().call("accumulate", example, [&](sculpt_error* error) {
    return features.component().api<sculpt_features_api>().accumulate(
        features.session(0), example, labels.raw(), scale, sum.raw(), error);
  });
  labels.require_unchanged(example);
  const std::string fault = sum.fault();
  if (!fault.empty()) features.component().refuse(Exit::plugin, example, fault);
  SparseVector psi;
  sum.merge(psi);
  return psi;
}

// The host checks indices and values whenever it reads psi. So this test does too.
void features_same_test(TestFixture& fixture, TestContext& context) {
  each_output(fixture, context, [&](std::int64_t example, const Output& output) {
    const std::string fault =
        difference(fixture, output, accumulate_psi(fixture, example, output, 1), "in a second call",
                   Agree::bit_by_bit);
    if (!fault.empty()) refuse(fixture, context, example, output, fault);
  });
}

void features_scale_test(TestFixture& fixture, TestContext& context) {
  each_output(fixture, context, [&](std::int64_t example, const Output& output) {
    for (const double scale : {-1.0, 0.25, 3.0}) {
      SparseVector scaled = accumulate_psi(fixture, example, output, scale);
      for (double& value : scaled.value) value /= scale;
      const std::string fault = difference(
          fixture, output, scaled, "with scale " + exact_number_text(scale) + ", divided by it",
          Agree::to_rounding);
      if (!fault.empty()) refuse(fixture, context, example, output, fault);
    }
  });
}

// <w, psi(y)> = theta(y)
void features_graph_test(TestFixture& fixture, TestContext& context) {
  FactorGraphReader reader(fixture.problem().features());
  if (!reader.is_offered()) context.skip_not_offered("a factor graph");
  Random random = fixture.random("features.graph");
  const int draws = fixture.level().choose(3, 8, 20);
  TimeBudget budget(fixture.timer(), context, draws * fixture.output_count(), "outputs");
  for (int number = 1; number <= draws; ++number) {
    const Weights w = fixture.weights().draw(random, number);
    for (const std::int64_t example : fixture.examples()) {
      context.set_activity("example " + std::to_string(example));
      const sculpt_factor_graph& graph = reader.graph(example);
      const std::vector<double> theta = reader.potentials(example, graph, w.raw());
      const OracleQuery query{example, &w, 0, true, 0};
      for (const Output& output : fixture.outputs(example).outputs) {
        if (!is_assignment(graph, output.labels)) continue;
        if (!budget.next()) return;
        context.count();
        const ScoreAndTerms score = score_and_terms_of(output, w.values());
        Terms terms = score.terms;
        double sum = 0;
        for (const std::size_t cell : cells_of(graph, output.labels)) {
          sum += theta[cell];
          terms += {std::abs(theta[cell]), 1};
        }
        if (std::abs(sum - score.value) <= terms.rounding()) continue;
        context.fail(counter_example(
            fixture,
            fixture.problem().features().component().name() +
                ": the potentials of the factor graph add up to " + exact_number_text(sum) +
                " for an output with <w, psi> = " + exact_number_text(score.value),
            query, {{"output", &output}}));
      }
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

// Each graph has the classes that it declares, and declares those that the features declare for
// all.
void features_classes_test(TestFixture& fixture, TestContext& context) {
  FactorGraphReader reader(fixture.problem().features());
  if (!reader.is_offered()) context.skip_not_offered("a factor graph");
  const std::string name = fixture.problem().features().component().name();
  const std::uint32_t common_classes = reader.classes();
  Random random = fixture.random("features.classes");
  const int draws = fixture.level().choose(3, 8, 20);
  TimeBudget budget(fixture.timer(), context,
                    static_cast<std::int64_t>(fixture.examples().size()) * (1 + draws), "graphs");
  for (const std::int64_t example : fixture.examples()) {
    if (!budget.next()) return;
    context.set_activity("example " + std::to_string(example));
    context.count();
    const auto refuse = [&](const std::string& what) {
      context.fail({name + ": " + what, example_text(fixture, example)});
    };
    const sculpt_factor_graph& graph = reader.graph(example);
    const std::uint32_t missing = common_classes & ~graph.classes;
    if (missing != 0) {
      refuse("declares the classes " + graph_class_names(missing) + " for all graphs, but " +
             graph_class_names(graph.classes) + " for this one");
    }
    const std::string fault = graph_class_fault(graph);
    if (!fault.empty()) refuse("declares a class that this graph does not have, " + fault);
    if ((graph.classes & SCULPT_GRAPH_ATTRACTIVE) == 0) continue;
    for (int number = 1; number <= draws; ++number) {
      if (!budget.next()) return;
      const Weights w = fixture.weights().draw(random, number);
      const std::string pair = attractive_fault(graph, reader.potentials(example, graph, w.raw()));
      if (pair.empty()) continue;
      refuse("declares attractive pairs for every w in the bounds of the weights, but " + pair);
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

// <A w, mu> = <w, A^T mu> for any mu, and psi is the pullback of the indicator of its output.
void features_pullback_test(TestFixture& fixture, TestContext& context) {
  FactorGraphReader reader(fixture.problem().features());
  if (!reader.is_offered()) context.skip_not_offered("a factor graph");
  const std::int64_t dimension = fixture.problem().dimension();
  Random random = fixture.random("features.pullback");
  const int draws = fixture.level().choose(2, 6, 20);
  TimeBudget budget(
      fixture.timer(), context,
      fixture.output_count() + draws * static_cast<std::int64_t>(fixture.examples().size()),
      "pullbacks");
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("example " + std::to_string(example));
    const sculpt_factor_graph& graph = reader.graph(example);
    std::vector<double> mu(static_cast<std::size_t>(graph.theta_size));
    for (int number = 0; number < draws; ++number) {
      if (!budget.next()) return;
      context.count();
      const Weights w = fixture.weights().normal(random);
      for (double& cell : mu) cell = random.chance(3) ? 0 : random.normal();
      const std::vector<double> theta = reader.potentials(example, graph, w.raw());
      const FeatureSum pulled_back = reader.pullback(example, mu, 0.5, dimension);
      const ScoreAndTerms right =
          score_and_terms_of(pulled_back.psi, pulled_back.cancelling, w.values());
      Terms terms{2 * right.terms.magnitude, right.terms.count};
      double left = 0;
      for (std::size_t cell = 0; cell < mu.size(); ++cell) {
        left += theta[cell] * mu[cell];
        terms += {std::abs(theta[cell] * mu[cell]), 1};
      }
      if (std::abs(left - 2 * right.value) <= terms.rounding()) continue;
      context.fail(
          {fixture.problem().features().component().name() +
               ": potentials and pullback are not adjoint: <A w, mu> = " + exact_number_text(left) +
               ", but <w, A^T mu> = " + exact_number_text(2 * right.value),
           example_text(fixture, example)});
    }
    for (const Output& output : fixture.outputs(example).outputs) {
      if (!is_assignment(graph, output.labels)) continue;
      if (!budget.next()) return;
      context.count();
      std::fill(mu.begin(), mu.end(), 0.0);
      for (const std::size_t cell : cells_of(graph, output.labels)) mu[cell] += 1;
      const std::string fault =
          difference(fixture, output, reader.pullback(example, mu, 1, dimension).psi,
                     "as the pullback of the output's own cells", Agree::to_rounding);
      if (!fault.empty()) refuse(fixture, context, example, output, fault);
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

}  // namespace

std::span<const ExperimentTest> feature_tests() {
  static constexpr std::array<ExperimentTest, 6> tests{
      {{"features.same", features_same_test},
       {"features.shape", features_shape_test},
       {"features.scale", features_scale_test},
       {"features.graph", features_graph_test},
       {"features.classes", features_classes_test},
       {"features.pullback", features_pullback_test}}};
  return tests;
}

}  // namespace sculpt::core
