#include "check/tests/required_scores.hpp"

#include <algorithm>

namespace sculpt::core {

Scores required_scores(TestFixture& fixture, TestContext& context) {
  const Component& features = fixture.problem().features().component();
  if (!Scores::is_offered_by(features)) context.skip_not_offered("scores");
  return Scores(features);
}

std::vector<std::int64_t> spread_examples(TestFixture& fixture) {
  const std::int64_t count = fixture.problem().dataset().count();
  const std::int64_t used_count = std::min(count, fixture.level().choose<std::int64_t>(8, 32, 128));
  std::vector<std::int64_t> examples;
  for (std::int64_t k = 0; k < used_count; ++k) examples.push_back(k * count / used_count);
  return examples;
}

std::vector<double> scores_at(const Scores& scores, std::int64_t example, const Weights& w) {
  std::vector<double> values;
  scores.write(example, w.raw(), values);
  return values;
}

}  // namespace sculpt::core
