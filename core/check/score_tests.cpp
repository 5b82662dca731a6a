// The draft extension scores of features: the numbers that outputs are decided by.

#include <array>
#include <cmath>

#include "check/counter_example.hpp"
#include "check/tests.hpp"
#include "message_text.hpp"
#include "problem/scores.hpp"

namespace sculpt::core {
namespace {

[[noreturn]] void refuse(Bench& bench, Findings& findings, std::int64_t example,
                         const std::string& what) {
  findings.fail(
      {bench.problem().features().component().name() + ": " + what, example_text(bench, example)});
}

// Finite, and the same when asked again, other examples between. The host refuses what is left
// unset, or written beyond the end, whenever it asks.
void same_test(Bench& bench, Findings& findings) {
  const Component& features = bench.problem().features().component();
  if (!Scores::offered(features)) findings.skip("not offered: scores");
  Scores scores(features);
  Random random = bench.random("scores.same");
  const std::vector<std::int64_t> examples(bench.examples().begin(), bench.examples().end());
  for (int number = 1; number <= bench.level().of(3, 8, 20); ++number) {
    const Weights w = bench.weights().normal(random);
    std::vector<std::vector<double>> first;
    for (const std::int64_t example : examples) {
      findings.now("example " + std::to_string(example));
      findings.count();
      const auto found = scores.of(example, w.lent());
      first.emplace_back(found.begin(), found.end());
      for (const double score : found) {
        if (!std::isfinite(score)) {
          refuse(bench, findings, example, "a score is " + exact_number_text(score));
        }
      }
    }
    for (std::size_t e = examples.size(); e-- > 0;) {
      findings.now("example " + std::to_string(examples[e]) + ", again");
      const auto again = scores.of(examples[e], w.lent());
      if (!std::equal(again.begin(), again.end(), first[e].begin(), first[e].end())) {
        refuse(bench, findings, examples[e], "its scores are others when asked again");
      }
    }
  }
  if (findings.cases() == 0) findings.skip("no example has a whole truth");
}

constexpr std::array<ExperimentTest, 1> tests{{{"scores.same", same_test}}};

}  // namespace

std::span<const ExperimentTest> score_tests() {
  return tests;
}

}  // namespace sculpt::core
