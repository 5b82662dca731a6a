// Of every example, what is cheap: the other tests ask about few of them, and long.

#include <array>

#include "check/counter_example.hpp"
#include "check/judgement.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t examples_per_w = 64;  // to draw w costs as much as its dimension

// One answer for each example, with the loss if it can be asked for, in the order of the dataset.
// Output, value and features are judged by the host as in training; the value once more, to
// rounding.
void every_test(Bench& bench, Findings& findings) {
  Random random = bench.random("oracle.every");
  const std::int64_t limit = bench.level().of<std::int64_t>(1000, 10000, INT64_MAX);
  const std::int64_t count = bench.problem().dataset().count();
  const std::int64_t stride = 1 + (count - 1) / limit;
  std::optional<Weights> w;
  for (std::int64_t example = 0; example < count; example += stride) {
    if (!bench.is_whole(example)) continue;
    const std::int64_t number = findings.cases();
    if (number % examples_per_w == 0)
      w.emplace(bench.weights().draw(random, static_cast<int>(number / examples_per_w)));
    const Question question{example, &*w, bench.takes_loss() ? 1.0 : 0.0, true, random.next()};
    findings.now(question.text());
    findings.count();
    const Reply reply = ask(bench.problem(), question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) continue;
    const Output answer = bench.appraised(example, reply.labels);
    const Value mine = value_of(question, answer);
    if (std::abs(mine.value - reply.value) <= rounding(mine.size)) continue;
    findings.fail(counter_example(
        bench,
        bench.oracle_name() + " says the value of its answer is " + exact_number_text(reply.value) +
            "; <w, psi> + loss_weight * loss of the output is " + exact_number_text(mine.value),
        question, {{"answer", &answer}}));
  }
  if (findings.cases() == 0) findings.skip("no example has a whole truth");
  if (stride > 1) {
    findings.remark("one of " + std::to_string(stride) + " examples; --level 3 asks about all");
  }
}

constexpr std::array<ExperimentTest, 1> tests{{{"oracle.every", every_test}}};

}  // namespace

std::span<const ExperimentTest> every_example_tests() {
  return tests;
}

}  // namespace sculpt::core
