// Tests of losses that are functions of counts: the function g, its slopes, and the counts of each
// output.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/required_loss.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/count_loss.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_tried_count = 30;  // besides the largest one

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

// The loss as a linear function of the counts, and how far rounding may move it.
class LineOfCounts {
 public:
  static constexpr std::int64_t max_first = 10000;

  // Nothing if the loss does not offer it.
  static std::optional<LineOfCounts> of(CountLoss& loss, std::int64_t example,
                                        sculpt_labels truth) {
    if (!loss.is_linear()) return std::nullopt;
    return LineOfCounts(loss.line(0, example, truth));
  }

  double value(const Counts& counts) const {
    double sum = line_.constant;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      sum += line_.slope[k] * static_cast<double>(counts[k]);
    }
    return sum;
  }
  double rounding(const Counts& counts) const {
    Terms terms{std::abs(line_.constant), 1};
    for (std::size_t k = 0; k < counts.size(); ++k) {
      terms += {std::abs(line_.slope[k]) * static_cast<double>(counts[k]), 1};
    }
    return terms.rounding();
  }
  bool agrees(const Counts& counts, double loss, double loss_rounding = 0) const {
    return std::abs(value(counts) - loss) <= loss_rounding + rounding(counts);
  }
  // Returns counts that give this loss, or nothing. With two counts it tries each first one up to
  // `max_first`.
  std::optional<Counts> counts_of(double loss, double loss_rounding) const {
    static_assert(SCULPT_MOST_COUNTS == 2);
    const std::size_t solved = line_.slope[1] != 0 ? 1 : 0;
    const std::int64_t tries = solved == 1 ? max_first : 0;
    for (std::int64_t first = 0; first <= tries; ++first) {
      Counts counts = {};
      if (solved == 1) counts[0] = first;
      if (line_.slope[solved] != 0) {
        const double count = std::round((loss - value(counts)) / line_.slope[solved]);
        if (!(count >= 0 && count < 1e15)) continue;
        counts[solved] = static_cast<std::int64_t>(count);
      }
      if (agrees(counts, loss, loss_rounding)) return counts;
    }
    return std::nullopt;
  }
  // False: counts that counts_of() did not try may give this loss.
  bool tries_all_counts_of(double loss) const {
    if (line_.slope[1] == 0) return true;
    if (!(line_.slope[0] > 0 && line_.slope[1] > 0)) return false;
    return (loss - line_.constant) / line_.slope[0] < static_cast<double>(max_first);
  }
  // True if no other counts give the same loss.
  bool is_one_to_one() const { return line_.slope[0] != 0 && line_.slope[1] == 0; }

 private:
  explicit LineOfCounts(const CountLine& line) : line_(line) {}

  CountLine line_;
};

// g is finite, not negative and the same in a second call for all counts of a frontier, also for
// those that no output has. The host refuses other values at every call.
void loss_count_values_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = required_loss(fixture, context);
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

// The line of a loss that is linear in its counts gives the loss of every output. Which counts an
// output has is only known with a factor graph (loss.counts). But some counts must give its loss.
// If there is one count, g must agree there.
void loss_slopes_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = required_loss(fixture, context);
  std::optional<CountLoss> count_loss = CountLoss::if_offered(loss);
  if (!count_loss || !count_loss->is_linear()) context.skip_not_offered("slopes of counts");
  TimeBudget budget(fixture.timer(), context, fixture.output_count(), "outputs");
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("example " + std::to_string(example));
    const sculpt_labels truth = fixture.truth(example);
    const LineOfCounts line = *LineOfCounts::of(*count_loss, example, truth);
    for (const Output& output : fixture.outputs(example).outputs) {
      if (!budget.next()) return;
      context.count();
      const double rounding = rounding_of_loss(output);
      const std::optional<Counts> counts = line.counts_of(output.loss, rounding);
      const std::string subject = "the loss is " + exact_number_text(output.loss);
      if (!counts && !line.tries_all_counts_of(output.loss)) continue;
      if (!counts) {
        fail_loss(fixture, context, loss, example, output,
                  subject + ", but by the constant and the slopes no counts have this loss");
      }
      // Values of g at counts that no output has may be anything.
      if (count_loss->counts().size() > 1 || !line.is_one_to_one()) continue;
      const double value = count_loss->value(0, example, truth, *counts);
      if (std::abs(value - output.loss) <= rounding + line.rounding(*counts)) continue;
      fail_loss(fixture, context, loss, example, output,
                subject + ", which the constant and the slope give for " +
                    counts_text(count_loss->counts(), *counts) + ", but the loss of these is " +
                    exact_number_text(value));
    }
  }
}

// Delta = g(counts), where the counts are sums over the factors.
void loss_counts_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = required_loss(fixture, context);
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
    const sculpt_labels truth = fixture.truth(example);
    const CountTables tables(loss, *table, count_loss->counts(), graph, example, truth);
    const std::optional<LineOfCounts> line = LineOfCounts::of(*count_loss, example, truth);
    for (const Output& output : fixture.outputs(example).outputs) {
      if (!is_assignment(graph, output.labels)) continue;
      if (!budget.next()) return;
      context.count();
      const Counts counts = tables.counts_of(output.labels);
      const double value = count_loss->value(0, example, truth, counts);
      const double rounding = rounding_of_loss(output);
      const std::string subject = "the loss is " + exact_number_text(output.loss) +
                                  ", but its counts are " +
                                  counts_text(count_loss->counts(), counts) + ", with the loss ";
      if (std::abs(value - output.loss) > rounding) {
        fail_loss(fixture, context, loss, example, output, subject + exact_number_text(value));
      }
      if (!line || line->agrees(counts, output.loss, rounding)) continue;
      fail_loss(
          fixture, context, loss, example, output,
          subject + exact_number_text(line->value(counts)) + " by the constant and the slopes");
    }
  }
  if (context.cases() == 0)
    context.skip("no graph has the classes that the counts of the loss demand");
}

}  // namespace

std::span<const ExperimentTest> loss_count_tests() {
  static constexpr std::array<ExperimentTest, 3> tests{
      {{"loss.count_values", loss_count_values_test},
       {"loss.slopes", loss_slopes_test},
       {"loss.counts", loss_counts_test}}};
  return tests;
}

}  // namespace sculpt::core
