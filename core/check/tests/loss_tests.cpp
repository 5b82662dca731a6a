// Tests of Delta: 0 for the truth, finite, not negative, and the sum of its parts over the factors.
// Its counts have tests of their own (loss_count_tests.cpp).

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/required_loss.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// The host refuses values that are negative or not finite at every call. This test calls it for
// every output.
void loss_values_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = required_loss(fixture, context);
  TimeBudget budget(fixture.timer(), context, fixture.output_count(), "outputs");
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("example " + std::to_string(example));
    const OutputSet& set = fixture.outputs(example);
    const sculpt_labels truth = fixture.truth(example);
    const double zero = loss.value(0, example, truth, truth);
    if (zero != 0) {
      context.fail({loss.component().name() + ": the loss of the truth against itself is " +
                        exact_number_text(zero) + "; it must be 0",
                    example_text(fixture, example)});
    }
    for (const Output& output : set.outputs) {
      if (!budget.next()) return;
      context.count(set.complete ? TestContext::Compared::all_outputs
                                 : TestContext::Compared::some_outputs);
      const double again = loss.value(0, example, truth, output.raw());
      if (again == output.loss) continue;
      fail_loss(fixture, context, loss, example, output,
                "the loss is " + exact_number_text(output.loss) + ", but " +
                    exact_number_text(again) + " in a second call");
    }
  }
}

// Delta = constant + sum of its parts over the factors.
void loss_parts_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = required_loss(fixture, context);
  const Component& component = loss.component();
  const auto* const table = component.extension<sculpt_ext_factor_loss>();
  FactorGraphReader reader(fixture.problem().features());
  if (table == nullptr || !reader.is_offered()) {
    context.skip_not_offered("a loss that splits over a factor graph");
  }
  const std::uint32_t demands = demands_of(component, *table);
  TimeBudget budget(fixture.timer(), context, fixture.output_count(), "outputs");
  for (const std::int64_t example : fixture.examples()) {
    const sculpt_factor_graph& graph = reader.graph(example);
    if ((demands & ~graph.classes) != 0) continue;
    const double scale = example % 2 == 0 ? 1 : 2.5;
    std::vector<double> parts(static_cast<std::size_t>(graph.theta_size), 0.0);
    double constant = 0;
    context.set_activity("example " + std::to_string(example));
    const LentLabels truth(component, "the labels of the truth", fixture.truth(example));
    const FilledArray<double> sums(component, "theta", parts);
    component.call("factor-loss.add", example, [&](sculpt_error* error) {
      return table->add(loss.session(0), example, &graph, truth.raw(), scale, sums.data(),
                        &constant, error);
    });
    sums.take();
    truth.require_unchanged(example);
    for (const Output& output : fixture.outputs(example).outputs) {
      if (!is_assignment(graph, output.labels)) continue;
      if (!budget.next()) return;
      context.count();
      double sum = constant;
      Terms terms{std::abs(constant), 1};
      for (const std::size_t cell : cells_of(graph, output.labels)) {
        sum += parts[cell];
        terms += {std::abs(parts[cell]), 1};
      }
      const double tolerance = terms.rounding() + scale * rounding_of_loss(output);
      if (std::abs(sum - scale * output.loss) <= tolerance) continue;
      fail_loss(fixture, context, loss, example, output,
                exact_number_text(scale) + " * the loss is " +
                    exact_number_text(scale * output.loss) +
                    ", but its parts over the factors add up to " + exact_number_text(sum));
    }
  }
  if (context.cases() == 0)
    context.skip("no graph has the classes that the parts of the loss demand");
}

}  // namespace

std::span<const ExperimentTest> loss_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"loss.values", loss_values_test}, {"loss.parts", loss_parts_test}}};
  return tests;
}

}  // namespace sculpt::core
