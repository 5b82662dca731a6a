// Tests of psi and Delta of several outputs from one call (sculpt/ext/draft/batch_values.h). The
// reference is a call for each output alone. The values must be the same bit by bit.

#include <algorithm>
#include <array>
#include <functional>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/required_loss.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/oracle/batch_answers.hpp"
#include "problem/oracle/batch_values.hpp"

namespace sculpt::core {
namespace {

struct KnownOutput {
  std::int64_t example = 0;
  const Output* output = nullptr;
};

// As many outputs as the largest batch of the host, from all examples in turn.
std::vector<KnownOutput> outputs_of_all(TestFixture& fixture) {
  std::vector<KnownOutput> known;
  bool has_more = true;
  for (std::size_t k = 0; has_more; ++k) {
    has_more = false;
    for (const std::int64_t example : fixture.examples()) {
      const OutputSet& set = fixture.outputs(example);
      if (k >= set.outputs.size()) continue;
      if (std::ssize(known) == BatchAnswers::max_block) return known;
      known.push_back({example, &set.outputs[k]});
      has_more = true;
    }
  }
  return known;
}

// Calls ask(items) for batches in several orders, then differs(known, values) for each output.
using Ask = std::function<std::string(std::span<const BatchValues::Item>)>;
using Difference = std::function<std::string(const KnownOutput&, const OutputValues&)>;

void compare_batches(TestFixture& fixture, TestContext& context, const Component& component,
                     const Ask& ask, const Difference& difference) {
  std::vector<KnownOutput> known = outputs_of_all(fixture);
  if (known.empty()) context.skip("no example has a complete truth");
  Random random = fixture.random("batch_values");
  const auto compare = [&](std::span<const KnownOutput> batch, const std::string& what) {
    context.set_activity(what);
    std::vector<OutputValues> values(batch.size());
    std::vector<BatchValues::Item> items;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      items.push_back(
          {batch[k].example, fixture.truth(batch[k].example), batch[k].output->raw(), &values[k]});
    }
    const std::string error = ask(items);
    if (!error.empty()) context.fail({component.name() + ": " + what + " fails: " + error});
    for (std::size_t k = 0; k < batch.size(); ++k) {
      context.count();
      const std::string fault = difference(batch[k], values[k]);
      if (fault.empty()) continue;
      context.fail({component.name() + ": " + fault + ", as output " + std::to_string(k) + " of " +
                        what + " (" + std::to_string(batch.size()) + " outputs)",
                    example_text(fixture, batch[k].example),
                    "  output  " + labels_text(batch[k].output->labels)});
    }
  };
  TimeBudget budget(fixture.timer(), context, TimeBudget::unknown_total, "outputs");
  for (std::size_t k = 0; k + 1 < known.size(); ++k) {
    if (!budget.takes(2)) return;
    compare(std::span(known).subspan(k, 2), "a batch of two");
  }
  for (int shuffle = 0; shuffle < fixture.level().choose(2, 4, 8); ++shuffle) {
    if (!budget.takes(std::ssize(known))) return;
    compare(known, "a batch of all outputs");
    random.shuffle(known);
  }
  compare(std::span(known).first(1), "a batch of one");
}

void features_batch_test(TestFixture& fixture, TestContext& context) {
  Problem& problem = fixture.problem();
  BatchValues values(problem.features(), nullptr, problem.dimension(), 1);
  if (!values.adds_psi()) {
    context.skip_not_offered("psi of several outputs (" SCULPT_EXT_BATCH_FEATURES ")");
  }
  const Vector w(static_cast<std::size_t>(problem.dimension()), 0.0);
  compare_batches(
      fixture, context, problem.features().component(),
      [&](std::span<const BatchValues::Item> items) { return values.add_psi(0, w, items); },
      [](const KnownOutput& known, const OutputValues& found) -> std::string {
        if (!found.has_psi) return "psi has a wrong index or a number that is not finite";
        const SparseVector& alone = known.output->psi;
        if (found.psi.index == alone.index && found.psi.value == alone.value) return "";
        return "psi is another one than that of accumulate";
      });
}

void loss_batch_test(TestFixture& fixture, TestContext& context) {
  Loss& loss = required_loss(fixture, context);
  Problem& problem = fixture.problem();
  BatchValues values(problem.features(), &loss, problem.dimension(), 1);
  if (!values.adds_losses()) {
    context.skip_not_offered("losses of several outputs (" SCULPT_EXT_BATCH_LOSS ")");
  }
  compare_batches(
      fixture, context, loss.component(),
      [&](std::span<const BatchValues::Item> items) { return values.add_losses(0, items); },
      [](const KnownOutput& known, const OutputValues& found) -> std::string {
        if (!found.loss) return "the loss is negative or not finite";
        if (*found.loss == known.output->loss) return "";
        return "the loss is " + exact_number_text(*found.loss) + ", but " +
               exact_number_text(known.output->loss) + " alone";
      });
}

}  // namespace

std::span<const ExperimentTest> batch_value_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"features.batch", features_batch_test}, {"loss.batch", loss_batch_test}}};
  return tests;
}

}  // namespace sculpt::core
