// The tests of the shape of outputs (sculpt/ext/output_shape.h): it agrees with the outputs and
// with the factor graph, and psi exists for what it promises to be an output.

#include <algorithm>
#include <cstring>

#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/output_shape.hpp"
#include "problem/outputs/complete_shape.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

// Returns how the shape differs from the graph of the same features, or "".
std::string graph_fault(const OutputShape& shape, const sculpt_factor_graph& graph) {
  if (shape.min_size != graph.variable_count || shape.max_size != graph.variable_count) {
    return "another size than its factor graph, which has " + std::to_string(graph.variable_count) +
           " variables";
  }
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    if (shape.label_limit(v) == graph.states[v]) continue;
    return std::to_string(shape.label_limit(v)) + " states at position " + std::to_string(v) +
           ", but its factor graph has " + std::to_string(graph.states[v]);
  }
  return "";
}

// Compares the shape that the host uses, which this component gives, with the outputs.
void test_shape(TestFixture& fixture, TestContext& context, const Component& component) {
  OutputShapes& shapes = fixture.problem().output_shapes();
  FactorGraphReader reader(fixture.problem().features());
  Random random = fixture.random("features.shape");
  const int draws = fixture.level().choose(5, 20, 100);
  TimeBudget budget(
      fixture.timer(), context,
      fixture.output_count() + draws * static_cast<std::int64_t>(fixture.examples().size()),
      "outputs");
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("example " + std::to_string(example));
    const auto refuse = [&](const std::string& what) {
      context.fail({component.name() + ": " + what, example_text(fixture, example)});
    };
    const OutputShape shape = shapes.of(0, example);
    for (const Output& output : fixture.outputs(example).outputs) {
      if (!budget.next()) return;
      context.count();
      const std::string fault = shapes.fault(0, example, output.raw());
      if (!fault.empty()) refuse("the output " + labels_text(output.labels) + " " + fault);
    }
    if (reader.is_offered()) {
      const std::string fault = graph_fault(shape, reader.graph(example));
      if (!fault.empty()) refuse("gives a shape of outputs with " + fault);
    }
    const bool can_draw = can_draw_from(shape);
    for (int k = 0; can_draw && k < draws; ++k) {
      if (!budget.next()) return;
      const std::vector<std::int32_t> labels = draw_from(shape, random);
      if (!shapes.fault(0, example, {labels.data(), std::ssize(labels)}).empty()) break;
      context.count();
      context.set_activity("example " + std::to_string(example) + ", " + labels_text(labels));
      fixture.with_psi_and_loss(example, labels);  // throws if psi refuses the output
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

sculpt_output_shape raw_shape(const Component& component, std::int64_t example) {
  const auto& table = *component.extension<sculpt_ext_output_shape>();
  sculpt_output_shape shape = {};
  shape.struct_size = sizeof shape;
  component.call("output-shape.shape", example, [&](sculpt_error* error) {
    return table.shape(component.self(), example, &shape, error);
  });
  return shape;
}

bool are_equal(const sculpt_output_shape& a, const sculpt_output_shape& b) {
  const bool same_fields = a.flags == b.flags && a.min_size == b.min_size &&
                           a.max_size == b.max_size &&
                           (a.states == nullptr) == (b.states == nullptr);
  if (!same_fields) return false;
  return a.states == nullptr ? a.state_count == b.state_count
                             : std::equal(a.states, a.states + a.max_size, b.states);
}

// Compares the two shapes of a task, whose dataset and features are of one class.
void compare_parts(TestFixture& fixture, TestContext& context, const Component& dataset,
                   const Component& features) {
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("example " + std::to_string(example));
    context.count();
    if (are_equal(raw_shape(dataset, example), raw_shape(features, example))) continue;
    context.fail({dataset.name() + ": as a dataset it gives another shape of outputs than as "
                                   "features; give the same",
                  example_text(fixture, example)});
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

}  // namespace

void features_shape_test(TestFixture& fixture, TestContext& context) {
  const Component& features = fixture.problem().features().component();
  if (features.extension<sculpt_ext_output_shape>() == nullptr) {
    context.skip_not_offered("the shape of outputs");
  }
  test_shape(fixture, context, features);
}

// The host uses the shape of a dataset only if the features give none.
void dataset_shape_test(TestFixture& fixture, TestContext& context) {
  const Component& dataset = fixture.problem().dataset().component();
  const Component& features = fixture.problem().features().component();
  if (dataset.extension<sculpt_ext_output_shape>() == nullptr) {
    context.skip_not_offered("the shape of outputs, by the dataset");
  }
  if (features.extension<sculpt_ext_output_shape>() != nullptr) {
    const bool is_task = std::strcmp(dataset.description().id, features.description().id) == 0;
    if (is_task) return compare_parts(fixture, context, dataset, features);
    context.skip(features.name() + " gives the shape of the outputs in place of the dataset");
  }
  if (FactorGraphReader(fixture.problem().features()).is_offered()) {
    context.skip("the factor graph of " + features.name() +
                 " gives the shape of the outputs in place of the dataset");
  }
  test_shape(fixture, context, dataset);
}

}  // namespace sculpt::core
