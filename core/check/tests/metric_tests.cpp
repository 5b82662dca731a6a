// The test of metrics (ext/metrics.h) of the loss and the dataset.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/prediction/metric_list.hpp"

namespace sculpt::core {
namespace {

// Calls the metrics of one component, and refuses what breaks ext/metrics.h.
class MetricCaller {
 public:
  MetricCaller(const Component& component, void* session)
      : component_(component),
        session_(session),
        table_(*component.extension<sculpt_ext_metrics>()),
        list_(metrics_of(component)) {}

  std::size_t sum_count() const { return list_.sum_count; }

  // Returns `from` plus what the example adds.
  std::vector<double> add(std::int64_t example, sculpt_labels truth, sculpt_labels guess,
                          std::vector<double> from) const {
    const LentLabels lent_truth(component_, "the labels of the truth", truth);
    const LentLabels lent_guess(component_, "the labels of the output", guess);
    const FilledArray<double> sums(component_, "the sums of the metrics", from);
    component_.call("metrics.add", example, [&](sculpt_error* error) {
      return table_.add(session_, example, lent_truth.raw(), lent_guess.raw(), sums.data(), error);
    });
    sums.take();
    lent_truth.require_unchanged(example);
    lent_guess.require_unchanged(example);
    const bool is_finite =
        std::all_of(from.begin(), from.end(), [](double sum) { return std::isfinite(sum); });
    if (!is_finite) refuse(example, "makes a sum that is not finite");
    return from;
  }

  // Returns the values of the metrics, twice the same.
  std::vector<double> finish(const std::vector<double>& sums) const {
    std::vector<double> values = finish_from(sums, 7.25);
    const std::vector<double> again = finish_from(sums, -3.5);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isinf(values[k])) {
        refuse(-1, std::string("gives ") + list_.metrics[k].name +
                       " an infinite value; give NaN if a metric is undefined");
      }
      if (values[k] == again[k] || (std::isnan(values[k]) && std::isnan(again[k]))) continue;
      refuse(-1, std::string("does not set ") + list_.metrics[k].name +
                     " in finish, or gives another value in a second call");
    }
    return values;
  }

  // The sums of an example do not depend on the sums before, nor on the calls before.
  void check_output(std::int64_t example, sculpt_labels truth, sculpt_labels guess) const {
    const std::vector<double> zero(sum_count(), 0.0);
    const std::vector<double> first = add(example, truth, guess, zero);
    if (add(example, truth, guess, zero) != first)
      refuse(example, "adds other sums in a second call");
    const std::vector<double> twice = add(example, truth, guess, first);
    for (std::size_t k = 0; k < twice.size(); ++k) {
      if (std::abs(twice[k] - 2 * first[k]) <= 1e-9 * std::abs(first[k])) continue;
      refuse(example, "adds " + exact_number_text(first[k]) + " to the sum " + std::to_string(k) +
                          ", but " + exact_number_text(twice[k] - first[k]) +
                          " if it has this value already; write sums[k] += ...");
    }
    finish(first);
  }

 private:
  std::vector<double> finish_from(const std::vector<double>& sums, double unset) const {
    std::vector<double> values(list_.metrics.size(), unset);
    const LentArray<double> lent_sums(component_, "the sums of the metrics", sums);
    const FilledArray<double> filled(component_, "the values of the metrics", values);
    component_.call("metrics.finish", -1, [&](sculpt_error* error) {
      return table_.finish(component_.self(), lent_sums.data(), filled.data(), error);
    });
    filled.take();
    lent_sums.require_unchanged(-1);
    return values;
  }

  [[noreturn]] void refuse(std::int64_t example, const std::string& what) const {
    component_.refuse(Exit::plugin, example, "its metrics: it " + what);
  }

  const Component& component_;
  void* session_;
  const sculpt_ext_metrics& table_;
  MetricList list_;
};

std::vector<MetricCaller> metric_callers(Problem& problem) {
  std::vector<MetricCaller> callers;
  const auto add = [&](const Component& component, void* session) {
    if (component.extension<sculpt_ext_metrics>() != nullptr)
      callers.emplace_back(component, session);
  };
  if (problem.loss() != nullptr) add(problem.loss()->component(), problem.loss()->session(0));
  add(problem.dataset().component(), problem.dataset().session(0));
  return callers;
}

// Returns outputs of an example as they are predicted. Those of a set Y_i that depends on the truth
// may have another form, so only the truth and predictions are used then.
std::vector<Output> predicted_outputs(TestFixture& fixture, std::int64_t example, Random& random) {
  if (!fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET)) {
    return fixture.outputs(example).outputs;
  }
  const sculpt_labels truth = fixture.truth(example);
  std::vector<Output> outputs = {{{truth.data, truth.data + truth.size}, {}, 0, false, {}}};
  for (int number = 1; number <= fixture.level().choose(2, 5, 20); ++number) {
    const Weights w = fixture.weights().draw(random, number);
    OwnedAnswer answer =
        ask_oracle(fixture.problem(), {example, &w, 0, /*has_truth=*/false, random.next()});
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) continue;
    outputs.push_back({std::move(answer.labels), {}, 0, false, {}});
  }
  return outputs;
}

void loss_metrics_test(TestFixture& fixture, TestContext& context) {
  const std::vector<MetricCaller> callers = metric_callers(fixture.problem());
  if (callers.empty()) context.skip_not_offered("metrics");
  const auto max_outputs = fixture.level().choose<std::size_t>(20, 100, 1000);
  Random random = fixture.random("loss.metrics");
  TimeBudget budget(fixture.timer(), context,
                    static_cast<std::int64_t>(callers.size()) * fixture.output_count(max_outputs),
                    "outputs");
  for (const MetricCaller& metrics : callers) {
    context.set_activity("the metrics of no example");
    metrics.finish(std::vector<double>(metrics.sum_count(), 0.0));
    for (const std::int64_t example : fixture.examples()) {
      const sculpt_labels truth = fixture.truth(example);
      const std::vector<Output> outputs = predicted_outputs(fixture, example, random);
      for (std::size_t k = 0; k < std::min(max_outputs, outputs.size()); ++k) {
        if (!budget.next()) return;
        context.set_activity("the metrics of " + labels_text(outputs[k].labels));
        context.count();
        metrics.check_output(example, truth, outputs[k].raw());
      }
      context.set_activity("the metrics of example " + std::to_string(example) +
                           " without an output");
      metrics.check_output(example, truth, {nullptr, 0});
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

}  // namespace

std::span<const ExperimentTest> metric_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"loss.metrics", loss_metrics_test}}};
  return tests;
}

}  // namespace sculpt::core
