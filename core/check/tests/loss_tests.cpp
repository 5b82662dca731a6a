// Tests of Delta: 0 for the truth, finite, not negative, and equal in all forms that it is offered
// in.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/fixture/factor_graph_reader.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/count_loss.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_tried_count = 30;  // besides the largest one

Loss& loss_of(TestFixture& fixture, TestContext& context) {
  if (fixture.problem().loss() == nullptr) context.skip("there is no loss");
  if (fixture.examples().empty()) context.skip("no example has a complete truth");
  return *fixture.problem().loss();
}

[[noreturn]] void refuse(TestFixture& fixture, TestContext& context, const Loss& loss,
                         std::int64_t example, const Output& output, const std::string& what) {
  context.fail({loss.component().name() + ": " + what, example_text(fixture, example),
                "  guess   " + fixture.problem().dataset().format(example, output.raw()) + " " +
                    labels_text(output.labels)});
}

// The host refuses values that are negative or not finite at every call. This test calls it for
// every output.
void loss_values_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = loss_of(fixture, context);
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
      refuse(fixture, context, loss, example, output,
             "the loss is " + exact_number_text(output.loss) + ", but " + exact_number_text(again) +
                 " in a second call");
    }
  }
}

// Returns the graph classes that an extension of the loss demands.
template <class Table>
std::uint32_t demands_of(const Component& loss, const Table& table) {
  std::uint32_t demands = 0;
  loss.call("demands", -1,
            [&](sculpt_error* error) { return table.demands(loss.self(), &demands, error); });
  return demands;
}

// Delta = constant + sum of its parts over the factors.
void loss_parts_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = loss_of(fixture, context);
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
      refuse(fixture, context, loss, example, output,
             exact_number_text(scale) + " * the loss is " + exact_number_text(scale * output.loss) +
                 ", but its parts over the factors add up to " + exact_number_text(sum));
    }
  }
  if (context.cases() == 0)
    context.skip("no graph has the classes that the parts of the loss demand");
}

// The counts of any output, from the count tables of an example.
class CountTables {
 public:
  CountTables(Loss& loss, const sculpt_ext_factor_counts& table,
              std::span<const sculpt_count> counts, const sculpt_factor_graph& graph,
              std::int64_t example, sculpt_labels truth)
      : counts_(counts),
        graph_(graph),
        cells_(counts.size(),
               std::vector<std::int32_t>(static_cast<std::size_t>(graph.theta_size), 0)) {
    const Component& component = loss.component();
    const LentLabels lent_truth(component, "the labels of the truth", truth);
    std::vector<FilledArray<std::int32_t>> filled;
    std::vector<std::int32_t*> data;
    for (std::vector<std::int32_t>& cells : cells_) {
      filled.emplace_back(component, "a table of counts", cells);
      data.push_back(filled.back().data());
    }
    component.call("factor-counts.add", example, [&](sculpt_error* error) {
      return table.add(loss.session(0), example, &graph, lent_truth.raw(), data.data(), error);
    });
    for (const FilledArray<std::int32_t>& cells : filled) cells.take();
    lent_truth.require_unchanged(example);
  }
  Counts counts_of(const std::vector<std::int32_t>& y) const {
    Counts counts = {};
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      for (const std::size_t cell : cells_of(graph_, y)) counts[k] += cells_[k][cell];
      counts[k] = std::min(counts[k], counts_[k].limit);
    }
    return counts;
  }

 private:
  std::span<const sculpt_count> counts_;
  const sculpt_factor_graph& graph_;
  std::vector<std::vector<std::int32_t>> cells_;  // [counts][theta_size]
};

// Returns the largest counts that the host asks g for. They are those of the frontier of the
// example. Without a frontier: those of as many errors as there are labels.
Counts largest_counts(TestFixture& fixture, std::int64_t example, const CountLoss& loss) {
  const sculpt_labels truth = fixture.truth(example);
  Counts largest = {};
  for (std::size_t k = 0; k < loss.counts().size(); ++k) {
    largest[k] = std::min(truth.size, loss.counts()[k].limit);
  }
  Oracle& oracle = fixture.problem().oracle();
  if (!oracle.obstacle_to_frontier().empty()) return largest;
  const Weights w = zero_weights(fixture.problem().dimension());
  const sculpt_query query = raw_query_of(fixture.problem(), {example, &w, 1, true, 1});
  try {
    const Frontier::Shape& shape = oracle.begin_frontier(0, query);
    if (shape.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return largest;
    for (std::size_t k = 0; k < largest.size(); ++k) largest[k] = shape.size[k] - 1;
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::config) throw;  // else too large; frontier.entries reports it
  }
  return largest;
}

// Returns the first counts, and the largest one.
std::vector<std::int64_t> tried_counts(std::int64_t largest) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 0; count <= std::min(largest, max_tried_count); ++count) {
    counts.push_back(count);
  }
  if (largest > max_tried_count) counts.push_back(largest);
  return counts;
}

// g is finite, not negative and the same in a second call for all counts of a frontier, also for
// those that no output has. The host refuses other values at every call.
void loss_count_values_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = loss_of(fixture, context);
  std::optional<CountLoss> count_loss = CountLoss::if_offered(loss);
  if (!count_loss) context.skip_not_offered("a loss of counts");
  std::vector<std::vector<Counts>> all_counts;  // of each example
  std::int64_t total = 0;
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("example " + std::to_string(example));
    const Counts largest = largest_counts(fixture, example, *count_loss);
    std::vector<Counts>& counts = all_counts.emplace_back();
    for (const std::int64_t first : tried_counts(largest[0])) {
      for (const std::int64_t second : tried_counts(largest[1])) counts.push_back({first, second});
    }
    total += std::ssize(counts);
  }
  TimeBudget budget(fixture.timer(), context, total, "vectors of counts");
  for (std::size_t k = 0; k < all_counts.size(); ++k) {
    const std::int64_t example = fixture.examples()[k];
    const sculpt_labels truth = fixture.truth(example);
    for (const Counts& counts : all_counts[k]) {
      if (!budget.next()) return;
      const std::string what = counts_text(count_loss->counts(), counts);
      context.set_activity("example " + std::to_string(example) + ", " + what);
      context.count();
      const double value = count_loss->value(0, example, truth, counts);
      const double again = count_loss->value(0, example, truth, counts);
      if (value == again) continue;
      context.fail({loss.component().name() + ": the loss of " + what + " is " +
                        exact_number_text(value) + ", but " + exact_number_text(again) +
                        " in a second call",
                    example_text(fixture, example)});
    }
  }
}

// Delta = g(counts), where the counts are sums over the factors.
void loss_counts_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = loss_of(fixture, context);
  const Component& component = loss.component();
  std::optional<CountLoss> count_loss = CountLoss::if_offered(loss);
  const auto* const table = component.extension<sculpt_ext_factor_counts>();
  FactorGraphReader reader(fixture.problem().features());
  if (!count_loss || table == nullptr || !reader.is_offered()) {
    context.skip_not_offered("counts that split over a factor graph");
  }
  const std::uint32_t demands = demands_of(component, *table);
  TimeBudget budget(fixture.timer(), context, fixture.output_count(), "outputs");
  for (const std::int64_t example : fixture.examples()) {
    const sculpt_factor_graph& graph = reader.graph(example);
    if ((demands & ~graph.classes) != 0) continue;
    context.set_activity("example " + std::to_string(example));
    const CountTables tables(loss, *table, count_loss->counts(), graph, example,
                             fixture.truth(example));
    for (const Output& output : fixture.outputs(example).outputs) {
      if (!is_assignment(graph, output.labels)) continue;
      if (!budget.next()) return;
      context.count();
      const Counts counts = tables.counts_of(output.labels);
      const double value = count_loss->value(0, example, fixture.truth(example), counts);
      if (std::abs(value - output.loss) <= rounding_of_loss(output)) continue;
      refuse(fixture, context, loss, example, output,
             "the loss is " + exact_number_text(output.loss) + ", but its counts are " +
                 counts_text(count_loss->counts(), counts) + ", with the loss " +
                 exact_number_text(value));
    }
  }
  if (context.cases() == 0)
    context.skip("no graph has the classes that the counts of the loss demand");
}

}  // namespace

std::span<const ExperimentTest> loss_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"loss.values", loss_values_test},
       {"loss.parts", loss_parts_test},
       {"loss.count_values", loss_count_values_test},
       {"loss.counts", loss_counts_test}}};
  return tests;
}

}  // namespace sculpt::core
