// Cheap tests of every example. The other tests ask many queries about few examples.

#include <array>
#include <numeric>

#include "check/answers/claims.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t examples_per_w = 64;  // because drawing w costs as much as its dimension

// Returns a step that visits each of `count` examples once. The examples visited first are spread
// over all of them. It is near the golden ratio and has no common divisor with `count`.
std::int64_t golden_step(std::int64_t count) {
  auto step = static_cast<std::int64_t>(0.618 * static_cast<double>(count));
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

// Asks one query per example, with the loss if the oracle supports it. The host makes the same
// checks as in training. This test also compares the value with that of the output, and the claimed
// bound with the answer's value and the truth's.
void oracle_every_test(TestFixture& fixture, TestContext& context) {
  Random random = fixture.random("oracle.every");
  const std::int64_t count = fixture.problem().dataset().count();
  const std::int64_t used_count =
      std::min(count, fixture.level().choose<std::int64_t>(1000, 10000, INT64_MAX));
  const std::int64_t step = golden_step(std::max<std::int64_t>(count, 1));
  TimeBudget budget(fixture.timer(), context, used_count, "examples");
  std::optional<Weights> w;
  std::int64_t example = 0;
  for (std::int64_t k = 0; k < used_count && budget.next();
       ++k, example = (example + step) % count) {
    if (!fixture.has_complete_truth(example)) continue;
    const std::int64_t number = context.cases();
    if (number % examples_per_w == 0)
      w.emplace(fixture.weights().draw(random, static_cast<int>(1 + number / examples_per_w)));
    const OracleQuery query{example, &*w, fixture.supports_loss() ? 1.0 : 0.0, true, random.next()};
    context.set_activity(query.text());
    context.count();
    const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) continue;
    for (const ClaimCheck violation : {value_violation, own_bound_violation, truth_violation}) {
      const std::vector<std::string> lines = violation(fixture, query, answer);
      if (!lines.empty()) context.fail(lines);
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
  if (used_count < count) {
    context.remark("only " + std::to_string(used_count) + " of " + std::to_string(count) +
                   " examples are used at this level; --level 3 uses all");
  }
}

}  // namespace

std::span<const ExperimentTest> every_example_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"oracle.every", oracle_every_test}}};
  return tests;
}

}  // namespace sculpt::core
