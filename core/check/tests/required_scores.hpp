// required_scores.hpp - the scores of an experiment's features, for the tests of the group scores.
#pragma once

#include <cstdint>
#include <vector>

#include "check/fixture/test_fixture.hpp"
#include "problem/prediction/scores.hpp"

namespace sculpt::core {

// Returns the scores of the features. Skips the test if they are not offered.
Scores required_scores(TestFixture& fixture, TestContext& context);

// Returns examples spread over all of them, with or without truth, because scores need none.
std::vector<std::int64_t> spread_examples(TestFixture& fixture);

// Returns [rows * columns] of an example.
std::vector<double> scores_at(const Scores& scores, std::int64_t example, const Weights& w);

}  // namespace sculpt::core
