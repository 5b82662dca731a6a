// Tests of the dataset: its splits, its truths, the weights of its examples, a second reading of
// the data, and outputs as text and parsed.

#include <sculpt/cpp/unseen_labels.hpp>

#include <algorithm>
#include <array>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/labels_copy.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/unknown_labels.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_compared_examples = 20000;

// Splits do not overlap. The host checks that they are within the number of examples.
void dataset_splits_test(TestFixture& fixture, TestContext& context) {
  Dataset& dataset = fixture.problem().dataset();
  std::vector<std::pair<std::string, Range>> checked;
  for (const char* name : {"train", "validation", "test"}) {
    const Range range = dataset.split(name);
    context.count();
    for (const auto& [other, other_range] : checked) {
      const bool are_disjoint = range.size() == 0 || other_range.size() == 0 ||
                                range.end <= other_range.begin || other_range.end <= range.begin;
      if (!are_disjoint) {
        context.fail(dataset.component().name() + ": the splits " + other + " and " + name +
                     " share examples");
      }
    }
    checked.emplace_back(name, range);
  }
  for (const SplitSource& source : fixture.factory().sources()) {
    context.count();
    if (dataset.split(source.split).size() == 0) {
      context.fail(dataset.component().name() + ": the split " + source.split +
                   " was loaded, but has no example");
    }
  }
  const Range none = dataset.split("no such split");
  if (none.size() != 0) {
    context.fail(dataset.component().name() + ": a split that was not loaded has " +
                 std::to_string(none.size()) + " examples");
  }
}

// Labels are 0 or more, -1 if unknown, or unseen_label outside train. A second call gives the same
// labels.
void dataset_truths_test(TestFixture& fixture, TestContext& context) {
  Dataset& dataset = fixture.problem().dataset();
  const std::int64_t count = std::min(dataset.count(), max_compared_examples);
  for (std::int64_t example = 0; example < count; ++example) {
    context.set_activity("the truth of example " + std::to_string(example));
    context.count();
    const sculpt_labels first = dataset.truth(example);
    const std::vector<std::int32_t> labels = copy_of(first);
    if (first.data == nullptr && first.size != 0) {
      context.fail(dataset.component().name() + ": example " + std::to_string(example) +
                   " is unlabelled, but its truth has " + std::to_string(first.size) + " labels");
    }
    const auto invalid = std::find_if(labels.begin(), labels.end(), [](std::int32_t label) {
      return label < -1 && label != unseen_label;
    });
    if (invalid != labels.end()) {
      context.fail(
          dataset.component().name() + ": the truth of example " + std::to_string(example) +
          " has the label " + std::to_string(*invalid) +
          "; labels must be 0 or more, -1 if unknown, or -2 if training does not have them");
    }
    const sculpt_labels again = dataset.truth(example);
    if (copy_of(again) == labels && (again.data == nullptr) == (first.data == nullptr)) continue;
    context.fail(dataset.component().name() + ": the truth of example " + std::to_string(example) +
                 " is " + labels_text(labels) + ", but " + labels_text(copy_of(again)) +
                 " in a second call");
  }
  if (context.cases() == 0) context.skip("there are no examples");
}

// A second reading of the same files gives the same examples, and the same psi bit by bit.
void dataset_again_test(TestFixture& fixture, TestContext& context) {
  context.set_activity("loading the data a second time");
  const std::unique_ptr<Problem> other = fixture.factory().make({});
  Problem& problem = fixture.problem();
  const std::string name = problem.dataset().component().name();
  if (problem.dataset().count() != other->dataset().count() ||
      problem.dimension() != other->dimension()) {
    context.fail(
        name + ": two readings of the same data give " + std::to_string(problem.dataset().count()) +
        " and " + std::to_string(other->dataset().count()) + " examples, and dimensions of " +
        std::to_string(problem.dimension()) + " and " + std::to_string(other->dimension()));
  }
  const Range train = problem.dataset().split("train");
  if (problem.dataset().example_weights(train) != other->dataset().example_weights(train)) {
    context.fail(name + ": two readings of the same data give other weights of examples");
  }
  SparseAccumulator scratch(problem.dimension());
  const std::int64_t count = std::min(problem.dataset().count(), max_compared_examples);
  for (std::int64_t example = 0; example < count; ++example) {
    context.set_activity("example " + std::to_string(example) + " of a second reading");
    context.count();
    const sculpt_labels truth = problem.dataset().truth(example);
    const std::string message_begin = name + ": two readings of the same data differ in ";
    if (copy_of(truth) != copy_of(other->dataset().truth(example))) {
      context.fail(message_begin + "the truth of example " + std::to_string(example));
    }
    if (truth.data == nullptr || has_unknown_label(truth)) continue;
    SparseVector first;
    SparseVector second;
    problem.features().vector(0, example, truth, Exit::plugin, scratch, first);
    other->features().vector(0, example, truth, Exit::plugin, scratch, second);
    if (first.index != second.index || first.value != second.value) {
      context.fail(message_begin + "psi of the truth of example " + std::to_string(example));
    }
  }
}

// parse(format(y)) = y
void dataset_text_test(TestFixture& fixture, TestContext& context) {
  Dataset& dataset = fixture.problem().dataset();
  const Component& component = dataset.component();
  const auto* const table = component.extension<sculpt_ext_label_text>();
  if (table == nullptr) context.skip_not_offered("outputs as text (ext/label_text.h)");
  const auto max_outputs = fixture.level().choose<std::size_t>(50, 200, 1000);
  TimeBudget budget(fixture.timer(), context, fixture.output_count(max_outputs), "outputs");
  for (const std::int64_t example : fixture.examples()) {
    const OutputSet& set = fixture.outputs(example);
    for (std::size_t k = 0; k < std::min(max_outputs, set.outputs.size()); ++k) {
      const Output& output = set.outputs[k];
      if (!budget.next()) return;
      context.set_activity("the text of " + labels_text(output.labels));
      context.count();
      const std::string text = dataset.format(example, output.raw());
      if (table->parse == nullptr) continue;
      Answer parsed;
      const LentArray<char> bytes(component, "the text of an output", std::span<const char>(text));
      FilledLabels labels(component, parsed.raw()->labels);
      component.call("label-text.parse", example, [&](sculpt_error* error) {
        return table->parse(component.self(), example, bytes.data(),
                            static_cast<std::int64_t>(text.size()), &parsed.raw()->labels, error);
      });
      labels.take();
      bytes.require_unchanged(example);
      if (!parsed.has_valid_size())
        component.refuse(
            Exit::plugin, example,
            "parse gives an output of the impossible size " + std::to_string(parsed.labels().size));
      if (copy_of(parsed.labels()) == output.labels) continue;
      context.fail({component.name() + ": format and parse do not agree",
                    example_text(fixture, example),
                    "  the output " + labels_text(output.labels) + " is written \"" + text +
                        "\", which is read as " + labels_text(copy_of(parsed.labels()))});
    }
  }
  if (table->parse == nullptr) context.remark("parse is not offered: only format was called");
}

// Weights of the examples of train are valid, and the same in a call for each single example.
void dataset_weights_test(TestFixture& fixture, TestContext& context) {
  Dataset& dataset = fixture.problem().dataset();
  const Range range = dataset.split("train");
  if (range.size() == 0) context.skip("there are no examples in the split train");
  context.set_activity("the weights of all examples");
  const std::vector<double> weights = dataset.example_weights(range);
  if (weights.empty()) context.skip_not_offered("weights of examples (ext/example_weights.h)");
  const auto text = [](double weight) { return number_text(weight, 17); };
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::int64_t example = range.begin + static_cast<std::int64_t>(k);
    const std::string message_begin =
        dataset.component().name() + ": example " + std::to_string(example) + ": ";
    context.set_activity("the weight of example " + std::to_string(example));
    context.count();
    const std::string fault = fault_of_weight(weights[k]);
    if (!fault.empty()) context.fail(message_begin + fault);
    if (k >= max_compared_examples) continue;  // a call for each single example takes time
    const double again = dataset.example_weights({example, example + 1}).front();
    if (again == weights[k]) continue;
    context.fail(message_begin + "its weight is " + text(weights[k]) + " in a call for all, but " +
                 text(again) + " in a call for this example");
  }
  if (std::count(weights.begin(), weights.end(), 0.0) == range.size()) {
    context.fail(dataset.component().name() + ": the weights of all examples are 0");
  }
}

}  // namespace

std::span<const ExperimentTest> dataset_tests() {
  static constexpr std::array<ExperimentTest, 6> tests{{{"dataset.splits", dataset_splits_test},
                                                        {"dataset.truths", dataset_truths_test},
                                                        {"dataset.weights", dataset_weights_test},
                                                        {"dataset.again", dataset_again_test},
                                                        {"dataset.text", dataset_text_test},
                                                        {"dataset.shape", dataset_shape_test}}};
  return tests;
}

}  // namespace sculpt::core
